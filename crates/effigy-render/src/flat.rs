//! Flat views: the front faces of a player on a grid of texels, enlarged with hard edges.

pub(crate) mod grid;
mod svg;

use std::ops::Range;

use crate::flat::grid::Grid;
use crate::model::{Face, PAINT_ORDER};
use crate::picture::{Drawing, Render, dimensions};
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

/// The upper half of the figure from the front, the head and as much below it: `size` x `size` pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bust {
    /// Width and height.
    pub size: Size,
    /// Whether the overlays are drawn.
    pub layers: Layers,
}

/// The face and, on its right, the whole figure from the front, both `size` pixels high. The picture is
/// half as wide again as it is high, less half a pixel where `size` is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combo {
    /// Height.
    pub size: Size,
    /// Whether the overlays are drawn.
    pub layers: Layers,
}

/// What a view shows where, on a grid of cells. On a skin of 64 texels a cell is one texel, and on
/// larger ones that many.
struct Layout {
    columns: i32,
    rows: i32,
    panes: &'static [Pane],
}

/// A rectangle of the 16 x 32 texels of the figure, from the top of the grid down.
struct Pane {
    x: Range<i32>,
    y: Range<i32>,
    /// The column of cells where the pane begins.
    left: i32,
    /// How many cells a texel is wide and high.
    cells: i32,
}

/// The whole figure, a cell a texel.
const FIGURE: Pane = Pane {
    x: 0..16,
    y: 0..32,
    left: 0,
    cells: 1,
};

const FACE: Pane = Pane {
    x: 4..12,
    y: 0..8,
    ..FIGURE
};

const HEAD: Layout = Layout {
    columns: 8,
    rows: 8,
    panes: &[FACE],
};

const BODY: Layout = Layout {
    columns: 16,
    rows: 32,
    panes: &[FIGURE],
};

const BUST: Layout = Layout {
    columns: 16,
    rows: 16,
    panes: &[Pane { y: 0..16, ..FIGURE }],
};

const COMBO: Layout = Layout {
    columns: 48,
    rows: 32,
    panes: &[Pane { cells: 4, ..FACE }, Pane { left: 32, ..FIGURE }],
};

impl View for Head {
    fn width(&self) -> u32 {
        self.size.get()
    }

    fn height(&self) -> u64 {
        u64::from(self.size.get())
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        HEAD.render(self, skin, self.layers)
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
        BODY.render(self, skin, self.layers)
    }
}

impl View for Bust {
    fn width(&self) -> u32 {
        self.size.get()
    }

    fn height(&self) -> u64 {
        u64::from(self.size.get())
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        BUST.render(self, skin, self.layers)
    }
}

impl View for Combo {
    /// `size * 3 / 2`, which may be more than a PNG can hold.
    fn width(&self) -> u32 {
        self.size.get() + self.size.get() / 2
    }

    fn height(&self) -> u64 {
        u64::from(self.size.get())
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        COMBO.render(self, skin, self.layers)
    }
}

impl Layout {
    fn render<'skin>(
        &self,
        view: &dyn View,
        skin: &Skin,
        layers: Layers,
    ) -> Result<Render<'skin>, RenderError> {
        let dimensions = dimensions(view)?;
        let scale = skin.scale();
        let mut grid = Grid::new(self.columns * scale, self.rows * scale);
        for pane in self.panes {
            pane.paint(skin, layers, &mut grid);
        }
        Ok(Render::new(dimensions, Drawing::Flat(grid)))
    }
}

impl Pane {
    /// Paints the front faces in the pane.
    fn paint(&self, skin: &Skin, layers: Layers, grid: &mut Grid) {
        let scale = skin.scale();
        for part in PAINT_ORDER {
            let cuboid = part.cuboid(skin.model());
            let [left, top, _] = cuboid.position;
            for &layer in layers.drawn() {
                let region = cuboid.region(layer, Face::Front);
                let rows = overlap(&self.y, top, region.height, scale);
                let columns = overlap(&self.x, left, region.width, scale);
                for (y, x) in rows.flat_map(|y| columns.clone().map(move |x| (y, x))) {
                    let [u, v] = [region.x - left, region.y - top].map(|texels| texels * scale);
                    let texel = skin.texel(u + x, v + y);
                    let [x, y] = [x - self.x.start * scale, y - self.y.start * scale];
                    let [x, y] = [self.left * scale + x * self.cells, y * self.cells];
                    grid.paint(x..x + self.cells, y..y + self.cells, texel);
                }
            }
        }
    }
}

/// Where a stretch of the figure shows in a range of it, in texels of the skin.
fn overlap(range: &Range<i32>, start: i32, length: i32, scale: i32) -> Range<i32> {
    range.start.max(start) * scale..range.end.min(start + length) * scale
}
