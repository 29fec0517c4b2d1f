//! PlayerDB's URLs: `/api/player/minecraft/<player>`, which answers in JSON.

use crate::routes::{
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm},
};

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str]) -> Parsed<Operation> {
    let [words @ .., player] = path else {
        return Err(Rejection::NOT_FOUND);
    };
    if !words.join("/").eq_ignore_ascii_case("api/player/minecraft") {
        return Err(Rejection::NOT_FOUND);
    }
    Ok(Operation::profile(ProfileForm::PlayerDb, player))
}
