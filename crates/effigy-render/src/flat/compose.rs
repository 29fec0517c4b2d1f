//! Composes the front faces of a skin on a grid of texels.

use crate::Skin;
#[cfg(not(feature = "compose"))]
use crate::flat::canvas::Canvas;
use crate::flat::grid::Grid;
use crate::flat::layout::Layout;
#[cfg(feature = "compose")]
use crate::flat::skia_canvas::Canvas;
use crate::model::{Face, Layers};

impl Layout {
    /// Draws the front faces of a skin on the grid.
    pub(crate) fn compose(&self, skin: &Skin, layers: Layers) -> Grid {
        let scale = skin.scale();
        let mut canvas =
            Canvas::new([self.columns, self.rows].map(|side| side * scale.unsigned_abs()));
        for pane in self.panes {
            for part in pane.parts {
                let cuboid = part.cuboid(skin.model());
                let [x, y, _] = cuboid.position;
                let at = [(x - pane.from) * pane.cells + pane.left, y * pane.cells];
                for &layer in part.layers(layers) {
                    let region = cuboid.region(layer, Face::Front);
                    canvas.draw(skin.rows(region), at.map(|cells| cells * scale), pane.cells);
                }
            }
        }
        canvas.into_grid()
    }
}
