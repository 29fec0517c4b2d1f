//! The flat views: parts of the figure on a grid of cells. On a skin 64 texels wide a cell is one texel, on one twice as
//! wide it is 2 x 2 texels, and so on.

use crate::Skin;
use crate::flat::grid::Grid;
use crate::model::{BODY_PARTS, Face, Layers, Model, Part};

/// Parts of the figure, seen from the front.
pub(crate) struct Pane {
    /// The parts in painting order.
    parts: &'static [Part],
    /// The column of the figure that lies on `left`. The figure is 16 texels wide and begins at the
    /// top of the grid.
    from: u32,
    /// The column of cells where the pane begins.
    left: u32,
    /// The width and height of a texel in cells.
    cells: u32,
}

pub(crate) const FACE: Pane = Pane {
    parts: &[Part::Head],
    from: 4,
    left: 0,
    cells: 1,
};

pub(crate) const FIGURE: Pane = Pane {
    parts: &BODY_PARTS,
    from: 0,
    left: 0,
    cells: 1,
};

/// The face, an empty column, and the figure.
pub(crate) const COMBO: [Pane; 2] = [Pane { cells: 4, ..FACE }, Pane { left: 33, ..FIGURE }];

/// Draws the front faces of a skin on a grid of this many columns and rows of cells. What lies outside is cut off.
pub(crate) fn compose(
    size: [usize; 2],
    panes: &[Pane],
    skin: &Skin,
    model: Model,
    layers: Layers,
) -> Grid {
    let scale = skin.texels.scale as usize;
    let [columns, rows] = size.map(|cells| cells * scale);
    let mut grid = Grid::blank(columns, rows);
    for pane in panes {
        for part in pane.parts {
            let cuboid = part.cuboid(model);
            let [x, y, _] = cuboid.position.map(i32::unsigned_abs);
            let at = [(x - pane.from) * pane.cells + pane.left, y * pane.cells];
            for &layer in part.layers(layers) {
                let rows = skin.texels.rows(cuboid.region(layer, Face::Front));
                grid.draw(rows, at.map(|cells| cells as usize * scale), pane.cells);
            }
        }
    }
    grid
}
