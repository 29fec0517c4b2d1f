//! Rejections of unknown parameters, which suggest the right one.

use effigy_parameters::{MOVING, Output, Synonym, find_synonym, parameters};

use super::rejection::Rejection;

/// The message for a preview or a picture of a texture that should move.
pub(super) const STILL: &str =
    "Previews and pictures of textures don't move; figures, portraits and cubes of players do";

/// The least similarity of a name that is suggested, from 0 to 1. clap suggests options by the same
/// threshold.
const MIN_SIMILARITY: f64 = 0.7;

/// The number of characters that are compared and repeated of a name that anybody may have sent.
const MAX_CHARS: usize = 40;

/// Returns the rejection of a parameter that an output does not have. An output of `None` has no
/// parameters.
pub(super) fn unknown_parameter(name: &str, output: Option<Output>) -> Rejection {
    let name = cut(name);
    let hint = hint(&name, output);
    Rejection::bad_request(format!("Unknown parameter \"{name}\". {hint}"))
}

/// Returns the beginning of a text that anybody may have sent.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(MAX_CHARS).collect()
}

fn hint(name: &str, output: Option<Output>) -> String {
    let Some(output) = output else {
        return "This path has no parameters".to_owned();
    };
    let known = names(output);
    match meaning(name, &known) {
        Some(Synonym::Parameter(meant)) => format!("Did you mean \"{meant}\"?"),
        Some(Synonym::Explained(MOVING)) if output == Output::Texture => STILL.to_owned(),
        Some(Synonym::Explained(sentence)) => sentence.to_owned(),
        None => format!("The parameters are: {}", known.join(", ")),
    }
}

/// Returns the names of the parameters of an output.
fn names(output: Output) -> Vec<&'static str> {
    parameters()
        .filter(|parameter| parameter.belongs_to(output))
        .map(|parameter| parameter.name)
        .collect()
}

/// Returns the meaning of an unknown name that is a word of other services, or a misspelling.
fn meaning(name: &str, known: &[&'static str]) -> Option<Synonym> {
    let synonym = find_synonym(name, |candidate| known.contains(&candidate));
    if synonym.is_some() {
        return synonym;
    }
    most_similar(name, known).map(Synonym::Parameter)
}

/// Returns the known name that is most similar to a misspelled one, if any is similar enough.
fn most_similar(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let lowercase = name.to_lowercase();
    let mut most_similar = None;
    let mut most = MIN_SIMILARITY;
    for candidate in known {
        let similarity = strsim::jaro(&lowercase, candidate);
        // A single letter is similar to all words that begin with it.
        if candidate.len() > 1 && similarity > most {
            most_similar = Some(*candidate);
            most = similarity;
        }
    }
    most_similar
}
