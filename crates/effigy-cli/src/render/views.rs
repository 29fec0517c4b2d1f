//! The words for pictures on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser};
use effigy_parameters::{Output, find_meant_view};
use effigy_render::{Filter, View};

/// A kind of picture on the command line.
pub(super) struct ViewWords {
    /// The words for the picture. The help shows only the first one. The others are the words of
    /// the compatibility paths, which have [`PathDefaults`].
    words: &'static [&'static str],
    /// The view of each player, or `None` for the unchanged texture and the cape.
    pub(super) view: Option<View>,
    help: &'static str,
}

/// Defaults of a word of the compatibility paths, which draws what its path draws.
pub(super) struct PathDefaults {
    word: &'static str,
    /// Parameters with their values.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// The size of a single picture. Players on a sheet have the size of any view.
    pub(super) size: Option<&'static str>,
    /// The filter, if it isn't the one of the view. No option sets it.
    pub(super) filter: Option<Filter>,
}

/// The views of one player, which `--view` chooses for each player of a sheet, too.
#[rustfmt::skip]
const VIEWS: &[ViewWords] = &[
    ViewWords { words: &["face", "head"], view: Some(View::Face), help: "The face" },
    ViewWords { words: &["body", "player"], view: Some(View::Body), help: "The flat body" },
    ViewWords { words: &["body-back"], view: Some(View::BodyBack), help: "The flat body from behind" },
    ViewWords { words: &["body-left"], view: Some(View::BodyLeft), help: "The flat body from the player's left" },
    ViewWords { words: &["body-right"], view: Some(View::BodyRight), help: "The flat body from the player's right" },
    ViewWords { words: &["bust"], view: Some(View::Bust), help: "The flat head and chest" },
    ViewWords { words: &["combo"], view: Some(View::Combo), help: "The face next to the flat body" },
    ViewWords { words: &["isohead", "ioshead"], view: Some(View::IsometricHead), help: "The isometric head" },
    ViewWords { words: &["isobody", "avatar", "iosbody"], view: Some(View::IsometricBody), help: "The isometric body" },
    ViewWords { words: &["figure"], view: Some(View::Figure), help: "The whole player, from any side and in any pose" },
    ViewWords { words: &["portrait"], view: Some(View::Portrait), help: "The head and chest, from any side and in any pose" },
    ViewWords { words: &["cube"], view: Some(View::Cube), help: "The head, from any side" },
    ViewWords { words: &["layout"], view: Some(View::Layout), help: "The texture as the game wears it" },
];

#[rustfmt::skip]
const OTHER_PICTURES: &[ViewWords] = &[
    ViewWords { words: &["group"], view: Some(View::Figure), help: "The figures of all players side by side, in one picture" },
    ViewWords { words: &["sheet"], view: Some(View::Face), help: "The faces of all players in rows, in one picture" },
    ViewWords { words: &["skin"], view: None, help: "The unchanged texture" },
    ViewWords { words: &["cape"], view: None, help: "The outer side of a cape, from a file or of a player" },
];

#[rustfmt::skip]
const PATH_DEFAULTS: &[PathDefaults] = &[
    PathDefaults { word: "head", parameters: &[("overlay", "false")], size: None, filter: None },
    PathDefaults { word: "player", parameters: &[("overlay", "false")], size: None, filter: None },
    PathDefaults { word: "avatar", parameters: &[("light", "none")], size: None, filter: Some(Filter::Lanczos3) },
    PathDefaults { word: "ioshead", parameters: &[("light", "none")], size: Some("64"), filter: Some(Filter::Lanczos3) },
    PathDefaults { word: "iosbody", parameters: &[("light", "none")], size: Some("64"), filter: Some(Filter::Lanczos3) },
];

/// Finds the picture of a word.
pub(super) fn find_row(word: &str) -> Option<&'static ViewWords> {
    rows().find(|row| row.words.contains(&word))
}

/// Finds the defaults of a word of the compatibility paths.
pub(super) fn find_path_defaults(word: &str) -> Option<&'static PathDefaults> {
    PATH_DEFAULTS.iter().find(|path| path.word == word)
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
    words_of(rows())
}

/// Returns the words of the views of one player.
pub(super) fn words_of_one_player() -> PossibleValuesParser {
    words_of(VIEWS.iter())
}

/// Returns the output that a word can have. If its view can move, that is [`Output::Moving`], even
/// if no option asks for a motion.
pub(super) fn possible_output_of(word: &str) -> Output {
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

fn rows() -> impl Iterator<Item = &'static ViewWords> {
    VIEWS.iter().chain(OTHER_PICTURES)
}

fn words_of(rows: impl Iterator<Item = &'static ViewWords>) -> PossibleValuesParser {
    PossibleValuesParser::new(rows.map(|row| {
        let value = PossibleValue::new(row.words[0]).help(row.help);
        value.aliases(&row.words[1..])
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::tests::parse;

    #[test]
    fn views_are_words_of_pictures_and_sheets_by_their_name() {
        for &view in View::ALL {
            let picture = parse(view.as_str());
            assert_eq!(picture.view(), Some(view), "{view}");
            let sheet = parse(&format!("sheet --view {view}"));
            assert_eq!(sheet.view(), Some(view), "{view}");
        }
    }

    #[test]
    fn path_defaults_belong_to_words_of_one_player() {
        for path in PATH_DEFAULTS {
            let mut rows = VIEWS.iter();
            assert!(
                rows.any(|row| row.words[1..].contains(&path.word)),
                "{}",
                path.word
            );
        }
    }
}
