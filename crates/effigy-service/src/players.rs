//! Players: from an input to the profile, from that to the skin, and to all that a picture shows.

mod appearance;
mod fallback;
mod resolve;

pub(crate) use appearance::Appearance;
pub(crate) use resolve::{DecodedSkin, Player, Players};
