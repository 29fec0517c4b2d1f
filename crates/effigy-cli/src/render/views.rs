//! The words for pictures on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser};
use effigy_parameters::{Output, find_meant_view};
use effigy_render::View;

/// A kind of picture on the command line.
pub(super) struct ViewWords {
    /// The words for the picture. The help shows only the first one.
    words: &'static [&'static str],
    /// The view of each player, or `None` for the unchanged texture and the cape.
    pub(super) view: Option<View>,
    help: &'static str,
}

/// The number of views of one player, which come first.
const SINGLE: usize = 9;

#[rustfmt::skip]
const VIEWS: [ViewWords; 13] = [
    ViewWords { words: &["face", "head"], view: Some(View::Face), help: "The face" },
    ViewWords { words: &["body", "player"], view: Some(View::Body), help: "The flat body" },
    ViewWords { words: &["bust"], view: Some(View::Bust), help: "The flat head and chest" },
    ViewWords { words: &["combo"], view: Some(View::Combo), help: "The face next to the flat body" },
    ViewWords { words: &["isohead", "ioshead"], view: Some(View::IsometricHead), help: "The isometric head" },
    ViewWords { words: &["isobody", "avatar", "iosbody"], view: Some(View::IsometricBody), help: "The isometric body" },
    ViewWords { words: &["figure"], view: Some(View::Figure), help: "The whole player, from any side and in any pose" },
    ViewWords { words: &["portrait"], view: Some(View::Portrait), help: "The head and chest, from any side and in any pose" },
    ViewWords { words: &["cube"], view: Some(View::Cube), help: "The head, from any side" },
    ViewWords { words: &["group"], view: Some(View::Figure), help: "The figures of all players side by side, in one picture" },
    ViewWords { words: &["sheet"], view: Some(View::Face), help: "The faces of all players in rows, in one picture" },
    ViewWords { words: &["skin"], view: None, help: "The unchanged texture" },
    ViewWords { words: &["cape"], view: None, help: "The outer side of a cape, from a file or of a player" },
];

/// Finds the picture of a word.
pub(super) fn find_row(word: &str) -> Option<&'static ViewWords> {
    VIEWS.iter().find(|row| row.words.contains(&word))
}

/// Returns the first word of the picture that a word names, or that people mean by it.
pub(crate) fn find_picture(word: &str) -> Option<&'static str> {
    if let Some(row) = find_row(word) {
        return Some(row.words[0]);
    }
    find_meant_view(word).map(View::as_str)
}

/// Returns the words of all pictures.
pub(super) fn all_words() -> PossibleValuesParser {
    words_of(&VIEWS)
}

/// Returns the words of the pictures of one player.
pub(super) fn words_of_one_player() -> PossibleValuesParser {
    words_of(&VIEWS[..SINGLE])
}

/// Returns the output of a word. The picture of a view that can move counts as moving.
pub(super) fn output_of(word: &str) -> Output {
    let view = find_row(word).and_then(|row| row.view);
    match word {
        "group" => Output::Group,
        "sheet" => Output::Sheet,
        "cape" => Output::Cape,
        "skin" => Output::Skin,
        _ if view.is_some_and(View::is_free) => Output::Moving,
        _ => Output::Picture,
    }
}

fn words_of(rows: &'static [ViewWords]) -> PossibleValuesParser {
    PossibleValuesParser::new(rows.iter().map(|row| {
        let value = PossibleValue::new(row.words[0]).help(row.help);
        value.aliases(&row.words[1..])
    }))
}
