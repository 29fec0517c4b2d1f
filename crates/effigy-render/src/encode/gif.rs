//! GIF files.

use std::io::Write;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::encode::changed;
use crate::encode::quantizer::{Palette, Samples};
use crate::scratch::{Scratch, reserve};
use crate::{Frame as Shown, RenderError};

/// Writes pictures of one size, each with its time, as a GIF file that repeats them. All have one
/// palette, so that no color flickers.
pub(crate) fn write_gif<'a, F: Shown<'a>>(
    frames: &[F],
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let first = frames.first().ok_or(RenderError::NoFrames)?;
    let size = first.picture().size;
    let (Ok(width), Ok(height)) = (u16::try_from(size[0]), u16::try_from(size[1])) else {
        let [width, height] = size.map(u64::from);
        return Err(RenderError::TooLarge { width, height });
    };
    if frames.iter().any(|frame| frame.picture().size != size) {
        return Err(RenderError::UnequalFrames);
    }
    let columns = usize::from(width);

    let samples = Samples::of(frames.len().saturating_mul(columns * usize::from(height)));
    let Survey {
        mut palette,
        last,
        is_still,
    } = survey(frames, samples, scratch, to)?;
    let transparent = palette.transparent();
    // A part of the file, which is passed on. The encoder ends the file also after an error; that
    // end is not passed on.
    let part = Vec::new();
    let mut file = Encoder::new(part, width, height, &palette.channels()).map_err(failed)?;
    if frames.len() > 1 {
        file.set_repeat(Repeat::Infinite).map_err(failed)?;
    }
    let mut time = Duration::ZERO;
    let mut ends = 0;
    // What a frame leaves transparent shows the one before, which stays only if no pixel has to
    // become transparent. At first nothing is there; the bytes take the place of others, so no
    // memory is needed that could be refused.
    let mut before: Vec<u8> = last.into_iter().map(|_| transparent).collect();
    for (number, frame) in (1..).zip(frames) {
        time = time
            .checked_add(frame.time())
            .ok_or(RenderError::LongFrame)?;
        let hundredths = (time.as_millis() + 5) / 10;
        // Browsers take 1 and 0 hundredths for a tenth of a second. What is shorter is left out,
        // and the next one is longer.
        if hundredths - ends < 2 && number < frames.len() {
            continue;
        }
        let flush = || to.flush().map_err(RenderError::write);
        let index = |pixel| palette.index(pixel);
        let pixels = frame.picture().pixels(scratch, index, flush)?;
        let changes = changes(&before, &pixels, columns, transparent)?;
        let dispose = if is_still {
            DisposalMethod::Keep
        } else {
            DisposalMethod::Background
        };
        file.write_frame(&Frame {
            delay: u16::try_from((hundredths - ends).max(2)).map_err(|_| RenderError::LongFrame)?,
            dispose,
            transparent: Some(transparent),
            ..changes
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

/// The colors of all frames, and the opacities that change between them.
struct Survey {
    palette: Palette,
    /// The opacities of the last frame's pixels.
    last: Vec<bool>,
    /// `true` if all frames have the same ones.
    is_still: bool,
}

/// Draws all frames, to find the colors that they share.
fn survey<'a, F: Shown<'a>>(
    frames: &[F],
    mut samples: Samples,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<Survey, RenderError> {
    let mut last = Vec::new();
    let mut is_still = true;
    for frame in frames {
        let flush = || to.flush().map_err(RenderError::write);
        let is_opaque = |pixel| samples.add(pixel);
        let opaque = frame.picture().pixels(scratch, is_opaque, flush)?;
        is_still &= last.is_empty() || last == opaque;
        last = opaque;
    }
    Ok(Survey {
        palette: samples.into_palette(),
        last,
        is_still,
    })
}

/// Returns the rectangle in which pixels are not those before, with the others transparent.
fn changes(
    before: &[u8],
    pixels: &[u8],
    columns: usize,
    transparent: u8,
) -> Result<Frame<'static>, RenderError> {
    let [x, y] = changed(before, pixels, columns);
    let side = |length| u16::try_from(length).expect("a part of the picture");
    let mut buffer = Vec::new();
    reserve(&mut buffer, x.len(), y.len())?;
    for row in y.clone() {
        for at in row * columns + x.start..row * columns + x.end {
            let is_same = pixels[at] == before[at];
            buffer.push(if is_same { transparent } else { pixels[at] });
        }
    }
    Ok(Frame {
        left: side(x.start),
        top: side(y.start),
        width: side(x.len()),
        height: side(y.len()),
        buffer: buffer.into(),
        ..Frame::default()
    })
}

/// Takes a part of a file, writes it, and flushes the writer.
fn pass_on(part: &mut Vec<u8>, to: &mut dyn Write) -> Result<(), RenderError> {
    let written = to.write_all(&std::mem::take(part));
    written
        .and_then(|()| to.flush())
        .map_err(RenderError::write)
}

/// Converts an error of the encoder. Only a lack of memory is expected; the others report a misuse
/// of the encoder.
fn failed(error: gif::EncodingError) -> RenderError {
    match error {
        gif::EncodingError::OutOfMemory => RenderError::OutOfMemory,
        other => RenderError::write(std::io::Error::other(other)),
    }
}
