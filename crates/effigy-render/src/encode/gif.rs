//! GIF files.

use std::borrow::Borrow;
use std::io::Write;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::encode::apng::changed;
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
    let (Ok(width), Ok(height)) = (size[0].try_into(), size[1].try_into()) else {
        let [width, height] = size.map(u64::from);
        return Err(RenderError::TooLarge { width, height });
    };
    if frames.iter().any(|(frame, _)| frame.borrow().size != size) {
        return Err(RenderError::UnequalFrames);
    }
    let side = size.map(|side| side as usize);

    let mut samples = Samples::of(frames.len().saturating_mul(side[0] * side[1]));
    let (mut shown, mut is_still) = (Vec::new(), true);
    for (frame, _) in frames {
        let mut opaque = Vec::new();
        reserve(&mut opaque, side[0], side[1])?;
        frame.borrow().strips(scratch, |strip| {
            opaque.extend(strip.iter().map(|&pixel| samples.add(pixel)));
            to.flush().map_err(RenderError::write)
        })?;
        is_still &= shown.is_empty() || shown == opaque;
        shown = opaque;
    }
    drop(shown);

    let mut palette = samples.into_palette();
    let transparent = palette.transparent();
    let mut file = Encoder::new(to, width, height, &palette.channels()).map_err(failed)?;
    if frames.len() > 1 {
        file.set_repeat(Repeat::Infinite).map_err(failed)?;
    }
    let (mut time, mut ends) = (Duration::ZERO, 0);
    // What a frame leaves transparent shows the one before, which stays only if no pixel has to become transparent.
    let mut before = Vec::new();
    reserve(&mut before, side[0], side[1])?;
    before.resize(side[0] * side[1], transparent);
    for (frame, duration) in frames {
        let mut pixels = Vec::new();
        reserve(&mut pixels, side[0], side[1])?;
        frame.borrow().strips(scratch, |strip| {
            pixels.extend(strip.iter().map(|&pixel| palette.index(pixel)));
            Ok::<(), RenderError>(())
        })?;
        let [x, y] = changed(&before, &pixels, side[0]);
        let rows = pixels
            .chunks_exact(side[0])
            .zip(before.chunks_exact(side[0]));
        let changes = rows.skip(y.0).take(y.1).flat_map(|(row, before)| {
            let pairs = row.iter().zip(before).skip(x.0).take(x.1);
            pairs.map(|(&pixel, before)| match pixel == *before {
                true => transparent,
                false => pixel,
            })
        });
        let [left, top, width, height] = [x.0, y.0, x.1, y.1]
            .map(|pixels| u16::try_from(pixels).expect("a part of the picture"));
        time = time.checked_add(*duration).ok_or(RenderError::LongFrame)?;
        let hundredths = (time.as_millis() + 5) / 10;
        file.write_frame(&Frame {
            delay: delay(hundredths - ends)?,
            dispose: match is_still {
                true => DisposalMethod::Keep,
                false => DisposalMethod::Background,
            },
            transparent: Some(transparent),
            left,
            top,
            width,
            height,
            buffer: changes.collect(),
            ..Frame::default()
        })
        .map_err(failed)?;
        file.get_mut().flush().map_err(RenderError::write)?;
        ends = hundredths;
        if is_still {
            before = pixels;
        }
    }
    let to = file.into_inner().map_err(failed)?;
    to.flush().map_err(RenderError::write)
}

/// Returns a time in hundredths of a second. Browsers take 1 and 0 for a tenth of a second.
fn delay(hundredths: u128) -> Result<u16, RenderError> {
    let delay = hundredths.max(2).try_into();
    delay.map_err(|_| RenderError::LongFrame)
}

/// Converts an error of the encoder. Only the writer's are expected; the others report a misuse of the encoder.
fn failed(error: gif::EncodingError) -> RenderError {
    RenderError::write(match error {
        gif::EncodingError::Io(source) => source,
        other => std::io::Error::other(other),
    })
}
