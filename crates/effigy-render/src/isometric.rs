//! Isometric views.
//!
//! `strips` is the pipeline. The modules in the order of the data: `figure` (with `fragment` and
//! `bsp`), `projection`, `face` (with `texel_edges` and `runs`), `canvas` (with `coverage`),
//! `vertical_filter`, `horizontal_filter` (both with `kernel`). `docs/projection.md` explains them.

mod bsp;
mod canvas;
mod coverage;
mod face;
pub(crate) mod figure;
mod fragment;
mod horizontal_filter;
mod kernel;
mod projection;
mod runs;
pub(crate) mod strips;
mod texel_edges;
mod vertical_filter;

use crate::Skin;
use crate::isometric::figure::Figure;
use crate::isometric::strips::IsometricDrawing;
use crate::model::{PAINT_ORDER, Part};
use crate::view::{Facing, Layers};

pub(crate) static HEAD: Figure = Figure::new(&[Part::Head], [2175, 2175]);

pub(crate) static BODY: Figure = Figure::new(&PAINT_ORDER, [2500, 5100]);

impl Figure {
    /// Returns a drawing of the figure that is computed when its strips are taken.
    pub(crate) fn drawing<'skin>(
        &'static self,
        skin: &'skin Skin,
        [width, height]: [u32; 2],
        facing: Facing,
        layers: Layers,
    ) -> IsometricDrawing<'skin> {
        IsometricDrawing {
            figure: self,
            side: canvas_side(width),
            skin,
            facing,
            layers,
            width,
            height,
        }
    }
}

/// Returns the side of the working canvas for a picture of this width. Specification, "Render
/// details": 60, doubled until it reaches the width, with a minimum.
fn canvas_side(width: u32) -> u64 {
    let mut side = MIN_SIDE;
    while side < u64::from(width) {
        side *= 2;
    }
    side
}

/// The specification's minimum is 120. On such a canvas, small pictures lose about 10 dB; see
/// `docs/projection.md`.
const MIN_SIDE: u64 = 240;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides() {
        let table = [
            (1, 240),
            (120, 240),
            (240, 240),
            (241, 480),
            (512, 960),
            (961, 1920),
        ];
        for (width, expected) in table {
            assert_eq!(canvas_side(width), expected, "{width}");
        }
    }
}
