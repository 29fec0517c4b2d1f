//! Who is shown instead of a missing player, and textures in place of players.

use super::*;

/// Returns the text of a snippet.
fn snippet<'a>(html: &'a str, name: &str) -> &'a str {
    let (_, rest) = html.split_once(&format!("id=\"snippet-{name}\"")).unwrap();
    let (_, text) = rest.split_once('>').unwrap();
    text.split("</code>").next().unwrap()
}

#[test]
fn every_snippet_names_the_substitute() {
    let html = assert_shows("player=a&default=alex", &[]);
    for name in ["url", "html", "markdown", "bbcode", "discord"] {
        let text = snippet(&html, name);
        assert!(text.contains("default=alex"), "{name}: {text}");
    }
    let element = snippet(&html, "element");
    assert!(
        element.contains("default=&quot;alex&quot;") || element.contains("default=\"alex\""),
        "{element}"
    );
}

#[test]
fn a_substitute_who_is_no_player_is_told() {
    let note = "Default must be a player, &quot;steve&quot;, &quot;alex&quot; or &quot;404&quot;; \
        a/b is ignored.";
    let html = assert_shows("player=a&default=a/b", &[note]);
    assert!(!snippet(&html, "url").contains("default"));
}

#[test]
fn a_missing_player_with_a_substitute_has_pictures() {
    let missing = missing("No Java player is named a.", None);
    let html = html("player=a&default=steve", &missing, &config());
    let status = "The picture shows Steve instead of a. No Java player is named a.";
    assert!(html.contains(status), "{html}");
    assert!(html.contains("src=\"/v1/figure/a?size=192&amp;default=steve\""));
    assert!(html.contains("src=\"/v1/face/a?size=64&amp;default=steve\""));
    // The player has neither a skin nor a profile.
    for link in ["skin-file", "profile"] {
        let (_, tag) = html.split_once(&format!("<a id=\"{link}\"")).unwrap();
        assert!(
            tag.split('>').next().unwrap().ends_with(" hidden"),
            "{link}"
        );
    }
}

#[test]
fn a_missing_player_leaves_the_choices() {
    let missing = missing("No Java player is named a.", None);
    let html = html("player=a", &missing, &config());
    let (_, choices) = html.split_once("id=\"choices\"").unwrap();
    assert!(!choices.split('>').next().unwrap().contains("hidden"));
    assert!(!choices.contains("src=\"/v1/"), "there is nobody to draw");
}

#[test]
fn a_texture_is_downloaded_by_its_hash() {
    let subject = json!({ "found": { "edition": "texture" } });
    let html = html("player=abc123", &subject, &config());
    assert!(html.contains("Showing the texture abc123."), "{html}");
    assert!(html.contains("href=\"/v1/texture/abc123\">Download the skin"));
}
