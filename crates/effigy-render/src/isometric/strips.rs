//! The pipeline of an isometric picture: canvas, columns, rows, mirror, strip by strip.

use crate::isometric::canvas::Canvas;
use crate::isometric::figure::Figure;
use crate::isometric::horizontal_filter::Rows;
use crate::isometric::kernel::{Shrink, Windows};
use crate::isometric::projection::Projection;
use crate::isometric::vertical_filter::Falls;
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
        take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let [least, most] = STRIP_ROWS;
        let height = (STRIP_BYTES / 4 / self.width as usize).clamp(least, most);
        self.strips_of(height, take)
    }

    /// Draws the picture in strips of so many rows, or what is left for the last.
    fn strips_of(
        &self,
        height: usize,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let projection = Projection::new(self.figure, self.side);
        let aspect = self.facing.aspect();
        let patches = self.figure.patches(self.skin.model(), self.layers, aspect);
        let canvas = Canvas::new(patches, self.skin, &projection);
        let [mut across, mut down] = self.windows(&projection);

        let width = self.width as usize;
        let height = height.min(self.height as usize);
        let mut pixels = blank(width, height)?;
        for start in (0..self.height).step_by(height) {
            let end = self.height.min(start.saturating_add(narrow(height)));
            let falls = Falls::new(&mut down, start.into()..end.into());
            let mut rows = Rows::new(&mut across, falls.height())?;
            let strip = &mut pixels[..width * falls.height()];
            if start > 0 {
                strip.fill([0; 4]);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::isometric::BODY;

    fn body(skin: &Skin, width: u32, facing: Facing) -> Isometric<'_> {
        let height = (width * 204 + 50) / 100;
        BODY.drawing(skin, [width, height], facing, Layers::WithOverlay)
    }

    /// The strips of so many rows.
    fn strips(drawing: &Isometric<'_>, height: usize) -> Vec<Vec<[u8; 4]>> {
        let mut strips = Vec::new();
        let take = |strip: &[[u8; 4]]| {
            strips.push(strip.to_vec());
            Ok(())
        };
        let drawn = drawing.strips_of(height, take);
        drawn.expect("the picture is small");
        strips
    }

    #[test]
    fn strips_leave_no_trace() {
        let skin = Skin::decode(fixtures::skin("ghost").png, Model::Classic).expect("a drawn skin");
        for (size, facing) in [
            (1, Facing::Right),
            (64, Facing::Left),
            (150, Facing::BackLeft),
        ] {
            let drawing = body(&skin, size, facing);
            let [whole] = &strips(&drawing, usize::MAX)[..] else {
                panic!("{size} comes in pieces");
            };
            let width = size as usize;
            assert_eq!(whole.len(), width * drawing.height as usize);
            for height in [1, 2, 7, 16, 100] {
                let strips = strips(&drawing, height);
                let (last, full) = strips.split_last().expect("at least one strip");
                assert!(full.iter().all(|strip| strip.len() == width * height));
                assert!(last.len() <= width * height);
                assert!(strips.concat() == *whole, "{size} in strips of {height}");
            }
        }
    }

    #[test]
    fn nothing_is_drawn_once_a_strip_is_refused() {
        let skin = Skin::decode(fixtures::skin("fox").png, Model::Slim).expect("a drawn skin");
        let mut strips = 0;
        let refused = body(&skin, 128, Facing::Right).strips_of(16, |_| {
            strips += 1;
            match strips {
                3 => Err(RenderError::NotFlat),
                _ => Ok(()),
            }
        });
        assert!(matches!(refused, Err(RenderError::NotFlat)), "{refused:?}");
        assert_eq!(strips, 3);
    }
}
