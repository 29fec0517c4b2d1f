//! Composes the front faces of a skin on a grid of texels.

use tiny_skia::{BlendMode, ColorU8, FilterQuality, IntSize, Pixmap, PixmapPaint, Transform};

use crate::Layers;
use crate::Skin;
use crate::flat::grid::Grid;
use crate::flat::layout::{Layout, Pane};
use crate::model::{Face, Region};

/// Opaque texels replace the ones below, others are mixed with them.
const PAINT: PixmapPaint = PixmapPaint {
    opacity: 1.0,
    blend_mode: BlendMode::SourceOver,
    quality: FilterQuality::Nearest,
};

impl Layout {
    /// Draws the front faces of a skin on the grid.
    pub(crate) fn compose(&self, skin: &Skin, layers: Layers) -> Grid {
        let scale = skin.scale().unsigned_abs();
        let mut canvas = Pixmap::new(self.columns * scale, self.rows * scale)
            .expect("a layout has cells, and not too many");
        for pane in self.panes {
            pane.draw(skin, layers, &mut canvas);
        }
        Grid {
            columns: canvas.width() as usize,
            rows: canvas.height() as usize,
            texels: canvas.take_demultiplied().as_chunks().0.to_vec(),
        }
    }
}

impl Pane {
    fn draw(&self, skin: &Skin, layers: Layers, canvas: &mut Pixmap) {
        let scale = skin.scale();
        #[expect(clippy::cast_precision_loss, reason = "a grid has at most 768 columns")]
        let [cells, left] = [self.cells, self.left * scale].map(|n| n as f32);
        let enlarged = Transform::from_row(cells, 0.0, 0.0, cells, left, 0.0);
        for part in self.parts {
            let cuboid = part.cuboid(skin.model());
            let [x, y, _] = cuboid.position;
            let [x, y] = [x - self.from, y].map(|texels| texels * scale);
            for &layer in part.layers(layers) {
                let texture = texture(skin, cuboid.region(layer, Face::Front));
                canvas.draw_pixmap(x, y, texture.as_ref(), &PAINT, enlarged, None);
            }
        }
    }
}

/// Copies a region of a skin.
fn texture(skin: &Skin, region: Region) -> Pixmap {
    let [width, height] = [region.width, region.height].map(|texels| texels * skin.scale());
    let [width, height] = [width, height].map(i32::unsigned_abs);
    let mut bytes = Vec::with_capacity((width * height * 4) as usize);
    for &[r, g, b, alpha] in skin.rows(region).flatten() {
        let color = ColorU8::from_rgba(r, g, b, alpha).premultiply();
        bytes.extend([color.red(), color.green(), color.blue(), alpha]);
    }
    IntSize::from_wh(width, height)
        .and_then(|size| Pixmap::from_vec(bytes, size))
        .expect("a region has texels")
}
