//! Layers of texels over one another, by tiny-skia.

use tiny_skia::{ColorU8, IntSize, Pixmap, PixmapPaint, Transform};

use crate::flat::grid::Grid;

/// What [`Grid`] is without tiny-skia, with the same pixels.
pub(super) struct Canvas(Pixmap);

impl Canvas {
    pub(super) fn blank(columns: usize, rows: usize) -> Canvas {
        let transparent = premultiplied(columns, rows, vec![0; columns * rows * 4]);
        Canvas(transparent.expect("a layout has texels, and not too many"))
    }

    pub(super) fn draw<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        [left, top]: [usize; 2],
        cells: u32,
    ) {
        let rows: Vec<&[[u8; 4]]> = rows.collect();
        let texels = rows.concat().into_flattened();
        let texture = premultiplied(rows[0].len(), rows.len(), texels);
        let texture = texture.expect("a region has texels, and not too many");
        let [cells, left, top] = [cells as usize, left, top].map(|cells| cells as f32);
        let place = Transform::from_row(cells, 0.0, 0.0, cells, left, top);
        // Opaque texels replace the ones below, others are mixed with them.
        let paint = PixmapPaint::default();
        self.0
            .draw_pixmap(0, 0, texture.as_ref(), &paint, place, None);
    }
}

/// Straight RGBA as a pixmap, unless that is too large.
pub(crate) fn premultiplied(columns: usize, rows: usize, mut pixels: Vec<u8>) -> Option<Pixmap> {
    for pixel in pixels.as_chunks_mut().0 {
        let [r, g, b, alpha] = *pixel;
        let color = ColorU8::from_rgba(r, g, b, alpha).premultiply();
        *pixel = [color.red(), color.green(), color.blue(), alpha];
    }
    let [columns, rows] = [columns, rows].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    Pixmap::from_vec(pixels, IntSize::from_wh(columns, rows)?)
}

impl From<Canvas> for Grid {
    fn from(canvas: Canvas) -> Grid {
        Grid {
            columns: canvas.0.width() as usize,
            rows: canvas.0.height() as usize,
            texels: canvas.0.take_demultiplied().as_chunks().0.to_vec(),
        }
    }
}
