//! Tests of the landing page.

mod poses;
mod properties;
mod substitutes;

use std::num::NonZeroU32;

use effigy_parameters::{Control, Output, find, parameters};
use hyper::HeaderMap;

use super::*;
use crate::metrics::Metrics;

const ORIGIN: &str = "http://skins.example.org";

fn found() -> Value {
    json!({ "found": { "edition": "java", "default_skin": false } })
}

fn missing(message: &str, instead: Option<&str>) -> Value {
    json!({ "missing": { "message": message, "instead": instead } })
}

fn config() -> Config {
    Config::new(Metrics::new())
}

fn html(query: &str, subject: &Value, config: &Config) -> String {
    let params = PageParams::parse(&Query::parse_lossy(Some(query)), &config.players);
    let address = Address {
        origin: ORIGIN.to_owned(),
        root: String::new(),
    };
    let page = page(&params, subject, config, &address);
    let response = page.response(&HeaderMap::new());
    String::from_utf8(response.body().to_vec()).unwrap()
}

/// Asserts that the page of a query, whose player is found, has these parts.
#[track_caller]
fn assert_shows(query: &str, parts: &[&str]) -> String {
    let html = html(query, &found(), &config());
    for part in parts {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("{{"), "{html}");
    html
}

/// Returns the text between two texts.
fn between<'a>(html: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = html.split_once(start).expect(start);
    let (text, _) = rest.split_once(end).expect(end);
    text
}

/// Returns the value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(value)
}

#[test]
fn page_shows_the_picture_of_its_query() {
    let url = "/v1/isobody/.Two%20Words?size=192&amp;facing=back-left";
    let parts = [
        &*format!("src=\"{url}\""),
        &format!("content=\"{ORIGIN}{url}\""),
        "![.Two Words](http://skins.example.org/v1/isobody/",
        "&lt;img src=&quot;http://skins.example.org/v1/isobody/",
        "/v1/isobody/.Two%20Words?size=384&amp;amp;facing=back-left 2x&quot;",
        "width=\"192\" height=\"392\"",
    ];
    assert_shows("player=.Two+Words&view=avatar&facing=back-left", &parts);
}

#[test]
fn parameters_without_a_field_are_hidden_inputs() {
    let query = "pose=walk&torso=90,0,5&cape=true&elytra=true&phase=0.5";
    let parts = [
        "<input type=\"hidden\" name=\"torso\" value=\"90,0,5\">",
        "<input type=\"hidden\" name=\"elytra\" value=\"true\">",
        "<input type=\"hidden\" name=\"phase\" value=\"0.5\">",
    ];
    let html = assert_shows(query, &parts);
    assert_eq!(html.matches("type=\"hidden\"").count(), 3);
}

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
        "player=a&yaw=25&pitch=100&pose=moonwalk&light=&shadow=&cape=true&facing=left&view=x&size=-1",
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

/// Returns the note on the page of a query, which may be empty.
fn note(query: &str) -> String {
    let html = assert_shows(query, &[]);
    let tag = between(&html, "id=\"note\"", "</p>");
    let (_, text) = tag.split_once('>').unwrap();
    text.to_owned()
}

#[test]
fn invalid_value_is_ignored_with_a_note() {
    let too_large = "Size must be a whole number from 1 to 2048; 5000 is ignored.";
    assert_eq!(note("size=5000"), too_large);
    let unknown_pose = note("pose=moonwalk");
    assert!(unknown_pose.starts_with("Pose must be"), "{unknown_pose}");
}

#[test]
fn format_that_the_picture_can_not_have_is_ignored_with_a_note() {
    let too_large = "Size must be a whole number from 1 to 512 for a moving picture.";
    assert_eq!(note("size=600&format=apng"), too_large);
    let flat = note("view=face&format=apng");
    assert!(
        flat.starts_with("Only figures, portraits and cubes"),
        "{flat}"
    );
    let html = assert_shows("size=600&format=apng", &[]);
    assert!(!html.contains(".apng?size="));
}

#[test]
fn moving_picture_has_its_format() {
    for format in ["apng", "gif"] {
        let query = format!("size=512&format={format}");
        assert_eq!(note(&query), "");
        assert_shows(&query, &[&format!(".{format}?size=512")]);
    }
}

