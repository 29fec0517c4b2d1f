//! Flat views: the front faces of a player on a grid of texels, enlarged with hard edges.

pub(crate) mod grid;
pub(crate) mod pane;
