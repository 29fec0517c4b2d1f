//! Tests of the landing page.

mod poses;
mod substitutes;

use std::num::NonZeroU32;

use effigy_parameters::{Control, find};
use hyper::HeaderMap;

use super::*;
use crate::metrics::Metrics;

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
        origin: "http://skins.example.org".to_owned(),
        root: String::new(),
    };
    let response = page(&params, subject, config, &address);
    let response = response.response(&HeaderMap::new());
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

#[test]
fn the_page_shows_the_picture_of_its_query() {
    let url = "/v1/isobody/.Two%20Words?size=192&amp;facing=back-left";
    let parts = [
        &*format!("src=\"{url}\""),
        &format!("content=\"http://skins.example.org{url}\""),
        "![.Two Words](http://skins.example.org/v1/isobody/",
        "&lt;img src=&quot;http://skins.example.org/v1/isobody/",
        " srcset=&quot;http://skins.example.org/v1/isobody/.Two%20Words?size=384&amp;amp;facing=back-left 2x&quot;",
        "width=\"192\" height=\"392\"",
    ];
    assert_shows("player=.Two+Words&view=avatar&facing=back-left", &parts);
}

#[test]
fn parameters_without_a_field_are_sent_again() {
    let query = "pose=walk&torso=90,0,5&cape=true&elytra=true&phase=0.5";
    let parts = [
        "<input type=\"hidden\" name=\"torso\" value=\"90,0,5\">",
        "<input type=\"hidden\" name=\"elytra\" value=\"true\">",
        "<input type=\"hidden\" name=\"phase\" value=\"0.5\">",
        // Readable, as the documents write it.
        "&amp;torso=90,0,5&amp;",
    ];
    let html = assert_shows(query, &parts);
    assert_eq!(html.matches("type=\"hidden\"").count(), 3);
}

#[test]
fn a_query_leads_to_a_picture_and_to_itself() {
    let rows = [
        ("", "/v1/figure/MHF_Steve?size=192", "/?player=MHF_Steve"),
        (
            "player=+Notch+&view=cube&size=64",
            "/v1/cube/Notch?size=64",
            "/?player=Notch&view=cube&size=64",
        ),
        (
            "player=Notch&yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false&format=svg",
            "/v1/figure/Notch.svg?size=192&yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false",
            "/?player=Notch&yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false&format=svg",
        ),
        (
            "player=Notch&background=202225&shape=circle&padding=8",
            "/v1/figure/Notch?size=192&background=202225&padding=8&shape=circle",
            "/?player=Notch&background=202225&padding=8&shape=circle",
        ),
        (
            ".player=&player=.Two+Words&view=avatar&facing=back-left",
            "/v1/isobody/.Two%20Words?size=192&facing=back-left",
            "/?player=.Two%20Words&view=isobody&facing=back-left",
        ),
        // Defaults, and what is invalid or does not apply, are left out.
        (
            "player=a&yaw=25&pitch=100&pose=moonwalk&light=&shadow=&cape=true&facing=left&view=x&size=-1",
            "/v1/figure/a?size=192",
            "/?player=a",
        ),
        (
            "player=a%2Fb&view=head&pose=walk&size=99999",
            "/v1/face/a%2Fb?size=192",
            "/?player=a%2Fb&view=face",
        ),
        (
            "player=%22%3E%3Cimg%3E",
            "/v1/figure/%22%3E%3Cimg%3E?size=192",
            "/?player=%22%3E%3Cimg%3E",
        ),
    ];
    for (first_query, picture, page) in rows {
        for query in [first_query, &page["/?".len()..]] {
            let html = assert_shows(query, &[]);
            let url = |start: &str| {
                let url = html.split(start).nth(1)?.split(['"', '<']).next()?;
                Some(url.replace("&amp;", "&"))
            };
            let origin = "http://skins.example.org";
            let shown = url(&format!(
                "<code id=\"snippet-url\" data-live tabindex=\"0\">{origin}"
            ));
            assert_eq!(shown.as_deref(), Some(picture), "{query}");
            let canonical = url(&format!("rel=\"canonical\" href=\"{origin}"));
            assert_eq!(canonical.as_deref(), Some(page), "{query}");
        }
    }
}