/// The visitor may come back to that view.
#[test]
fn parameter_of_another_view_is_ignored_without_a_note() {
    assert_eq!(note("view=face&pose=sit"), "");
}

#[test]
fn value_that_contradicts_another_one_is_ignored_with_a_note() {
    let rows = [
        (
            "player=a&light=game&light-from=-60,40",
            "Light-from must be left out unless the light is",
            "?size=192&amp;light=game<",
        ),
        (
            "player=a&crop=head&shadow=true",
            "Shadow must be left out of a picture that is cropped",
            "?size=192&amp;crop=head<",
        ),
    ];
    for (query, start, picture) in rows {
        let note = note(query);
        assert!(note.starts_with(start), "{query}: {note}");
        assert_shows(query, &[picture]);
    }
}

#[test]
fn values_that_fit_together_are_kept() {
    let picture = "?size=192&amp;crop=head&amp;light-from=-60,40<";
    assert_shows("player=a&light-from=-60,40&crop=head", &[picture]);
}

#[test]
fn player_may_be_copied_from_elsewhere() {
    let uuid = "069a79f4-44e9-4726-a5be-fca90e38aaf5";
    let rows = [
        ("@Notch", "Notch"),
        ("https://namemc.com/profile/Notch.1", "Notch"),
        ("de.namemc.com/profile/Notch?x", "Notch"),
        (&*format!("https://namemc.com/profile/{uuid}"), uuid),
        ("https://namemc.com/profile/", "MHF_Steve"),
        (".Some Tag", ".Some Tag"),
    ];
    for (typed, expected) in rows {
        let query = format!("player={}", escaped(typed));
        let params = PageParams::parse(&Query::parse_lossy(Some(&query)), &[]);
        assert_eq!(params.player, expected, "{typed}");
    }
}

/// Nobody has asked for the first player, whom not every service knows.
#[test]
fn missing_first_player_is_no_error() {
    let missing = missing("No Java player is named MHF_Steve.", None);
    let html = html("", &missing, &config());
    let status = between(&html, "<p id=\"status\" data-live class=\"", "</p>");
    assert_eq!(status, "\">Enter a player.");
}

#[test]
fn missing_player_is_an_error() {
    let missing = missing("No Java player is named Nobody & none.", None);
    let html = html("player=Nobody", &missing, &config());
    let status = between(&html, "<p id=\"status\" data-live class=\"", "</p>");
    assert_eq!(status, "bad\">No Java player is named Nobody &amp; none.");
}

#[test]
fn unknown_player_is_replaced_by_a_built_in_one() {
    let unknown = json!({ "unknown": "Mojang sleeps" });
    let html = html("player=Notch", &unknown, &config());
    assert!(html.contains("Mojang sleeps. The page shows a built-in player instead."));
}

#[test]
fn player_who_is_not_found_has_no_pictures() {
    for subject in [missing("", None), json!({ "unknown": "" })] {
        let html = html("player=a&view=cube", &subject, &config());
        assert!(!html.contains("src=\"/v1/figure"), "{html}");
        assert!(!html.contains("src=\"/v1/cube"), "{html}");
    }
}

#[test]
fn link_leads_to_the_player_who_was_meant() {
    let missing = missing("", Some(".a"));
    let html = html("player=a&view=cube", &missing, &config());
    assert!(html.contains("href=\"/?player=.a&amp;view=cube\">"));
}

/// Returns the names and values of the choices on a page: radio buttons and the options of lists.
fn choices(html: &str) -> Vec<(&str, &str)> {
    let mut choices = Vec::new();
    for radio in html.split("type=\"radio\"").skip(1) {
        if let Some(name) = attribute(radio, "name")
            && let Some(value) = attribute(radio, "value")
        {
            choices.push((name, value));
        }
    }
    for rest in html.split("<select").skip(1) {
        let (select, _) = rest.split_once("</select>").unwrap();
        let Some(name) = attribute(select, "name") else {
            continue;
        };
        for option in select.split("<option").skip(1) {
            choices.push((name, attribute(option, "value").unwrap()));
        }
    }
    choices
}

