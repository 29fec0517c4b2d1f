//! The player as boxes: the parts, where their textures lie on the skin, and which of them a view draws.

mod parts;

pub(crate) use effigy_player::Model;
pub(crate) use parts::{Cuboid, Face, Layer, PAINT_ORDER, Part, Region};
