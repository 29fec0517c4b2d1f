//! Rejections of unknown parameters, which suggest the right one.

use effigy_parameters::{MOVING, Output, Synonym, find_meaning, hint, parameters};

use super::rejection::Rejection;

/// The message for a preview or a picture of a texture that should move.
pub(super) const STILL: &str =
    "Previews and pictures of textures don't move; figures, portraits and cubes of players do";

/// The number of characters of an unknown name that are compared and repeated in a message.
const MAX_CHARS: usize = 40;

/// Returns the rejection of a parameter that an output does not have. An output of `None` has no
/// parameters.
pub(super) fn unknown_parameter(name: &str, output: Option<Output>) -> Rejection {
    let name = cut(name);
    let help = help_with(&name, output);
    Rejection::bad_request(format!("Unknown parameter \"{name}\". {help}"))
}

/// Returns the beginning of a text that anybody may have sent.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(MAX_CHARS).collect()
}

fn help_with(name: &str, output: Option<Output>) -> String {
    let Some(output) = output else {
        return "This path has no parameters".to_owned();
    };
    let known = names(output);
    let meaning = find_meaning(name, &known);
    if meaning == Some(Synonym::Explained(MOVING)) && output == Output::Texture {
        return STILL.to_owned();
    }
    hint(meaning, &known)
}

/// Returns the names of the parameters of an output.
fn names(output: Output) -> Vec<&'static str> {
    parameters()
        .filter(|parameter| parameter.belongs_to(output))
        .map(|parameter| parameter.name)
        .collect()
}
