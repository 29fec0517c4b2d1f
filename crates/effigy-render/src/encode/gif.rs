//! GIF files.

use std::borrow::Borrow;
use std::io::Write;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::encode::changed;
use crate::encode::quantizer::Samples;
use crate::scratch::{Scratch, reserve};
use crate::{Picture, RenderError};

/// Writes pictures of one size, each with its time, as a GIF file that repeats them. All have one palette, so that no color
/// flickers.
pub(crate) fn write_gif<'a, P: Borrow<Picture<'a>>>(
    frames: &[(P, Duration)],
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let (first, _) = frames.first().ok_or(RenderError::NoFrames)?;
    let size = first.borrow().size;
    let (Ok(width), Ok(height)) = (u16::try_from(size[0]), u16::try_from(size[1])) else {
        let [width, height] = size.map(u64::from);
        return Err(RenderError::TooLarge { width, height });
    };
    if frames.iter().any(|(frame, _)| frame.borrow().size != size) {
        return Err(RenderError::UnequalFrames);
    }
    let columns = usize::from(width);

    let mut samples = Samples::of(frames.len().saturating_mul(columns * usize::from(height)));
    let (mut shown, mut is_still) = (Vec::new(), true);
    for (frame, _) in frames {
        let flush = || to.flush().map_err(RenderError::write);
        let is_opaque = |pixel| samples.add(pixel);
        let opaque = frame.borrow().pixels(scratch, is_opaque, flush)?;
        is_still &= shown.is_empty() || shown == opaque;
        shown = opaque;
    }

    let mut palette = samples.into_palette();
    let transparent = palette.transparent();
    // A part of the file, which is passed on. The encoder ends the file also after an error; that end is not passed on.
    let part = Vec::new();
    let mut file = Encoder::new(part, width, height, &palette.channels()).map_err(failed)?;
    if frames.len() > 1 {
        file.set_repeat(Repeat::Infinite).map_err(failed)?;
    }
    let (mut time, mut ends) = (Duration::ZERO, 0);
    // What a frame leaves transparent shows the one before, which stays only if no pixel has to become transparent. At first
    // nothing is there; the bytes take the place of others, so no memory is needed that could be refused.
    let mut before: Vec<u8> = shown.into_iter().map(|_| transparent).collect();
    for (number, (frame, duration)) in (1..).zip(frames) {
        time = time.checked_add(*duration).ok_or(RenderError::LongFrame)?;
        let hundredths = (time.as_millis() + 5) / 10;
        // Browsers take 1 and 0 hundredths for a tenth of a second. What is shorter is left out, and the next one is longer.
        if hundredths - ends < 2 && number < frames.len() {
            continue;
        }
        let flush = || to.flush().map_err(RenderError::write);
        let index = |pixel| palette.index(pixel);
        let pixels = frame.borrow().pixels(scratch, index, flush)?;
        let [x, y] = changed(&before, &pixels, columns);
        let mut buffer = Vec::new();
        reserve(&mut buffer, x.len(), y.len())?;
        let [left, top, width, height] = [x.start, y.start, x.len(), y.len()]
            .map(|pixels| u16::try_from(pixels).expect("a part of the picture"));
        let places = y.flat_map(|row| x.clone().map(move |column| row * columns + column));
        buffer.extend(places.map(|at| match pixels[at] == before[at] {
            true => transparent,
            false => pixels[at],
        }));
        file.write_frame(&Frame {
            delay: u16::try_from((hundredths - ends).max(2)).map_err(|_| RenderError::LongFrame)?,
            dispose: match is_still {
                true => DisposalMethod::Keep,
                false => DisposalMethod::Background,
            },
            transparent: Some(transparent),
            left,
            top,
            width,
            height,
            buffer: buffer.into(),
            ..Frame::default()
        })
        .map_err(failed)?;
        pass_on(file.get_mut(), to)?;
        ends = hundredths;
        if is_still {
            before = pixels;
        }
    }
    pass_on(&mut file.into_inner().map_err(failed)?, to)
}

/// Takes a part of a file, writes it, and flushes the writer.
fn pass_on(part: &mut Vec<u8>, to: &mut dyn Write) -> Result<(), RenderError> {
    let written = to.write_all(&std::mem::take(part));
    written
        .and_then(|()| to.flush())
        .map_err(RenderError::write)
}

/// Converts an error of the encoder. Only a lack of memory is expected; the others report a misuse of the encoder.
fn failed(error: gif::EncodingError) -> RenderError {
    match error {
        gif::EncodingError::OutOfMemory => RenderError::OutOfMemory,
        other => RenderError::write(std::io::Error::other(other)),
    }
}
