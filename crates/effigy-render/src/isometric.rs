//! Isometric views: which parts are seen on which canvas.

mod bsp;
mod canvas;
mod coverage;
mod face;
mod figure;
mod horizontal_filter;
mod kernel;
mod projection;
mod runs;
pub(crate) mod strips;
mod texel_edges;
mod vertical_filter;

use crate::isometric::figure::Figure;
use crate::isometric::strips::Isometric;
use crate::model::{PAINT_ORDER, Part};
use crate::picture::{Drawing, Render, dimensions};
use crate::view::{Facing, Layers, View};
use crate::{RenderError, Size, Skin};

/// The head seen from an upper corner: `size` x `size` pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IsometricHead {
    /// Width and height.
    pub size: Size,
    /// Which way the player looks.
    pub facing: Facing,
    /// Whether the overlay is drawn. The picture has room for it either way.
    pub layers: Layers,
}

/// The whole figure seen from an upper corner: `size` pixels wide and `round(size * 2.04)` high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IsometricBody {
    /// Width.
    pub size: Size,
    /// Which way the player looks.
    pub facing: Facing,
    /// Whether the overlay is drawn. The picture has room for it either way.
    pub layers: Layers,
}

static HEAD: Figure = Figure::new(&[Part::Head], [2175, 2175]);

static BODY: Figure = Figure::new(&PAINT_ORDER, [2500, 5100]);

impl View for IsometricHead {
    fn width(&self) -> u32 {
        self.size.get()
    }

    fn height(&self) -> u64 {
        u64::from(self.size.get())
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        draw(self, &HEAD, (self.facing, self.layers), skin)
    }
}

impl View for IsometricBody {
    fn width(&self) -> u32 {
        self.size.get()
    }

    /// Spec, "Render details": round(size * 2.04), in whole numbers.
    fn height(&self) -> u64 {
        (u64::from(self.size.get()) * 204 + 50) / 100
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        draw(self, &BODY, (self.facing, self.layers), skin)
    }
}

fn draw<'skin>(
    view: &dyn View,
    figure: &'static Figure,
    (facing, layers): (Facing, Layers),
    skin: &'skin Skin,
) -> Result<Render<'skin>, RenderError> {
    let [width, height] = dimensions(view)?;
    let drawing = Isometric {
        figure,
        side: side(width),
        skin,
        facing,
        layers,
        width,
        height,
    };
    Ok(Render::new([width, height], Drawing::Isometric(drawing)))
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
