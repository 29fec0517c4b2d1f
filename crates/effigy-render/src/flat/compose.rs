//! Composes the front faces of a skin on a grid of texels.

use crate::Skin;
use crate::flat::grid::Grid;
#[cfg(not(feature = "compose"))]
use crate::flat::grid::Grid as Canvas;
use crate::flat::layout::Layout;
#[cfg(feature = "compose")]
use crate::flat::skia_canvas::Canvas;
use crate::model::{Face, Layers};

impl Layout {
    /// Draws the front faces of a skin on the grid.
    #[cfg_attr(
        not(feature = "compose"),
        expect(clippy::useless_conversion, reason = "a canvas of its own is a grid")
    )]
    pub(crate) fn compose(&self, skin: &Skin, layers: Layers) -> Grid {
        let scale = skin.texels.scale as usize;
        let mut canvas = Canvas::blank(self.columns * scale, self.rows * scale);
        for pane in self.panes {
            for part in pane.parts {
                let cuboid = part.cuboid(skin.model());
                let [x, y, _] = cuboid.position.map(i32::unsigned_abs);
                let at = [(x - pane.from) * pane.cells + pane.left, y * pane.cells];
                for &layer in part.layers(layers) {
                    let rows = skin.texels.rows(cuboid.region(layer, Face::Front));
                    canvas.draw(rows, at.map(|cells| cells as usize * scale), pane.cells);
                }
            }
        }
        canvas.into()
    }
}
