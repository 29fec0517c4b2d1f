//! Players: from a name or a hash to the skin and the look that a picture shows.

mod appearance;
mod look_up;
mod resolved_players;
mod skin;

pub(crate) use appearance::Appearance;
pub(crate) use look_up::{LookUp, SkinId, fallback_skin};
pub(crate) use resolved_players::ResolvedPlayers;
pub use skin::PlayerSkin;
