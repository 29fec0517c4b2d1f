//! What is drawn on which canvas, and its patches, which are found once.

use std::sync::OnceLock;

use crate::isometric::bsp::{self, Patch};
use crate::model::{Model, Part};
use crate::view::{Aspect, Layers};

/// Some parts of a player and the canvas that they stand on.
pub(crate) struct Figure {
    pub(crate) parts: &'static [Part],
    /// Canvas width and height in thousandths of the side. Spec, "Render details".
    pub(crate) canvas: [u64; 2],
    /// The patches of each model, choice of layers and aspect: they are the same for every skin.
    known: [[[OnceLock<Vec<Patch>>; 2]; 2]; 2],
}

impl Figure {
    pub(crate) const fn new(parts: &'static [Part], canvas: [u64; 2]) -> Figure {
        Figure {
            parts,
            canvas,
            known: [const { [const { [const { OnceLock::new() }; 2] }; 2] }; 2],
        }
    }

    /// The patches in painting order, back to front.
    pub(crate) fn patches(&self, model: Model, layers: Layers, aspect: Aspect) -> &[Patch] {
        let known = &self.known[model as usize][layers as usize][aspect as usize];
        known.get_or_init(|| bsp::patches(self.parts, model, layers, aspect))
    }
}
