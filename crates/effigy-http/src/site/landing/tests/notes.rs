//! Tests of values that are ignored, and of the note that says so.

use super::*;

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
