//! The player shown instead of a missing one, and textures in place of players.

use serde_json::json;

use super::{draw_group, loaded, opened, requested, says, says_of_group};

#[test]
fn a_visitor_chooses_the_substitute() {
    let (server, browser) = or_skip!(opened("?player=Nobody&size=64"));
    let message = server.error_of("/v1/figure/Nobody");
    browser.keys("#default", "Steve");
    browser.wait_for(&loaded("^/v1/figure/Nobody\\?size=64&default=steve$"));
    browser.wait_for(&says(&format!(
        "The picture shows Steve instead of Nobody. {message}"
    )));
    let url = format!("{}/v1/figure/Nobody?size=64&default=steve", server.url);
    browser.assert_is("$('#snippet-url').textContent", url);
    for form in ["html", "markdown", "bbcode", "element", "discord"] {
        let snippet = format!("$('#snippet-{form}').textContent");
        browser.assert_is(&format!("/default=\"?steve/.test({snippet})"), true);
    }
}

#[test]
fn a_visitor_chooses_the_default_skin() {
    let (server, browser) = or_skip!(opened("?player=Nobody&size=64"));
    let message = server.error_of("/v1/figure/Nobody");
    browser.keys("#default", "The player's default skin");
    browser.wait_for(&loaded(
        "^/v1/figure/Nobody\\?size=64&default=default-skin$",
    ));
    browser.wait_for(&says(&format!(
        "The picture shows the default skin of Nobody. {message}"
    )));
    for form in ["url", "html", "markdown", "bbcode", "element", "discord"] {
        let snippet = format!("$('#snippet-{form}').textContent");
        browser.assert_is(&format!("/default=\"?default-skin/.test({snippet})"), true);
    }
}

#[test]
fn any_player_can_be_the_substitute() {
    let (_server, browser) = or_skip!(opened("?player=Nobody&size=64"));
    browser.keys("#other-player", "Reynard\u{e004}");
    browser.wait_for(&loaded("default=Reynard$"));
    browser.assert_is("$('#default').value", "Reynard");
    browser.assert_is("$('#other-player').value", "");
}

#[test]
fn a_substitute_who_is_missing_is_ignored_with_a_note() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.keys("#other-player", "Nobody\u{e004}");
    let reason = server.error_of("/v1/figure/Nobody");
    let note = format!("Nobody cannot be shown instead: {reason}");
    browser.wait_for(&format!("$('#note').textContent === {note:?}"));
    let url = format!("{}/v1/figure/Gwendolin?size=64", server.url);
    browser.assert_is("$('#snippet-url').textContent", url);
    browser.assert_is("$('#default').value", "");
}

#[test]
fn a_substitute_that_is_no_player_is_told() {
    let (server, browser) = or_skip!(opened("?player=Nobody&size=64"));
    browser.keys("#other-player", "\u{e009}a\u{e009}a/b\u{e004}");
    browser.wait_for("$('#note').textContent.startsWith('Default must be a player')");
    browser.wait_for(&says(&server.error_of("/v1/figure/Nobody")));
}

#[test]
fn a_group_has_the_substitute_of_the_page() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64&default=Reynard"));
    draw_group(&browser, "Gwendolin, Nobody");
    browser.wait_for("$('#snippet-group').textContent.endsWith('&size=96&default=Reynard')");
    let status = "Showing Gwendolin. Missing: Nobody, shown as Reynard.";
    browser.wait_for(&says_of_group(status));
}

#[test]
fn a_group_says_that_default_skins_are_shown() {
    let query = "?player=Gwendolin&size=64&default=default-skin";
    let (_server, browser) = or_skip!(opened(query));
    draw_group(&browser, "Gwendolin, Nobody");
    let status = "Showing Gwendolin. Missing: Nobody, shown as default skins.";
    browser.wait_for(&says_of_group(status));
}

#[test]
fn a_group_says_when_the_substitute_is_missing_too() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    // The page itself ignores such a substitute.
    browser.script("$('#default').add(new Option('Nobody2', 'Nobody2', true, true));");
    draw_group(&browser, "Gwendolin, Nobody");
    browser.wait_for("$('#snippet-group').textContent.endsWith('&default=Nobody2')");
    let status = "Showing Gwendolin. Missing: Nobody.";
    browser.wait_for(&says_of_group(status));
}

#[test]
fn a_texture_is_shown_and_turned_by_its_hash() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    let hash = server.hash_of("Gwendolin");
    browser.go(&format!("{}/?player={hash}&size=64", server.url));
    browser.wait_for(&loaded(&format!("^/v1/figure/{hash}")));
    browser.wait_for(&says(&format!("Showing the texture {hash}.")));
    browser.assert_is(
        "[$('#profile').hidden, $('#skin-file').getAttribute('href')]",
        json!([true, format!("./v1/texture/{hash}")]),
    );
    requested(&browser, "");
    browser.promise("$('#stage').load()");
    browser.script("$('#stage').yaw = 90;");
    browser.wait_for("$('#stage').shadowRoot.querySelector('canvas:not([hidden])')");
    assert_eq!(requested(&browser, "/v1/profile/"), [""; 0]);
    assert_eq!(requested(&browser, "yaw=90"), [""; 0]);
}