#[test]
fn what_is_ignored_is_told() {
    let too_large = "Size must be a whole number from 1 to 2048; 5000 is ignored.";
    let too_large_to_move = "Size must be a whole number from 1 to 512 for a moving picture.";
    let rows = [
        ("size=5000", too_large),
        ("pose=moonwalk", "Pose must be"),
        ("size=600&format=apng", too_large_to_move),
        ("view=face&format=apng", "Only figures, portraits and cubes"),
        // A parameter of another view is kept for a visitor who comes back to that view.
        ("view=face&pose=sit", ""),
        ("size=512&format=apng", ""),
        ("size=512&format=gif", ""),
    ];
    for (query, note) in rows {
        let html = assert_shows(query, &[]);
        let shown = html.split("id=\"note\"").nth(1).unwrap();
        let shown = shown.split_once('>').unwrap().1.split('<').next().unwrap();
        assert!(
            shown.starts_with(note) && shown.is_empty() == note.is_empty(),
            "{query}: {shown}"
        );
        assert_eq!(
            html.contains(".apng?size=512") || html.contains(".gif?size=512"),
            query.starts_with("size=512"),
            "{query}"
        );
    }
}

#[test]
fn a_copied_player_is_understood() {
    let rows = [
        ("@Notch", "Notch"),
        ("https://namemc.com/profile/Notch.1", "Notch"),
        ("de.namemc.com/profile/Notch?x", "Notch"),
        (
            "https://namemc.com/profile/069a79f4-44e9-4726-a5be-fca90e38aaf5",
            "069a79f4-44e9-4726-a5be-fca90e38aaf5",
        ),
        ("https://namemc.com/profile/", "MHF_Steve"),
        (".Some Tag", ".Some Tag"),
    ];
    for (typed, expected) in rows {
        let query = format!("player={}", escaped(typed));
        let query = Query::parse_lossy(Some(&query));
        let params = PageParams::parse(&query, &[]);
        assert_eq!(params.player, expected, "{typed}");
    }
}

#[test]
fn a_first_player_whom_the_service_does_not_know_is_no_error() {
    let missing = || missing("No Java player is named MHF_Steve.", None);
    let idle = html("", &missing(), &config());
    assert!(idle.contains("<p id=\"status\" data-live class=\"\">Enter a player.</p>"));
    let asked = html("player=MHF_Steve", &missing(), &config());
    assert!(asked.contains("class=\"bad\">No Java player is named MHF_Steve."));
}

#[test]
fn a_missing_player_has_no_pictures() {
    let missing = missing("Nobody & none", Some(".a"));
    let unknown = json!({ "unknown": "Mojang sleeps" });
    for (subject, status) in [
        (missing, "Nobody &amp; none"),
        (
            unknown,
            "Mojang sleeps. The page shows a built-in player instead.",
        ),
    ] {
        let html = html("player=a&view=cube", &subject, &config());
        assert!(html.contains(status), "{html}");
        assert!(!html.contains("src=\"/v1/figure"), "{html}");
        assert!(!html.contains("src=\"/v1/cube"), "{html}");
        assert_eq!(
            html.contains("href=\"/?player=.a&amp;view=cube\">"),
            subject["missing"].is_object()
        );
    }
}

#[test]
fn every_choice_is_a_value_of_its_parameter() {
    let html = assert_shows("", &[]);
    let attribute = |tag: &str, name: &str| {
        let rest = tag.split_once(&format!(" {name}=\""))?.1;
        Some(rest.split('"').next()?.to_owned())
    };
    let selects = html.split("<select ").skip(1).flat_map(|select| {
        let name = attribute(&format!(" {select}"), "name");
        let options = select.split("</select>").next().unwrap();
        let values = options.split("<option").skip(1);
        values.map(move |option| (name.clone(), attribute(option, "value")))
    });
    let radios = html.split("type=\"radio\"").skip(1);
    let radios = radios.map(|radio| (attribute(radio, "name"), attribute(radio, "value")));
    let mut count = 0;
    for (name, value) in selects.chain(radios) {
        let (Some(name), Some(value)) = (name, value) else {
            continue;
        };
        if matches!(&*name, "format" | "view" | "tab") || value.is_empty() {
            continue;
        }
        let parameter = find(&name).unwrap_or_else(|| panic!("no parameter {name}"));
        let parsed = parameter.parse(&value, &LIMITS);
        assert!(parsed.is_ok(), "{name}={value}");
        count += 1;
    }
    assert!(count > 25, "{count}");
}

