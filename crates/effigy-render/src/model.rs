//! The geometry of a player: the boxes of its parts and the regions of the skin that cover them.

mod layers;
mod parts;

pub(crate) use effigy_player::Model;
pub use layers::Layers;
pub(crate) use parts::{BODY_PARTS, Cuboid, Face, Layer, Part, Region};
