//! Words that people type instead of the words of parameters and views, out of habit or because
//! other services have them. The synonyms of a parameter's name are in the table.

use effigy_render::View;

use crate::parameters;

/// The meaning of a word that is not a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synonym {
    /// The parameter of this name.
    Parameter(&'static str),
    /// Not a parameter, with a sentence about what to use instead.
    Explained(&'static str),
}

use Synonym::{Explained, Parameter};

const FORMAT: &str = "The format is the extension: \".png\", \".svg\", and \".apng\" or \".gif\" \
    for figures, portraits and cubes that move";
/// The explanation for words that ask for a moving picture.
pub const MOVING: &str = "Only figures, portraits and cubes move, and end in \".apng\" or \".gif\"";
const BACK: &str = "The back is a \"facing\" of \"back-left\" or \"back-right\" in isometric \
    views, and a \"yaw\" of 180 in figures, portraits and cubes";
const FLIP: &str = "\"facing\" mirrors isometric views, and \"upside-down\" turns all views over \
    that are not flat";
const TRANSPARENT: &str = "Pictures without a \"background\" are transparent";

/// The words that people type for options that are not parameters.
#[rustfmt::skip]
const OPTIONS: [(&str, &str); 2] = [
    ("no-hat nohat no-helm nohelm no-helmet no-layer", "no-overlay"),
    ("fallback default", "allow-fallback"),
];

/// The words that people type for something that is not a parameter, with an explanation.
#[rustfmt::skip]
const EXPLANATIONS: [(&str, &str); 5] = [
    ("format ext extension png gif apng", FORMAT),
    ("turn animate animated animation", MOVING),
    ("back behind", BACK),
    ("flip mirror", FLIP),
    ("transparent", TRANSPARENT),
];

/// The words of the specification for views.
const SPECIFIED: [(&str, View); 4] = [
    ("head", View::Face),
    ("player", View::Body),
    ("avatar iosbody", View::IsometricBody),
    ("ioshead", View::IsometricHead),
];

/// The words that people type for views.
#[rustfmt::skip]
const VIEWS: [(&str, View); 5] = [
    ("helm skull avatars headshot", View::Face),
    ("front", View::Bust),
    ("frontfull", View::Body),
    ("full fullbody full-body 3d render", View::Figure),
    ("iso isometric", View::IsometricBody),
];

/// Finds the meaning of a word, in any letter case, that is not the name of a parameter. It is a
/// parameter only if `is_known` is true for its name.
pub fn find_synonym(word: &str, is_known: impl Fn(&str) -> bool) -> Option<Synonym> {
    let options = OPTIONS.iter().copied();
    let parameters = parameters().map(|parameter| (parameter.synonyms, parameter.name));
    for (words, name) in options.chain(parameters) {
        if has(words, word) && is_known(name) {
            return Some(Parameter(name));
        }
    }
    let mut explanations = EXPLANATIONS.iter();
    let (_, sentence) = explanations.find(|(words, _)| has(words, word))?;
    Some(Explained(sentence))
}

/// Finds the view that a word names, in any letter case. The words of the specification count, too.
#[must_use]
pub fn find_view(word: &str) -> Option<View> {
    let lowercase = word.trim().to_ascii_lowercase();
    let view = lowercase.parse().ok();
    view.or_else(|| view_of(&SPECIFIED, &lowercase))
}

/// Finds the view that people or other services mean by a word, in any letter case.
#[must_use]
pub fn find_meant_view(word: &str) -> Option<View> {
    view_of(&VIEWS, word)
}

fn view_of(rows: &[(&str, View)], word: &str) -> Option<View> {
    let row = rows.iter().find(|(words, _)| has(words, word));
    row.map(|(_, view)| *view)
}

/// Returns `true` if a list of words, separated by spaces, has a word in any letter case.
pub(crate) fn has(words: &str, word: &str) -> bool {
    !word.is_empty()
        && words
            .split(' ')
            .any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_known_parameter_counts() {
        let rows = [
            ("width", &["size", "pitch"][..], Some(Parameter("size"))),
            ("NoHat", &["overlay"], Some(Parameter("overlay"))),
            (
                "nohat",
                &["overlay", "no-overlay"],
                Some(Parameter("no-overlay")),
            ),
            ("width", &[], None),
            ("Flip", &[], Some(Explained(FLIP))),
            ("", &["size"], None),
            ("w h", &["size"], None),
        ];
        for (word, known, expected) in rows {
            let found = find_synonym(word, |name| known.contains(&name));
            assert_eq!(found, expected, "{word}");
        }
    }

    #[test]
    fn whitespace_and_letter_case_of_views_do_not_matter() {
        for word in ["isobody", "IosBody", " avatar\t", "\u{a0}isobody\u{2003}"] {
            assert_eq!(find_view(word), Some(View::IsometricBody), "{word}");
        }
        for word in ["", "helm", "iso body"] {
            assert_eq!(find_view(word), None, "{word}");
        }
    }

    #[test]
    fn words_of_views_are_no_synonyms() {
        assert_eq!(find_meant_view("Helm"), Some(View::Face));
        for word in View::WORDS {
            assert_eq!(find_meant_view(word), None, "{word}");
        }
    }
}