#[test]
fn every_choice_is_a_valid_value() {
    let html = assert_shows("", &[]);
    let mut count = 0;
    for (name, value) in choices(&html) {
        // Empty values are defaults.
        if matches!(name, "format" | "view" | "tab") || value.is_empty() {
            continue;
        }
        let parameter = find(name).unwrap_or_else(|| panic!("no parameter {name}"));
        let parsed = parameter.parse(value, &LIMITS);
        assert!(parsed.is_ok(), "{name}={value}");
        count += 1;
    }
    assert!(count > 25, "{count}");
}

#[test]
fn every_parameter_has_a_field_or_a_hidden_input() {
    for parameter in parameters().filter(|parameter| parameter.belongs_to(Output::Picture)) {
        let name = parameter.name;
        // These change no picture.
        if ["default", "v"].contains(&name) {
            continue;
        }
        let mut views = View::ALL.iter();
        let view = views.find(|view| parameter.affects(**view)).unwrap();
        // Some parameters change only a pose that moves, or an outline.
        let query = format!(
            "player=a&view={view}&pose=walk&outline=123456&{name}={}",
            parameter.example
        );
        let html = assert_shows(&query, &[&format!(" name=\"{name}\"")]);
        let is_hidden = html.contains(&format!("type=\"hidden\" name=\"{name}\""));
        let has_no_field = matches!(parameter.control, Control::Hidden);
        assert_eq!(is_hidden, has_no_field, "{name}");
    }
}

#[test]
fn value_that_is_not_listed_stays_chosen() {
    let query = "player=a&background=123456&pose=sit&light=game&format=svg";
    let parts = [
        "<option value=\"123456\" selected>123456</option>",
        "name=\"pose\" value=\"sit\" checked>",
        "name=\"light\" value=\"game\" checked>",
        "<option value=\"svg\" selected>SVG</option>",
        "data-views=\"figure portrait cube\"",
    ];
    let html = assert_shows(query, &parts);
    // View, pose, light, and the tab of the code.
    assert_eq!(html.matches(" checked>").count(), 4);
}

#[test]
fn input_is_escaped_in_each_snippet() {
    let url = "/v1/face/%5B%22a%5C%5D?size=8&amp;overlay=false";
    let parts = [
        "alt=&quot;[&amp;quot;a\\]&quot; loading",
        "{&quot;title&quot;: &quot;[\\&quot;a\\\\]&quot;,",
        &format!("![\\[&quot;a\\\\\\]]({ORIGIN}{url})"),
    ];
    assert_shows("player=[%22a%5C]&view=head&size=8&overlay=false", &parts);
}

#[test]
fn scripts_in_the_query_are_escaped() {
    let query = "player=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&background=%22%3E%3Cscript%3E";
    let player = "value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\"";
    let html = assert_shows(query, &[player]);
    assert!(!html.contains("><script>"), "{html}");
}

#[test]
fn pictures_are_not_larger_than_the_operator_allows() {
    let small = Config {
        max_size: NonZeroU32::new(256),
        ..config()
    };
    let html = html("size=200", &found(), &small);
    assert!(html.contains("size=256 2x"));
    assert!(html.contains("max=\"256\""));
    assert!(!html.contains("size=400"));
}

fn demo() -> Config {
    Config {
        demo: true,
        players: vec!["Gwendolin".to_owned(), ".Two Words".to_owned()],
        ..config()
    }
}

#[test]
fn suggested_players_are_links() {
    let html = html("size=64", &found(), &demo());
    assert!(html.contains("<a href=\"/?player=.Two%20Words&amp;size=64\">"));
    assert!(html.contains("src=\"/v1/figure/Gwendolin?size=64\""));
}

#[test]
fn demo_says_that_real_players_look_different() {
    let note = "only its own players: the real Notch looks different.";
    assert!(html("player=Notch", &found(), &demo()).contains(note));
    assert!(!html("player=gwendolin", &found(), &demo()).contains("looks different"));
}

#[test]
fn demo_says_why_a_player_is_missing() {
    let missing = missing("No Java player is named Nobody.", Some(".Nobody"));
    let html = html("player=Nobody", &missing, &demo());
    let status = ">This demo knows only its own players. No Java player is named Nobody.";
    assert!(html.contains(status), "{html}");
}

#[test]
fn other_services_are_no_demo() {
    assert!(!assert_shows("", &[]).contains("demo"));
}
