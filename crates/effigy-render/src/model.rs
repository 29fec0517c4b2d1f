//! The geometry of a player: the boxes of its parts and the regions of the skin that cover them.

mod parts;

pub(crate) use effigy_player::Model;
use effigy_player::word_enum;
pub(crate) use parts::{BODY_PARTS, Cuboid, Face, Layer, Part, Region};

word_enum! {
    /// The layers of a skin that are drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Layers {
        /// The body alone.
        Base = "base",
        /// The body with the hat, jacket, sleeves and trousers over it.
        #[default]
        WithOverlay = "overlay",
    }
}
