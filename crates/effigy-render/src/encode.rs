//! PNG and APNG files: flat views with a palette of the smallest depth, all others as RGBA. GIF
//! files.

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
use crate::encode::palette::Palette;
use crate::encode::png_writer::PngWriter;
use crate::encode::row_filter::RowFilter;
use crate::flat::EnlargedGrid;
use crate::picture::{Drawing, Picture};
use crate::scratch::{Scratch, reserve};
use crate::{Decoration, Filter, Frame, RenderError};

/// Writes a picture as a PNG file.
pub(crate) fn write_png(
    picture: &Picture<'_>,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    // The only view, which a transparent frame may surround.
    let (at, view) = match &picture.drawing {
        Drawing::Composed(Decoration::NONE, views) if views.len() == 1 => (views[0].0, &views[0].1),
        _ => ([0, 0], picture),
    };
    if let Drawing::Flat(grid) = &view.drawing {
        let margin = |axis: usize| [at[axis], picture.size[axis] - view.size[axis] - at[axis]];
        let grid = grid.enlarge(view.size).with_margins([0, 1].map(margin));
        return write_flat(&grid, picture.size, to);
    }
    let [width, height] = picture.size.map(|side| side as usize);
    let (filter, distances) = picture.prediction(width);
    let mut file = PngWriter::new(to, picture.size, None)?;
    file.begin_image(distances, 1 + 4 * width, height)?;
    picture.strips(scratch, |strip| {
        for row in strip.chunks_exact(width) {
            file.write_row(filter, row.as_flattened());
        }
        file.write_full_data()
    })?;
    file.end_image()?;
    file.finish()
}

/// Writes a flat view: with a palette if it has few colors, else as RGBA.
fn write_flat(
    enlarged: &EnlargedGrid<'_>,
    size: [u32; 2],
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let palette = Palette::of(&enlarged.grid);
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
            None => texels.for_each(|(texel, width)| row.extend(texel.repeat(width as usize))),
        }
        file.write_row(RowFilter::None, &row);
        file.repeat_row(height - 1)?;
    }
    file.end_image()?;
    file.finish()
}

/// Writes pictures of one size, each with its time, as a PNG file that repeats them. A frame has
/// only the rectangle that differs from the last one, and is drawn when the one before has been
/// written.
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
    let mut last: Vec<[u8; 4]> = Vec::new();
    for shown in frames {
        let delay = delay(shown.time())?;
        let frame = shown.picture();
        if frame.size != size {
            return Err(RenderError::UnequalFrames);
        }
        let pixels = frame.pixels(scratch, |pixel| pixel, || Ok(()))?;
        let width = size[0] as usize;
        let rectangle = changed(&last, &pixels, width);
        file.write_frame_control(&rectangle, delay)?;
        let [x, y] = rectangle;
        let (filter, distances) = frame.prediction(x.len());
        file.begin_image(distances, 1 + 4 * x.len(), y.len())?;
        for row in pixels.chunks_exact(width).take(y.end).skip(y.start) {
            file.write_row(filter, row[x.clone()].as_flattened());
        }
        file.end_image()?;
        last = pixels;
    }
    file.finish()
}

/// Returns the numerator and the denominator of a number of seconds, in the finest unit that 16
/// bits have room for. A part of a second that is no number of milliseconds is exact.
fn delay(time: Duration) -> Result<[u16; 2], RenderError> {
    if let Some(frames) = frames_of_second(time) {
        return Ok([1, frames]);
    }
    let fits = |unit: u16| {
        let rounded = (time.as_nanos() * u128::from(unit) + 500_000_000) / 1_000_000_000;
        Some([u16::try_from(rounded).ok()?, unit])
    };
    let mut units = [1000, 100, 10, 1].into_iter();
    units.find_map(fits).ok_or(RenderError::LongFrame)
}

/// Returns the number of frames in a second if that is a whole one, but the time of a frame isn't
/// one of milliseconds.
fn frames_of_second(time: Duration) -> Option<u16> {
    const SECOND: u128 = 1_000_000_000;
    let nanos = time.as_nanos();
    if nanos == 0 || nanos.is_multiple_of(1_000_000) {
        return None;
    }
    let frames = u16::try_from((SECOND + nanos / 2) / nanos).ok()?;
    // The time of a frame is rounded to a nanosecond.
    let error = SECOND.abs_diff(u128::from(frames) * nanos);
    (error < u128::from(frames)).then_some(frames)
}

/// Returns the columns and the rows of the least rectangle with all pixels that differ. Without a
/// last frame that is the whole one; it is never empty.
fn changed<T: PartialEq>(last: &[T], pixels: &[T], width: usize) -> [Range<usize>; 2] {
    let differ = |range: Range<usize>| last.get(range.clone()) != pixels.get(range);
    let y = span(pixels.len() / width, |row| {
        differ(row * width..(row + 1) * width)
    });
    let x = span(width, |column| {
        let mut places = y.clone().map(|row| row * width + column);
        places.any(|at| differ(at..at + 1))
    });
    [x, y]
}

/// Returns the range from the first number for which a condition holds to the last one, or only 0.
fn span(end: usize, holds: impl Fn(usize) -> bool) -> Range<usize> {
    let first = (0..end).find(|&number| holds(number)).unwrap_or(0);
    let last = (first..end).rfind(|&number| holds(number)).unwrap_or(0);
    first..last + 1
}

impl Picture<'_> {
    /// Returns the filter of rows of this width and the distances at which their bytes repeat, the
    /// best ones first.
    fn prediction(&self, width: usize) -> (RowFilter, [usize; 4]) {
        /// The greatest width in pixels at which rows that repeat each other are best stored as
        /// they are.
        const NARROW: usize = 256;
        let row = 1 + width * 4;
        // Isometric texel edges are upright or move two pixels sideways per row. So rows match the
        // row above, at the same place or two pixels beside it.
        let sideways = [row + 2 * 4, row.saturating_sub(2 * 4)];
        match self.scene() {
            Some(scene) if scene.camera.angles().is_some() => (RowFilter::Paeth, [1, 4, 0, 0]),
            Some(scene) if scene.filter == Filter::Area && width <= NARROW => {
                (RowFilter::None, [4, row, sideways[0], sideways[1]])
            }
            _ => (RowFilter::Up, [1, row, sideways[0], sideways[1]]),
        }
    }
}

#[cfg(test)]
mod tests;
