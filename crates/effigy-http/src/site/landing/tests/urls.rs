//! Tests of the URLs of the picture and of the page.

use super::*;

/// Asserts the URL of the picture on the page of a query, and the query of its canonical URL. That
/// query leads to the same page.
#[track_caller]
fn check_urls(query: &str, picture: &str, canonical: &str) {
    let before_picture = format!("<code id=\"snippet-url\" data-live tabindex=\"0\">{ORIGIN}");
    let before_link = format!("rel=\"canonical\" href=\"{ORIGIN}/?");
    for page in [query, canonical] {
        let html = assert_shows(page, &[]);
        let shown = between(&html, &before_picture, "<").replace("&amp;", "&");
        assert_eq!(shown, picture, "{page}");
        let link = between(&html, &before_link, "\"").replace("&amp;", "&");
        assert_eq!(link, canonical, "{page}");
    }
}

#[test]
fn first_player_is_shown_by_default() {
    check_urls("", "/v1/figure/MHF_Steve?size=192", "player=MHF_Steve");
}

#[test]
fn query_describes_the_picture() {
    check_urls(
        "player=+Notch+&view=cube&size=64",
        "/v1/cube/Notch?size=64",
        "player=Notch&view=cube&size=64",
    );
    let chosen = "yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false";
    check_urls(
        &format!("player=Notch&{chosen}&format=svg"),
        &format!("/v1/figure/Notch.svg?size=192&{chosen}"),
        &format!("player=Notch&{chosen}&format=svg"),
    );
}

#[test]
fn parameters_are_in_the_order_of_the_table() {
    check_urls(
        "player=Notch&background=202225&shape=circle&padding=8",
        "/v1/figure/Notch?size=192&background=202225&padding=8&shape=circle",
        "player=Notch&background=202225&padding=8&shape=circle",
    );
}

#[test]
fn views_have_one_word() {
    check_urls(
        ".player=&player=.Two+Words&view=avatar&facing=back-left",
        "/v1/isobody/.Two%20Words?size=192&facing=back-left",
        "player=.Two%20Words&view=isobody&facing=back-left",
    );
}

#[test]
fn defaults_and_ignored_values_are_left_out() {
    check_urls(
        "player=a&yaw=25&pitch=100&pose=moonwalk&light=&shadow=&cape=true&facing=left&view=x\
         &size=-1",
        "/v1/figure/a?size=192",
        "player=a",
    );
}

#[test]
fn players_are_escaped_in_urls() {
    check_urls(
        "player=a%2Fb&view=head&pose=walk&size=99999",
        "/v1/face/a%2Fb?size=192",
        "player=a%2Fb&view=face",
    );
    check_urls(
        "player=%22%3E%3Cimg%3E",
        "/v1/figure/%22%3E%3Cimg%3E?size=192",
        "player=%22%3E%3Cimg%3E",
    );
}

#[test]
fn forums_and_discord_get_a_gif_instead_of_an_apng() {
    let html = assert_shows("player=a&pose=wave&format=apng", &[]);
    for name in ["bbcode", "discord"] {
        let text = snippet(&html, name);
        assert!(text.contains("/v1/figure/a.gif?"), "{name}: {text}");
    }
    assert!(snippet(&html, "html").contains("/v1/figure/a.apng?"));
}
