//! PNG, APNG and GIF files. In PNG files, a flat view of at most 256 colors, without an outline or
//! a decoration, has a palette of the smallest depth. All other pictures are RGBA.

mod deflate;
mod gif;
mod palette;
mod png_writer;
mod quantizer;
mod row_filter;

use std::io::Write;
use std::ops::Range;
use std::time::Duration;

pub(crate) use crate::encode::gif::write_gif;
use crate::encode::palette::PngPalette;
use crate::encode::png_writer::PngWriter;
use crate::encode::row_filter::RowFilter;
use crate::flat::EnlargedGrid;
use crate::picture::painter::Progress;
use crate::picture::{Drawing, Picture};
use crate::scratch::{Scratch, reserve};
use crate::{Decoration, Filter, Frame, RenderError};

/// Writes a picture as a PNG file.
pub(crate) fn write_png(
    picture: &Picture<'_>,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    if let Some(grid) = flat_grid(picture) {
        return write_flat(&grid, picture.size, to);
    }
    let [width, height] = picture.size.map(|side| side as usize);
    let Prediction { filter, distances } = picture.prediction(width);
    let mut file = PngWriter::new(to, picture.size, None)?;
    file.begin_image(distances, 1 + 4 * width, height)?;
    picture.draw(scratch, |progress| {
        if let Progress::Strip(strip) = progress {
            for row in strip.chunks_exact(width) {
                file.write_row(filter, row.as_flattened());
            }
        }
        file.write_full_data()
    })?;
    file.end_image()?;
    file.finish()
}

/// Returns the texels of a flat picture, with the transparent frame that may surround it.
fn flat_grid<'p>(picture: &'p Picture<'_>) -> Option<EnlargedGrid<'p>> {
    match &picture.drawing {
        Drawing::Flat(grid) => Some(grid.enlarge(picture.size)),
        Drawing::Composed(Decoration::NONE, views) => {
            let [view] = &views[..] else {
                return None;
            };
            let Drawing::Flat(grid) = &view.picture.drawing else {
                return None;
            };
            let size = view.picture.size;
            let margins = [0, 1].map(|axis| {
                let before = view.at[axis];
                [before, picture.size[axis] - size[axis] - before]
            });
            Some(grid.enlarge(size).with_margins(margins))
        }
        _ => None,
    }
}

/// Writes a flat view: with a palette if it has few colors, else as RGBA.
fn write_flat(
    enlarged: &EnlargedGrid<'_>,
    size: [u32; 2],
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let palette = PngPalette::of(&enlarged.grid);
    let pixel_bits = palette.as_ref().map_or(32, |palette| palette.bits.into());
    let row_bytes = 1 + (size[0] as usize * pixel_bits).div_ceil(8);
    let mut file = PngWriter::new(to, size, palette.as_ref())?;
    let distances = [pixel_bits.div_ceil(8), row_bytes, 0, 0];
    file.begin_image(distances, row_bytes, enlarged.grid.rows)?;

    let mut row = Vec::new();
    for (texels, height) in enlarged.rows() {
        reserve(&mut row, row_bytes, 1)?;
        match &palette {
            Some(palette) => palette.pack(texels, &mut row),
            None => {
                for (texel, width) in texels {
                    row.extend(texel.repeat(width as usize));
                }
            }
        }
        file.write_row(RowFilter::None, &row);
        file.repeat_row(height - 1)?;
    }
    file.end_image()?;
    file.finish()
}

/// Writes pictures of one size, each with its time, as a PNG file that repeats them for ever. Of
/// each frame, only the rectangle that differs from the last frame is stored. A frame is drawn when
/// the one before it has been written.
pub(crate) fn write_apng<'a, F: Frame<'a>>(
    frames: impl ExactSizeIterator<Item = F>,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    let mut frames = frames.take(count as usize).peekable();
    let first = frames.peek().ok_or(RenderError::NoFrames)?;
    let size = first.picture().size;
    let mut file = PngWriter::new(to, size, None)?;
    file.write_frame_count(count)?;
    let mut last_pixels: Vec<[u8; 4]> = Vec::new();
    for frame in frames {
        let delay = delay_of(frame.time())?;
        let picture = frame.picture();
        if picture.size != size {
            return Err(RenderError::UnequalFrames);
        }
        let pixels = picture.pixels(scratch, |pixel| pixel, || Ok(()))?;
        let width = size[0] as usize;
        let rectangle = changed(&last_pixels, &pixels, width);
        file.write_frame_control(&rectangle, delay)?;
        let [columns, rows] = rectangle;
        let Prediction { filter, distances } = picture.prediction(columns.len());
        file.begin_image(distances, 1 + 4 * columns.len(), rows.len())?;
        for row in pixels.chunks_exact(width).take(rows.end).skip(rows.start) {
            file.write_row(filter, row[columns.clone()].as_flattened());
        }
        file.end_image()?;
        last_pixels = pixels;
    }
    file.finish()
}

