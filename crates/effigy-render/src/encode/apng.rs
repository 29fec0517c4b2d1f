//! APNG files.

use std::borrow::Borrow;
use std::io::Write;
use std::ops::Range;
use std::time::Duration;

use crate::encode::png_writer::PngWriter;
use crate::scratch::Scratch;
use crate::{Picture, RenderError};

/// Writes pictures of one size, each with its time, as a PNG file that repeats them. A frame has only the rectangle that
/// differs from the last one, and is drawn when the one before has been written.
pub(crate) fn write_apng<'a, P: Borrow<Picture<'a>>>(
    frames: impl ExactSizeIterator<Item = (P, Duration)>,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    let mut frames = frames.take(count as usize).peekable();
    let (first, _) = frames.peek().ok_or(RenderError::NoFrames)?;
    let size = first.borrow().size;
    let mut file = PngWriter::new(to, size, None)?;
    file.write_frame_count(count)?;
    let mut last: Vec<[u8; 4]> = Vec::new();
    for (frame, time) in frames {
        let (frame, delay) = (frame.borrow(), delay(time)?);
        if frame.size != size {
            return Err(RenderError::UnequalFrames);
        }
        let pixels = frame.pixels(scratch, |pixel| pixel, || Ok(()))?;
        let width = size[0] as usize;
        let rectangle = changed(&last, &pixels, width);
        file.write_frame_control(&rectangle, delay)?;
        let [x, y] = rectangle;
        let (filter, distances) = frame.prediction(x.len());
        file.begin_image(distances, (1 + 4 * x.len()).saturating_mul(y.len()));
        for row in pixels.chunks_exact(width).take(y.end).skip(y.start) {
            file.write_filtered_row(filter, row[x.clone()].as_flattened());
        }
        file.end_image()?;
        last = pixels;
    }
    file.finish()
}

/// Returns the numerator and the denominator of a number of seconds, in the finest unit that 16 bits have room for.
fn delay(time: Duration) -> Result<[u16; 2], RenderError> {
    let fits = |unit: u16| {
        let rounded = (time.as_nanos() * u128::from(unit) + 500_000_000) / 1_000_000_000;
        Some([u16::try_from(rounded).ok()?, unit])
    };
    let mut units = [1000, 100, 10, 1].into_iter();
    units.find_map(fits).ok_or(RenderError::LongFrame)
}

/// Returns the columns and the rows of the least rectangle with all pixels that differ. Without a last frame that is the
/// whole one; it is never empty.
pub(super) fn changed<T: PartialEq>(last: &[T], pixels: &[T], width: usize) -> [Range<usize>; 2] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_finest_unit_with_room() {
        let rows = [
            (Duration::ZERO, Some([0, 1000])),
            (Duration::from_micros(33_333), Some([33, 1000])),
            (Duration::from_millis(65_535), Some([65_535, 1000])),
            (Duration::from_millis(65_536), Some([6554, 100])),
            (Duration::from_secs(3600), Some([36_000, 10])),
            (Duration::from_secs(65_535), Some([65_535, 1])),
            (Duration::from_secs(65_536), None),
            (Duration::MAX, None),
        ];
        for (time, expected) in rows {
            assert_eq!(delay(time).ok(), expected, "{time:?}");
        }
    }
}
