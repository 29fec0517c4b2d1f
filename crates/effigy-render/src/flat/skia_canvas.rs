//! Layers of texels over one another, by tiny-skia.

use tiny_skia::{BlendMode, ColorU8, FilterQuality, IntSize, Pixmap, PixmapPaint, Transform};

use crate::flat::grid::Grid;

/// Opaque texels replace the ones below, others are mixed with them.
const PAINT: PixmapPaint = PixmapPaint {
    opacity: 1.0,
    blend_mode: BlendMode::SourceOver,
    quality: FilterQuality::Nearest,
};

pub(super) struct Canvas(Pixmap);

impl Canvas {
    /// A transparent canvas of these columns and rows.
    pub(super) fn new([columns, rows]: [u32; 2]) -> Canvas {
        Canvas(Pixmap::new(columns, rows).expect("a layout has cells, and not too many"))
    }

    /// Draws rows of texels, each `cells` columns wide and as many rows high. What lies outside is cut off.
    pub(super) fn draw<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        at: [i32; 2],
        cells: i32,
    ) {
        let (mut width, mut height, mut bytes) = (0, 0, Vec::new());
        for row in rows {
            (width, height) = (row.len(), height + 1);
            for &[r, g, b, alpha] in row {
                let color = ColorU8::from_rgba(r, g, b, alpha).premultiply();
                bytes.extend([color.red(), color.green(), color.blue(), alpha]);
            }
        }
        let size = u32::try_from(width)
            .ok()
            .and_then(|width| IntSize::from_wh(width, height));
        let texture = size.and_then(|size| Pixmap::from_vec(bytes, size));
        let texture = texture.expect("a region has texels");
        #[expect(clippy::cast_precision_loss, reason = "a grid has at most 768 columns")]
        let [cells, left, top] = [cells, at[0], at[1]].map(|n| n as f32);
        let place = Transform::from_row(cells, 0.0, 0.0, cells, left, top);
        self.0
            .draw_pixmap(0, 0, texture.as_ref(), &PAINT, place, None);
    }

    pub(super) fn into_grid(self) -> Grid {
        Grid {
            columns: self.0.width() as usize,
            rows: self.0.height() as usize,
            texels: self.0.take_demultiplied().as_chunks().0.to_vec(),
        }
    }
}
