//! Players: from a name or a hash to the skin and the look that a picture shows.

mod appearance;
mod look_up;

pub use appearance::PlayerSkin;
pub(crate) use appearance::{Appearance, Appearances};
pub(crate) use look_up::{LookUp, SkinId, fallback_skin};
