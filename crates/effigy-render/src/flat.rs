//! Flat views: the front faces of a player on a grid of texels, enlarged with hard edges.

mod compose;
pub(crate) mod grid;
pub(crate) mod layout;
#[cfg(feature = "compose")]
pub(crate) mod skia_canvas;