#[test]
fn every_parameter_is_a_field_or_kept() {
    for parameter in parameters().filter(|parameter| parameter.belongs_to(Output::Picture)) {
        let name = parameter.name;
        // These change no picture.
        if ["default", "v"].contains(&name) {
            continue;
        }
        let view = View::ALL
            .iter()
            .find(|view| parameter.affects(**view))
            .unwrap();
        // Some parameters only change a pose that moves, or an outline.
        let query = format!(
            "player=a&view={view}&pose=walk&outline=123456&{name}={}",
            parameter.example
        );
        let html = assert_shows(&query, &[&format!(" name=\"{name}\"")]);
        let is_hidden = html.contains(&format!("type=\"hidden\" name=\"{name}\""));
        assert_eq!(
            is_hidden,
            matches!(parameter.control, Control::Hidden),
            "{name}"
        );
    }
}

#[test]
fn what_contradicts_another_choice_is_ignored_with_a_note() {
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
    for (query, note, picture) in rows {
        assert_shows(query, &[note, picture]);
    }
    assert_shows(
        "player=a&light-from=-60,40&crop=head",
        &["?size=192&amp;crop=head&amp;light-from=-60,40<"],
    );
}

#[test]
fn a_value_that_is_not_listed_stays_chosen() {
    let query = "player=a&background=123456&pose=sit&light=game&format=svg";
    let parts = [
        "<option value=\"123456\" selected>123456</option>",
        "name=\"pose\" value=\"sit\" checked>",
        "name=\"light\" value=\"game\" checked>",
        "<option value=\"svg\" selected>SVG</option>",
        "data-views=\"figure portrait cube\"",
    ];
    // View, pose, light, and the tab of the code.
    let html = assert_shows(query, &parts);
    assert_eq!(html.matches(" checked>").count(), 4);
}

#[test]
fn input_is_escaped_in_each_syntax() {
    let url = "/v1/face/%5B%22a%5C%5D?size=8&amp;overlay=false";
    let parts = [
        "alt=&quot;[&amp;quot;a\\]&quot; loading",
        "{&quot;title&quot;: &quot;[\\&quot;a\\\\]&quot;,",
        &format!("![\\[&quot;a\\\\\\]](http://skins.example.org{url})"),
    ];
    assert_shows("player=[%22a%5C]&view=head&size=8&overlay=false", &parts);
    let query = "player=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&background=%22%3E%3Cscript%3E";
    let player = "value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\"";
    let html = assert_shows(query, &[player]);
    assert!(!html.contains("><script>"), "{html}");
}

#[test]
fn no_picture_is_larger_than_the_operator_wants() {
    let small = Config {
        max_size: NonZeroU32::new(256),
        ..config()
    };
    let html = html("size=200", &found(), &small);
    assert!(html.contains("size=256 2x") && html.contains("max=\"256\""));
    assert!(!html.contains("size=400"));
}

#[test]
fn the_demo_lists_its_players() {
    let config = Config {
        demo: true,
        players: vec!["Gwendolin".to_owned(), ".Two Words".to_owned()],
        ..config()
    };
    let demo = html("size=64", &found(), &config);
    assert!(demo.contains("<a href=\"/?player=.Two%20Words&amp;size=64\">"));
    assert!(demo.contains("src=\"/v1/figure/Gwendolin?size=64\""));
    assert!(!demo.contains("looks otherwise"));
    let other = html("player=Notch", &found(), &config);
    assert!(other.contains("only its own players: the real Notch looks otherwise."));
    let missing = missing("No Java player is named Nobody.", Some(".Nobody"));
    let missing = html("player=Nobody", &missing, &config);
    assert!(
        missing.contains(">This demo knows only its own players. No Java player is named Nobody.")
    );
    assert!(!assert_shows("", &[]).contains("demo"));
}
