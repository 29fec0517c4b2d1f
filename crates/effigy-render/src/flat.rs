//! Flat views: the front faces of a player on a grid of texels, enlarged with hard edges.

use crate::parts::{Face, PAINT_ORDER, Part};
use crate::render::{Grid, Render, height_of};
use crate::view::{Layers, View};
use crate::{RenderError, Size, Skin};

/// The face: `size` x `size` pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Head {
    /// Width and height.
    pub size: Size,
    /// Whether the hat is drawn.
    pub layers: Layers,
}

/// The whole figure from the front: `size` pixels wide and twice as high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Body {
    /// Width.
    pub size: Size,
    /// Whether the overlays are drawn.
    pub layers: Layers,
}

/// The window of the 16 x 32 grid of the figure that a view shows, in texels.
struct Window {
    parts: &'static [Part],
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

const HEAD: Window = Window {
    parts: &[Part::Head],
    x: 4,
    y: 0,
    width: 8,
    height: 8,
};

const BODY: Window = Window {
    parts: &PAINT_ORDER,
    x: 0,
    y: 0,
    width: 16,
    height: 32,
};

impl View for Head {
    fn width(&self) -> u32 {
        self.size.get()
    }

    fn height(&self) -> u64 {
        u64::from(self.size.get())
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        let grid = HEAD.grid(skin, self.layers);
        Ok(Render::from_grid(self.width(), height_of(self)?, grid))
    }
}

impl View for Body {
    fn width(&self) -> u32 {
        self.size.get()
    }

    fn height(&self) -> u64 {
        u64::from(self.size.get()) * 2
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        let height = height_of(self)?;
        let grid = BODY.grid(skin, self.layers);
        Ok(Render::from_grid(self.width(), height, grid))
    }
}

impl Window {
    /// The front faces in the window, one texel of the skin each.
    fn grid(&self, skin: &Skin, layers: Layers) -> Grid {
        let scale = skin.scale();
        let mut grid = Grid::new(self.width * scale, self.height * scale);
        for part in self.parts {
            let cuboid = part.cuboid(skin.model());
            for &layer in layers.drawn() {
                let region = cuboid.region(layer, Face::Front);
                let [left, top] = [cuboid.position[0] - self.x, cuboid.position[1] - self.y];
                for y in 0..region.height * scale {
                    for x in 0..region.width * scale {
                        let texel = skin.texel(region.x * scale + x, region.y * scale + y);
                        grid.paint(left * scale + x, top * scale + y, texel);
                    }
                }
            }
        }
        grid
    }
}
