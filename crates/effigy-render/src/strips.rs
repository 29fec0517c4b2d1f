//! The pipeline of an isometric picture: canvas, columns, rows, mirror, strip by strip.

use crate::canvas::Canvas;
use crate::falls::Falls;
use crate::figure::Figure;
use crate::kernel::{Shrink, Windows};
use crate::projection::Projection;
use crate::resample::Rows;
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

/// A strip's pixels take about this much, which a processor keeps at hand.
const STRIP_BYTES: usize = 2 << 20;

/// But a strip is no lower than this, since every one walks over all columns of the canvas, and no
/// higher than that, since the filtered columns too are to be at hand.
const STRIP_ROWS: [usize; 2] = [16, 1024];

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
        let [least, most] = STRIP_ROWS;
        let height = (STRIP_BYTES / 4 / width)
            .clamp(least, most)
            .min(self.height as usize);
        let mut pixels = blank(width, height)?;
        for start in (0..self.height).step_by(height) {
            let end = self.height.min(start.saturating_add(narrow(height)));
            let falls = Falls::new(&mut down, start.into()..end.into());
            let mut rows = Rows::new(&mut across, falls.height())?;
            let strip = &mut pixels[..width * falls.height()];
            strip.fill([0; 4]);
            canvas.filter(&falls, |pair, columns| {
                rows.take(pair, columns, &mut across, strip, width);
            });
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
