//! Tips in messages about words that the command line doesn't have.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use effigy_parameters::{Synonym, find_synonym};

use crate::render::find_picture;

/// Adds a tip to the error of a command if people may mean something else by its word.
pub(crate) fn with_tip(mut error: Error, command: &Command) -> Error {
    let tip = match error.kind() {
        ErrorKind::UnknownArgument if command.get_name() == "render" => option_tip(&error, command),
        ErrorKind::InvalidValue => view_tip(&error),
        ErrorKind::InvalidSubcommand => subcommand_tip(&error),
        _ => None,
    };
    let Some(tip) = tip else {
        return error;
    };
    // The tips of clap are about the most similar word.
    for kind in [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
        ContextKind::SuggestedSubcommand,
        ContextKind::Usage,
    ] {
        error.remove(kind);
    }
    let tip = ContextValue::StyledStrs(vec![tip.into()]);
    error.insert(ContextKind::Suggested, tip);
    error
}

/// Returns the tip for an unknown option of `render`.
fn option_tip(error: &Error, command: &Command) -> Option<String> {
    let flags: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
    let option = context(error, ContextKind::InvalidArg);
    let synonym = find_synonym(option.trim_start_matches('-'), |name| flags.contains(&name))?;
    Some(match synonym {
        Synonym::Parameter(name) => format!("the argument is --{name}"),
        Synonym::Explained(sentence) => sentence.to_owned(),
    })
}

/// Returns the tip for an unknown view of `render`.
fn view_tip(error: &Error) -> Option<String> {
    if context(error, ContextKind::InvalidArg) != "<VIEW>" {
        return None;
    }
    let word = context(error, ContextKind::InvalidValue);
    let is_similar = error.get(ContextKind::SuggestedValue).is_some();
    picture_tip(&word, is_similar)
}

/// Returns the tip for an unknown command, which may be a view or a skin.
fn subcommand_tip(error: &Error) -> Option<String> {
    let word = context(error, ContextKind::InvalidSubcommand);
    let is_similar = error.get(ContextKind::SuggestedSubcommand).is_some();
    picture_tip(&word, is_similar)
}

/// Returns the command that draws a view or a skin. A word that is similar to a known one is no
/// skin, but a misspelling.
fn picture_tip(word: &str, is_similar: bool) -> Option<String> {
    if let Some(view) = find_picture(word) {
        return Some(format!("pictures are drawn by: effigy render {view}"));
    }
    if is_similar {
        return None;
    }
    Some(format!(
        "pictures are drawn by: effigy render figure {word}"
    ))
}

fn context(error: &Error, kind: ContextKind) -> String {
    let value = error.get(kind);
    value.map(ToString::to_string).unwrap_or_default()
}
