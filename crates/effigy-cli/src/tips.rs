//! Tips in messages about words that the command line does not have.

use clap::error::{ContextKind as Kind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use effigy_parameters::{Synonym, find_synonym};

use crate::render::find_picture;

/// Adds to an error of a command what its word means, if people type it for another one.
pub(crate) fn with_tip(mut error: Error, command: &Command) -> Error {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let tip = match error.kind() {
        ErrorKind::UnknownArgument if command.get_name() == "render" => {
            let flags: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
            let flag = text(Kind::InvalidArg);
            match find_synonym(flag.trim_start_matches('-'), |name| flags.contains(&name)) {
                Some(Synonym::Parameter(meant)) => format!("the argument is --{meant}"),
                Some(Synonym::Explained(sentence)) => sentence.to_owned(),
                None => return error,
            }
        }
        ErrorKind::InvalidValue if text(Kind::InvalidArg) != "<VIEW>" => return error,
        ErrorKind::InvalidValue | ErrorKind::InvalidSubcommand => {
            let word = [Kind::InvalidValue, Kind::InvalidSubcommand]
                .map(text)
                .concat();
            let mut similar = [Kind::SuggestedValue, Kind::SuggestedSubcommand].into_iter();
            match find_picture(&word) {
                Some(view) => format!("pictures are drawn by: effigy render {view}"),
                None if similar.any(|kind| error.get(kind).is_some()) => return error,
                None => format!("pictures are drawn by: effigy render figure {word}"),
            }
        }
        _ => return error,
    };
    // The others are about the word that is most similar.
    for kind in [
        Kind::SuggestedArg,
        Kind::SuggestedValue,
        Kind::SuggestedSubcommand,
        Kind::Usage,
    ] {
        error.remove(kind);
    }
    error.insert(Kind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}
