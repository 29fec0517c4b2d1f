//! Words that people type instead of those of parameters and views: habits, and the words of other services.

use effigy_render::View;

/// The meaning of a word that is no parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synonym {
    /// The parameter of this name.
    Parameter(&'static str),
    /// No parameter. The sentence says what has the effect instead.
    Explained(&'static str),
}

use Synonym::{Explained, Parameter};

const FORMAT: &str = "The format is the extension: \".png\", \".svg\", and \".apng\" or \".gif\" for figures, \
    portraits and cubes that move";
const MOVING: &str = "Only figures, portraits and cubes move, and end in \".apng\" or \".gif\"";
const BACK: &str = "The back is a \"facing\" of \"back-left\" or \"back-right\" in isometric views, and a \"yaw\" of \
    180 in figures, portraits and cubes";
const FLIP: &str = "\"facing\" mirrors isometric views, and \"upside-down\" turns figures, portraits and cubes over";
const TRANSPARENT: &str = "Pictures without a \"background\" are transparent";

/// The words that people type, and their meaning. Of several rows with a word, the first one counts whose parameter
/// exists.
#[rustfmt::skip]
const PARAMETERS: [(&str, Synonym); 20] = [
    ("width w height h s px pixels scale zoom resolution res", Parameter("size")),
    ("rotate rotation rot angle theta", Parameter("yaw")),
    ("tilt elevation", Parameter("pitch")),
    ("direction side", Parameter("facing")),
    ("no-hat nohat no-helm nohelm no-helmet no-layer", Parameter("no-overlay")),
    ("hat helm helmet layer layers nohat nohelm", Parameter("overlay")),
    ("bg bgcolor background-color color colour", Parameter("background")),
    ("margin border", Parameter("padding")),
    ("round rounded circle radius corners", Parameter("shape")),
    ("slim alex type", Parameter("model")),
    ("shading shade", Parameter("light")),
    ("fallback", Parameter("default")),
    ("fallback default", Parameter("allow-fallback")),
    ("_ t ts time timestamp cb cache version rand random", Parameter("v")),
    ("player name user users username uuid", Parameter("players")),
    ("format ext extension png gif apng", Explained(FORMAT)),
    ("turn animate animated animation", Explained(MOVING)),
    ("back behind", Explained(BACK)),
    ("flip mirror", Explained(FLIP)),
    ("transparent", Explained(TRANSPARENT)),
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

/// Finds the meaning of a word in any letter case that is no parameter, where some parameters are known.
pub fn find_synonym(word: &str, is_known: impl Fn(&str) -> bool) -> Option<Synonym> {
    let rows = PARAMETERS.iter().filter(|(words, _)| has(words, word));
    let mut meanings = rows.map(|(_, meaning)| *meaning);
    meanings.find(|meaning| match meaning {
        Parameter(name) => is_known(name),
        Explained(_) => true,
    })
}

/// Finds the view of a word in any letter case. Those of the specification are understood as well.
#[must_use]
pub fn find_view(word: &str) -> Option<View> {
    let word = word.trim().to_ascii_lowercase();
    word.parse().ok().or_else(|| view_of(&SPECIFIED, &word))
}

/// Finds the view of a word in any letter case that other services have for it, or people type.
#[must_use]
pub fn find_meant_view(word: &str) -> Option<View> {
    view_of(&VIEWS, word)
}

fn view_of(rows: &[(&str, View)], word: &str) -> Option<View> {
    let row = rows.iter().find(|(words, _)| has(words, word));
    row.map(|(_, view)| *view)
}

fn has(words: &str, word: &str) -> bool {
    let mut words = words.split(' ');
    words.any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_parameter_counts() {
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
    fn views_are_found_whatever_is_around_them() {
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
