//! Composes the front faces of a skin on a grid of texels.

use crate::Skin;
use crate::flat::grid::Grid;
use crate::flat::layout::Layout;
use crate::model::{Face, Layers};

impl Layout {
    /// Draws the front faces of a skin on the grid.
    pub(crate) fn compose(&self, skin: &Skin, layers: Layers) -> Grid {
        let scale = skin.texels.scale as usize;
        let mut grid = Grid::blank(self.columns * scale, self.rows * scale);
        for pane in self.panes {
            for part in pane.parts {
                let cuboid = part.cuboid(skin.model());
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
}
