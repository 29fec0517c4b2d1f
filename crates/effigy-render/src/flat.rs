//! Flat views: the front faces of a player on a grid of texels, enlarged with hard edges.

pub(crate) mod grid;
pub(crate) mod svg;

use std::ops::Range;

use crate::Skin;
use crate::flat::grid::Grid;
use crate::model::{Face, PAINT_ORDER};
use crate::view::Layers;

/// The layout of a flat view on a grid of cells. On a skin 64 texels wide a cell is one texel, on one
/// twice as wide it is 2 x 2 texels, and so on.
pub(crate) struct Layout {
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

pub(crate) const HEAD: Layout = Layout {
    columns: 8,
    rows: 8,
    panes: &[FACE],
};

pub(crate) const BODY: Layout = Layout {
    columns: 16,
    rows: 32,
    panes: &[FIGURE],
};

pub(crate) const BUST: Layout = Layout {
    columns: 16,
    rows: 16,
    panes: &[Pane { y: 0..16, ..FIGURE }],
};

pub(crate) const COMBO: Layout = Layout {
    columns: 48,
    rows: 32,
    panes: &[Pane { cells: 4, ..FACE }, Pane { left: 32, ..FIGURE }],
};

impl Layout {
    /// Draws the front faces of a skin on the grid.
    pub(crate) fn draw(&self, skin: &Skin, layers: Layers) -> Grid {
        let scale = skin.scale();
        let mut grid = Grid::new(self.columns * scale, self.rows * scale);
        for pane in self.panes {
            pane.paint(skin, layers, &mut grid);
        }
        grid
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
