//! Tests of the landing page.

mod demo;
mod form;
mod notes;
mod players;
mod poses;
mod properties;
mod substitutes;
mod urls;

use std::num::NonZeroU32;

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

/// Returns the text of a snippet.
fn snippet<'a>(html: &'a str, name: &str) -> &'a str {
    let element = between(html, &format!("id=\"snippet-{name}\""), "</code>");
    let (_, text) = element.split_once('>').unwrap();
    text
}
