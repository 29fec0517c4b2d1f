//! The URLs of Ashcon's API: `/mojang/v2/user/<player>` in JSON, and `/mojang/v2/uuid/<player>` in
//! plain text.

use crate::routes::{
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm},
};

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str]) -> Parsed<Operation> {
    let [words @ .., player] = path else {
        return Err(Rejection::NOT_FOUND);
    };
    let form = match &*words.join("/").to_ascii_lowercase() {
        "mojang/v2/user" => ProfileForm::Ashcon,
        "mojang/v2/uuid" => ProfileForm::DashedUuid,
        _ => return Err(Rejection::NOT_FOUND),
    };
    Ok(Operation::profile(form, player))
}
