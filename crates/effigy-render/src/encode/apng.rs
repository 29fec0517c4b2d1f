//! APNG files.

use std::borrow::Borrow;
use std::io::Write;
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
        let pixels = frame.pixels(scratch)?;
        let width = size[0] as usize;
        let [x, y] = changed(&last, &pixels, width);
        let rectangle = [x.1, y.1, x.0, y.0]
            .map(|pixels| u32::try_from(pixels).expect("a picture's sides are numbers of 32 bits"));
        file.write_frame_control(rectangle, delay)?;
        let (filter, distances) = frame.prediction(rectangle[0]);
        file.begin_image(distances, (1 + 4 * x.1).saturating_mul(y.1));
        for row in pixels.chunks_exact(width).skip(y.0).take(y.1) {
            file.write_filtered_row(filter, row[x.0..][..x.1].as_flattened());
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

/// Returns the first column and the number of columns, and likewise the rows, of the least rectangle with all pixels that
/// differ. Without a last frame that is the whole one; it is never empty.
pub(super) fn changed<T: PartialEq>(last: &[T], pixels: &[T], width: usize) -> [(usize, usize); 2] {
    if last.is_empty() {
        return [(0, width), (0, pixels.len() / width)];
    }
    let [mut x, mut y] = [[usize::MAX, 0]; 2];
    let rows = last.chunks_exact(width).zip(pixels.chunks_exact(width));
    for (number, (last, row)) in rows.enumerate().filter(|(_, (last, row))| last != row) {
        let differs = |at: &usize| last[*at] != row[*at];
        let first = (0..width).find(differs).unwrap_or(0);
        let end = (0..width).rfind(differs).unwrap_or(0);
        x = [x[0].min(first), x[1].max(end)];
        y = [y[0].min(number), number];
    }
    [x, y].map(|[first, last]| match first <= last {
        true => (first, last - first + 1),
        false => (0, 1),
    })
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
