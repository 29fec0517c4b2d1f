//! Suggestions for names that no parameter has.

use crate::Synonym;
use crate::synonyms::find_synonym;

/// The similarity above which a name is suggested, from 0 to 1. clap has the same threshold.
const SIMILAR: f64 = 0.7;

/// Finds what an unknown name means: a known parameter, of which it is a synonym or a misspelling,
/// or an explanation of what to use instead. The comparison takes time, so cut a name that a
/// stranger sent.
#[must_use]
pub fn find_meaning(name: &str, known: &[&'static str]) -> Option<Synonym> {
    let synonym = find_synonym(name, |candidate| known.contains(&candidate));
    synonym.or_else(|| most_similar(name, known).map(Synonym::Parameter))
}

/// Returns a sentence that helps with an unknown name of this meaning: a suggestion, or all known
/// names.
#[must_use]
pub fn hint(meaning: Option<Synonym>, known: &[&'static str]) -> String {
    match meaning {
        Some(Synonym::Parameter(meant)) => format!("Did you mean \"{meant}\"?"),
        Some(Synonym::Explained(sentence)) => sentence.to_owned(),
        None => format!("The parameters are: {}", known.join(", ")),
    }
}

/// Returns the known name that is most similar, if one is similar.
fn most_similar(name: &str, known: &[&'static str]) -> Option<&'static str> {
    // A single letter is similar to all words that begin with it.
    if name.chars().count() == 1 {
        return None;
    }
    let lowercase = name.to_lowercase();
    let mut most = None;
    let mut similarity = SIMILAR;
    for candidate in known {
        let score = strsim::jaro(&lowercase, candidate);
        if candidate.len() > 1 && score > similarity {
            most = Some(*candidate);
            similarity = score;
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["size", "yaw", "pose", "v"];

    #[test]
    fn habits_come_before_misspellings() {
        let rows = [
            ("width", Some(Synonym::Parameter("size"))),
            ("psoe", Some(Synonym::Parameter("pose"))),
            ("POSES", Some(Synonym::Parameter("pose"))),
            ("vvv", None),
            ("y", None),
            ("colour", None),
        ];
        for (name, meaning) in rows {
            assert_eq!(find_meaning(name, &KNOWN), meaning, "{name}");
        }
    }

    #[test]
    fn hints_suggest_a_name_or_list_all() {
        let rows = [
            ("psoe", "Did you mean \"pose\"?"),
            (
                "transparent",
                "Pictures without a \"background\" are transparent",
            ),
            ("colour", "The parameters are: size, yaw, pose, v"),
        ];
        for (name, sentence) in rows {
            assert_eq!(hint(find_meaning(name, &KNOWN), &KNOWN), sentence);
        }
    }
}