/// Returns a time as the numerator and the denominator of a number of seconds, in the finest unit
/// for which 16 bits are enough. Frame rates that are whole numbers are exact.
fn delay_of(time: Duration) -> Result<[u16; 2], RenderError> {
    if let Some(frames) = frames_per_second(time) {
        return Ok([1, frames]);
    }
    for unit in [1000, 100, 10, 1] {
        let rounded = (time.as_nanos() * u128::from(unit) + 500_000_000) / 1_000_000_000;
        if let Ok(numerator) = u16::try_from(rounded) {
            return Ok([numerator, unit]);
        }
    }
    Err(RenderError::LongFrame)
}

/// Returns the number of frames per second if it is a whole one, but the time of a frame isn't a
/// whole number of milliseconds.
fn frames_per_second(time: Duration) -> Option<u16> {
    const SECOND: u128 = 1_000_000_000;
    let nanos = time.as_nanos();
    if nanos == 0 || nanos.is_multiple_of(1_000_000) {
        return None;
    }
    let frames = u16::try_from((SECOND + nanos / 2) / nanos).ok()?;
    // The time of a frame is rounded to a nanosecond.
    let error = SECOND.abs_diff(u128::from(frames) * nanos);
    if error < u128::from(frames) {
        Some(frames)
    } else {
        None
    }
}

/// Returns the columns and the rows of the least rectangle with all pixels that differ from the
/// last frame. It is never empty, and without a last frame it is the whole picture.
fn changed<T: PartialEq>(last: &[T], pixels: &[T], width: usize) -> [Range<usize>; 2] {
    let differ = |range: Range<usize>| last.get(range.clone()) != pixels.get(range);
    let rows = span(pixels.len() / width, |row| {
        differ(row * width..(row + 1) * width)
    });
    let columns = span(width, |column| {
        let mut places = rows.clone().map(|row| row * width + column);
        places.any(|at| differ(at..at + 1))
    });
    [columns, rows]
}

/// Returns the range from the first number for which a condition holds to the last one, or only 0
/// if there is no such number.
fn span(end: usize, holds: impl Fn(usize) -> bool) -> Range<usize> {
    let first = (0..end).find(|&number| holds(number)).unwrap_or(0);
    let last = (first..end).rfind(|&number| holds(number)).unwrap_or(0);
    first..last + 1
}

/// The way in which rows are compressed best.
struct Prediction {
    filter: RowFilter,
    /// The distances at which bytes repeat, the best ones first.
    distances: [usize; 4],
}

impl Picture<'_> {
    /// Returns the prediction of rows of this width.
    fn prediction(&self, width: usize) -> Prediction {
        /// The greatest width in pixels at which rows that repeat each other are best stored as
        /// they are.
        const NARROW: usize = 256;
        let row = 1 + width * 4;
        // Isometric texel edges are upright or move two pixels sideways per row. So rows match the
        // row above, at the same place or two pixels to its side.
        let sideways = [row + 2 * 4, row.saturating_sub(2 * 4)];
        match self.scene() {
            Some(scene) if scene.camera.angles().is_some() => Prediction {
                filter: RowFilter::Paeth,
                distances: [1, 4, 0, 0],
            },
            Some(scene) if scene.filter == Filter::Area && width <= NARROW => Prediction {
                filter: RowFilter::None,
                distances: [4, row, sideways[0], sideways[1]],
            },
            _ => Prediction {
                filter: RowFilter::Up,
                distances: [1, row, sideways[0], sideways[1]],
            },
        }
    }
}

#[cfg(test)]
mod tests;
