//! Isometric views: which parts are seen on which canvas.

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
use crate::isometric::strips::Isometric;
use crate::model::{PAINT_ORDER, Part};
use crate::view::{Facing, Layers};

pub(crate) static HEAD: Figure = Figure::new(&[Part::Head], [2175, 2175]);

pub(crate) static BODY: Figure = Figure::new(&PAINT_ORDER, [2500, 5100]);

impl Figure {
    /// A drawing of the figure that is made when its strips are taken.
    pub(crate) fn drawing<'skin>(
        &'static self,
        skin: &'skin Skin,
        [width, height]: [u32; 2],
        facing: Facing,
        layers: Layers,
    ) -> Isometric<'skin> {
        Isometric {
            figure: self,
            side: side(width),
            skin,
            facing,
            layers,
            width,
            height,
        }
    }
}

/// The working canvas' side for a picture of this width. Spec, "Render details": 60, doubled until it
/// reaches the size, with a minimum.
fn side(width: u32) -> u64 {
    let mut side = LEAST_SIDE;
    while side < u64::from(width) {
        side *= 2;
    }
    side
}

/// The specification's minimum is 120. The small pictures that people embed most lose about 10 dB
/// there; `docs/projection.md` has the figures.
const LEAST_SIDE: u64 = 240;

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
            assert_eq!(side(width), expected, "{width}");
        }
    }
}
