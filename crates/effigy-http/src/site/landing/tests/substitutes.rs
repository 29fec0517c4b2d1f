//! Tests of substitutes of missing players, and of textures that take the place of players.

use super::*;

#[test]
fn every_snippet_names_the_substitute() {
    let html = assert_shows("player=a&default=alex", &[]);
    for name in ["url", "html", "markdown", "bbcode", "discord"] {
        let text = snippet(&html, name);
        assert!(text.contains("default=alex"), "{name}: {text}");
    }
    let element = snippet(&html, "element");
    assert!(element.contains("default=&quot;alex&quot;"), "{element}");
}

#[test]
fn invalid_substitute_is_ignored_with_a_note() {
    let note = "Default must be a player, &quot;steve&quot;, &quot;alex&quot;, \
        &quot;default-skin&quot; or &quot;404&quot;; a/b is ignored.";
    let html = assert_shows("player=a&default=a/b", &[note]);
    assert!(!snippet(&html, "url").contains("default"));
}

#[test]
fn missing_substitute_is_ignored_with_a_note() {
    let query = Query::parse_lossy(Some("player=a&default=Noone"));
    let mut params = PageParams::parse(&query, &[]);
    assert_eq!(params.substitute(), Some("Noone"));
    params.ignore_substitute("No Java player is named Noone.");
    assert_eq!(params.substitute(), None);
    let note = "Noone cannot be shown instead: No Java player is named Noone.";
    assert_eq!(params.notes, [note]);
    assert!(!params.picture_url("").contains("default"));
}

#[test]
fn built_in_substitutes_are_not_looked_up() {
    for other in ["steve", "Alex", "MHF_Alex", "default-skin", "404"] {
        let query = format!("player=a&default={other}");
        let params = PageParams::parse(&Query::parse_lossy(Some(&query)), &[]);
        assert_eq!(params.substitute(), None, "{other}");
    }
}

#[test]
fn missing_player_with_a_substitute_has_pictures() {
    let missing = missing("No Java player is named a.", None);
    let html = html("player=a&default=steve", &missing, &config());
    let status = "The picture shows Steve instead of a. No Java player is named a.";
    assert!(html.contains(status), "{html}");
    assert!(html.contains("src=\"/v1/figure/a?size=192&amp;default=steve\""));
    assert!(html.contains("src=\"/v1/face/a?size=64&amp;default=steve\""));
}

#[test]
fn missing_player_may_be_shown_in_the_default_skin() {
    let missing = missing("No Java player is named a.", None);
    let html = html("player=a&default=default-skin", &missing, &config());
    let status = "The picture shows the default skin of a. No Java player is named a.";
    assert!(html.contains(status), "{html}");
    let chosen = "<option value=\"default-skin\" selected>The player's default skin</option>";
    assert!(html.contains(chosen), "{html}");
    assert!(html.contains("src=\"/v1/figure/a?size=192&amp;default=default-skin\""));
}

#[test]
fn missing_player_has_no_links_to_a_skin_and_a_profile() {
    let missing = missing("No Java player is named a.", None);
    let html = html("player=a&default=steve", &missing, &config());
    for link in ["skin-file", "profile"] {
        let tag = between(&html, &format!("<a id=\"{link}\""), ">");
        assert!(tag.ends_with(" hidden"), "{link}");
    }
}

#[test]
fn missing_player_leaves_the_choices_without_pictures() {
    let missing = missing("No Java player is named a.", None);
    let html = html("player=a", &missing, &config());
    let (_, choices) = html.split_once("id=\"choices\"").unwrap();
    let (tag, _) = choices.split_once('>').unwrap();
    assert!(!tag.contains("hidden"));
    assert!(!choices.contains("src=\"/v1/"));
}

#[test]
fn texture_is_downloaded_by_its_hash() {
    let subject = json!({ "found": { "edition": "texture" } });
    let html = html("player=abc123", &subject, &config());
    assert!(html.contains("Showing the texture abc123."), "{html}");
    assert!(html.contains("href=\"/v1/texture/abc123\">Download the skin"));
}
