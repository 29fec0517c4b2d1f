//! Drawing, a few rows at a time.

use std::ops::Range;

use wide::i16x8;

use crate::RenderError;
use crate::picture::shadow::Shadow;
use crate::picture::{Drawing, Picture, shadows};
use crate::rasterizer::scan::ProjectedFigure;
use crate::scratch::{Scratch, divided, reserve};

/// The aimed number of pixels of a strip. A strip is drawn within some milliseconds, and its pixels fit into a
/// processor's cache.
const STRIP_PIXELS: usize = 1 << 19;

/// The least height of a strip. Every strip scans all columns of a scene.
const MIN_STRIP_ROWS: usize = 16;

/// The greatest height of a strip, for which the filtered columns of a scene fit into the cache as well.
const MAX_STRIP_ROWS: usize = 1024;

impl Picture<'_> {
    /// Draws the whole picture, and converts its pixels, which are straight RGBA. Another function is called after each strip.
    pub(crate) fn pixels<T>(
        &self,
        scratch: &mut Scratch,
        mut convert: impl FnMut([u8; 4]) -> T,
        mut after_strip: impl FnMut() -> Result<(), RenderError>,
    ) -> Result<Vec<T>, RenderError> {
        let [width, height] = self.size.map(|side| side as usize);
        let mut pixels = Vec::new();
        reserve(&mut pixels, width, height)?;
        self.strips(scratch, |strip| {
            pixels.extend(strip.iter().map(|&pixel| convert(pixel)));
            after_strip()
        })?;
        Ok(pixels)
    }

    /// Draws the picture strip by strip. Each strip is a number of whole rows of straight RGBA, from the top. An empty one tells
    /// that a part of the next one is drawn.
    pub(crate) fn strips<E: From<RenderError>>(
        &self,
        scratch: &mut Scratch,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), E>,
    ) -> Result<(), E> {
        let [width, height] = self.size.map(|side| side as usize);
        let rows = strip_rows(width);
        let Scratch { strip, columns } = scratch;
        // First what takes the most memory, since the rest cannot be refused.
        reserve(strip, width, rows.min(height))?;
        let mut draw = self.draw_rows()?;
        for start in (0..height).step_by(rows) {
            let rows = start..height.min(start + rows);
            strip.clear();
            strip.resize(width * rows.len(), [0; 4]);
            while !draw(columns, rows.clone(), strip)? {
                take(&[])?;
            }
            take(strip)?;
        }
        Ok(())
    }

    /// Begins to draw.
    pub(super) fn draw_rows(&self) -> Result<DrawRows<'_>, RenderError> {
        let (decoration, views) = match &self.drawing {
            Drawing::Flat(grid) => {
                let grid = grid.enlarge(self.size);
                return Ok(Box::new(move |_, rows, pixels| {
                    grid.draw(rows.start, pixels);
                    Ok(true)
                }));
            }
            Drawing::Scene(scene) => {
                let figure = ProjectedFigure::new(scene, &divided(scene))?;
                return Ok(Box::new(move |columns, rows, pixels| {
                    figure.draw(columns, rows, pixels)?;
                    Ok(true)
                }));
            }
            Drawing::Composed(decoration, views) => (decoration, views),
        };
        let width = self.size[0] as usize;
        let shadows: Vec<Shadow> = shadows(views).collect();
        // What draws each view, from its first row to its last one, and the rows that it has drawn.
        let mut painters: Vec<Option<DrawRows<'_>>> = views.iter().map(|_| None).collect();
        let (mut drawn, mut next) = (Vec::new(), 0);
        Ok(Box::new(move |columns, rows, pixels| {
            if next == 0 {
                pixels.fill(decoration.background.unwrap_or([0; 4]));
                for shadow in &shadows {
                    shadow.draw(rows.clone(), width, pixels);
                }
            }
            for ((at, view), painter) in views.iter().zip(&mut painters).skip(next) {
                next += 1;
                let [part, height] = view.size.map(|pixels| pixels as usize);
                let [left, top] = at.map(|pixels| pixels as usize);
                let shared = rows.start.max(top)..rows.end.min(top + height);
                if shared.is_empty() {
                    continue;
                }
                let draw = match painter {
                    Some(draw) => draw,
                    None => painter.insert(view.draw_rows()?),
                };
                reserve(&mut drawn, part, rows.len().min(height))?;
                drawn.resize(part * shared.len(), [0; 4]);
                let own = shared.start - top..shared.end - top;
                while !draw(columns, own.clone(), &mut drawn)? {}
                if shared.end == top + height {
                    *painter = None;
                }
                let below = pixels[(shared.start - rows.start) * width..].chunks_exact_mut(width);
                for (below, above) in below.zip(drawn.chunks_exact(part)) {
                    for (below, &above) in below[left..].iter_mut().zip(above) {
                        *below = over(above, *below);
                    }
                }
                return Ok(false);
            }
            next = 0;
            decoration.shape.cut(self.size, rows, pixels);
            Ok(true)
        }))
    }
}

/// Returns the number of rows of a strip.
pub(super) fn strip_rows(width: usize) -> usize {
    (STRIP_PIXELS / width.max(1)).clamp(MIN_STRIP_ROWS, MAX_STRIP_ROWS)
}

/// Draws some rows on blank pixels: straight RGBA. Of several views, each call draws one, until the last returns `true`. The
/// memory is that of filtered columns.
pub(super) type DrawRows<'p> =
    Box<dyn FnMut(&mut Vec<i16x8>, Range<usize>, &mut [[u8; 4]]) -> Result<bool, RenderError> + 'p>;

/// Composites straight colors. (Porter and Duff, "Compositing Digital Images", 1984)
#[inline]
pub(crate) fn over(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    match (above[3], below[3]) {
        (0, _) => below,
        (255, _) | (_, 0) => above,
        _ => mix(above, below),
    }
}

fn mix(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let [in_front, behind] = [above[3], below[3]].map(u32::from);
    // Weights of 255².
    let weights = [in_front * 255, behind * (255 - in_front)];
    let sum = weights[0] + weights[1];
    let byte = |value| u8::try_from(value).expect("a mean of bytes");
    let mean = |channel: usize| {
        let channels = [above, below].map(|color| u32::from(color[channel]));
        byte((channels[0] * weights[0] + channels[1] * weights[1] + sum / 2) / sum)
    };
    [mean(0), mean(1), mean(2), byte((sum + 127) / 255)]
}
