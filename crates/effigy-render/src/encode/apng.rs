//! APNG files, compressed by `png`.

use std::io::Write;

use crate::scratch::Scratch;
use crate::{Animation, RenderError};

/// Writes an animation as a PNG file with a frame for each picture. A frame has only the rectangle that differs from the
/// last one.
pub(crate) fn write_apng(
    animation: &Animation<'_>,
    scratch: &mut Scratch,
    mut to: &mut dyn Write,
) -> Result<(), RenderError> {
    let [width, height] = animation.frames[0].size;
    let mut encoder = png::Encoder::new(&mut to, width, height);
    encoder.set_color(png::ColorType::Rgba);
    let milliseconds = u16::try_from(animation.frame_time.as_millis()).expect("less than a second");
    let frames = u32::try_from(animation.frames.len()).expect("some hundreds");
    let animated = encoder.set_animated(frames, 0);
    let timed = animated.and_then(|()| encoder.set_frame_delay(milliseconds, 1000));
    let header = timed.and_then(|()| encoder.write_header());
    let mut writer = header.map_err(RenderError::from_encoder)?;
    let mut last: Vec<[u8; 4]> = Vec::new();
    for frame in &animation.frames {
        let pixels = frame.pixels(scratch)?;
        let [x, y] = changed(&last, &pixels, width as usize);
        let rows = pixels.chunks_exact(width as usize).skip(y.0).take(y.1);
        let part: Vec<[u8; 4]> = rows.flat_map(|row| &row[x.0..x.0 + x.1]).copied().collect();
        let [left, top, wide, high] = [x.0, y.0, x.1, y.1]
            .map(|pixels| u32::try_from(pixels).expect("a picture's sides are numbers of 32 bits"));
        // The last frame's position may not fit this one's size.
        let placed = writer
            .reset_frame_position()
            .and_then(|()| writer.set_frame_dimension(wide, high))
            .and_then(|()| writer.set_frame_position(left, top));
        let written = placed.and_then(|()| writer.write_image_data(part.as_flattened()));
        written.map_err(RenderError::from_encoder)?;
        last = pixels;
    }
    writer.finish().map_err(RenderError::from_encoder)
}

/// Returns the first column and the number of columns, and likewise the rows, of the least rectangle with all pixels that
/// differ. Without a last frame that is the whole one; it is never empty.
fn changed(last: &[[u8; 4]], pixels: &[[u8; 4]], width: usize) -> [(usize, usize); 2] {
    let [mut x, mut y] = [[usize::MAX, 0]; 2];
    for at in (0..pixels.len()).filter(|&at| last.get(at) != Some(&pixels[at])) {
        x = [x[0].min(at % width), x[1].max(at % width)];
        y = [y[0].min(at / width), y[1].max(at / width)];
    }
    [x, y].map(|[first, last]| match first <= last {
        true => (first, last - first + 1),
        false => (0, 1),
    })
}
