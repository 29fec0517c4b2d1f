//! The pipeline of an isometric picture: canvas, columns, rows, mirror, strip by strip.

use std::ops::Range;

use crate::canvas::Canvas;
use crate::falls::Falls;
use crate::figure::Figure;
use crate::kernel::{Shrink, Windows};
use crate::projection::Projection;
use crate::resample::{Columns, Rows};
use crate::view::{Facing, Layers};
use crate::{RenderError, Skin};

/// An isometric picture that is yet to be drawn.
pub(crate) struct Isometric<'skin> {
    pub(crate) figure: &'static Figure,
    /// The working canvas' side.
    pub(crate) side: u64,
    pub(crate) skin: &'skin Skin,
    pub(crate) facing: Facing,
    pub(crate) layers: Layers,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// A strip is as high as its filtered columns fit into this much, which a processor keeps at hand.
const STRIP_BYTES: usize = 2 << 20;

/// But no lower than this: every strip walks over all columns of the canvas.
const STRIP_ROWS: usize = 16;

/// The filtered columns of a strip never take more than this; a wider strip is cut into tiles.
const TILE_BYTES: usize = 20 << 20;

/// Bytes of a pair of columns in one row.
const PAIR_BYTES: usize = 16;

impl Isometric<'_> {
    /// Draws the picture strip by strip. Each is a number of whole rows, straight RGBA, from the top.
    pub(crate) fn strips(
        &self,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let projection = Projection::new(self.figure, self.side);
        let aspect = self.facing.aspect();
        let patches = self.figure.patches(self.skin.model(), self.layers, aspect);
        let canvas = Canvas::new(patches, self.skin, &projection);
        let [mut across, mut down] = self.windows(&projection);

        let width = self.width as usize;
        let pairs = usize::try_from(projection.width.div_ceil(2)).unwrap_or(usize::MAX);
        let height = (STRIP_BYTES / PAIR_BYTES / pairs)
            .max(STRIP_ROWS)
            .min(self.height as usize);
        let tile = width
            .min(TILE_BYTES / PAIR_BYTES / height * width / pairs)
            .max(1);
        let mut pixels = blank(width, height)?;
        let mut columns = Columns::default();
        let mut kernel: Option<Rows> = None;
        for start in (0..self.height).step_by(height) {
            let end = self.height.min(start.saturating_add(narrow(height)));
            let falls = Falls::new(&mut down, start.into()..end.into());
            let strip = &mut pixels[..width * falls.height()];
            strip.fill([0; 4]);
            for left in (0..width).step_by(tile) {
                // One tile, which is all that most pictures have, is weighed once.
                let rows = match kernel.take() {
                    Some(rows) if tile == width => rows,
                    _ => Rows::new(&mut across, tile_of(left, tile, width)),
                };
                columns.fit(rows.pairs.len(), height)?;
                canvas.filter(&falls, &rows.pairs, &mut columns);
                rows.filter(&columns, strip, left, width);
                kernel = Some(rows);
            }
            if self.facing.is_mirrored() {
                strip.chunks_exact_mut(width).for_each(<[_]>::reverse);
            }
            take(strip)?;
        }
        Ok(())
    }

    /// The windows of the picture's columns and rows on the canvas.
    fn windows(&self, projection: &Projection) -> [Windows; 2] {
        [
            (projection.width, self.width),
            (projection.height, self.height),
        ]
        .map(|(input, output)| {
            let output = output.into();
            Shrink { input, output }.windows()
        })
    }
}

fn tile_of(left: usize, tile: usize, width: usize) -> Range<u64> {
    let end = width.min(left + tile);
    left as u64..end as u64
}

fn narrow(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}

/// Transparent pixels.
pub(crate) fn blank(width: usize, height: usize) -> Result<Vec<[u8; 4]>, RenderError> {
    let mut pixels = Vec::new();
    pixels
        .try_reserve_exact(width * height)
        .map_err(|_| RenderError::OutOfMemory {
            width: narrow(width),
            height: narrow(height),
        })?;
    pixels.resize(width * height, [0; 4]);
    Ok(pixels)
}
