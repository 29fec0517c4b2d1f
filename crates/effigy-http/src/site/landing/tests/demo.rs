//! Tests of the page of a demo.

use super::*;

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
