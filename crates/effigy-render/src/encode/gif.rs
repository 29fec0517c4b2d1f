//! GIF files.

use std::io::Write;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, Repeat};

use crate::encode::changed;
use crate::encode::quantizer::{GifPalette, Samples};
use crate::scratch::{Scratch, reserve};
use crate::{Frame, Picture, RenderError};

/// The least delay between frames, in hundredths of a second. Browsers take 0 and 1 hundredths for
/// a tenth of a second.
const LEAST_DELAY: u128 = 2;

/// Writes pictures of one size, each with its time, as a GIF file that repeats them for ever. All
/// have one palette, so that no color flickers.
pub(crate) fn write_gif<'a, F: Frame<'a>>(
    frames: &[F],
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let first = frames.first().ok_or(RenderError::NoFrames)?;
    let size = first.picture().size;
    let screen = Screen::of_size(size)?;
    if frames.iter().any(|frame| frame.picture().size != size) {
        return Err(RenderError::UnequalFrames);
    }
    let survey = Survey::of(frames, &screen, scratch, to)?;
    let mut file = GifWriter::new(screen, survey, frames.len(), to)?;
    for frame in frames {
        file.write_frame(frame.picture(), frame.time(), scratch)?;
    }
    file.finish()
}

/// The size of a GIF, whose sides have 16 bits.
struct Screen {
    width: u16,
    height: u16,
}

impl Screen {
    fn of_size([width, height]: [u32; 2]) -> Result<Screen, RenderError> {
        let (Ok(short_width), Ok(short_height)) = (u16::try_from(width), u16::try_from(height))
        else {
            return Err(RenderError::TooLarge {
                width: width.into(),
                height: height.into(),
            });
        };
        Ok(Screen {
            width: short_width,
            height: short_height,
        })
    }

    fn pixels(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }
}

/// The properties that all frames have together.
struct Survey {
    palette: GifPalette,
    /// `true` for each opaque pixel of the last frame.
    last_opacities: Vec<bool>,
    /// `true` if each pixel is opaque in all frames or transparent in all frames. Then a frame can
    /// be written on top of the one before it, because no pixel has to become transparent.
    keeps_silhouette: bool,
}

impl Survey {
    /// Draws all frames once, to find the colors that they share.
    fn of<'a, F: Frame<'a>>(
        frames: &[F],
        screen: &Screen,
        scratch: &mut Scratch,
        to: &mut dyn Write,
    ) -> Result<Survey, RenderError> {
        let mut samples = Samples::of(frames.len().saturating_mul(screen.pixels()));
        let mut last_opacities = Vec::new();
        let mut keeps_silhouette = true;
        for frame in frames {
            let flush = || to.flush().map_err(RenderError::write);
            let is_opaque = |pixel| samples.add(pixel);
            let opacities = frame.picture().pixels(scratch, is_opaque, flush)?;
            if !last_opacities.is_empty() && last_opacities != opacities {
                keeps_silhouette = false;
            }
            last_opacities = opacities;
        }
        Ok(Survey {
            palette: samples.into_palette(),
            last_opacities,
            keeps_silhouette,
        })
    }

    /// Returns the indices of a transparent picture. They reuse the memory of the opacities, so
    /// there is no allocation that could fail.
    fn blank_indices(opacities: Vec<bool>, transparent: u8) -> Vec<u8> {
        opacities.into_iter().map(|_| transparent).collect()
    }
}

/// Writes a GIF frame by frame.
struct GifWriter<'t> {
    /// The encoder writes into memory, from which each part of the file is passed on. It ends the
    /// file even after an error; that end is not passed on.
    encoder: Encoder<Vec<u8>>,
    to: &'t mut dyn Write,
    width: usize,
    palette: GifPalette,
    /// A frame stays below the next one only if no pixel has to become transparent.
    keeps_silhouette: bool,
    /// The indices of the pixels that are shown below the next frame.
    below: Vec<u8>,
    /// The time of all frames so far.
    time: Duration,
    /// The hundredths of a second at which the last written frame ends.
    end: u128,
    /// The number of frames that are still to come.
    left: usize,
}

impl<'t> GifWriter<'t> {
    /// Begins a file of this many frames.
    fn new(
        screen: Screen,
        survey: Survey,
        frames: usize,
        to: &'t mut dyn Write,
    ) -> Result<GifWriter<'t>, RenderError> {
        let Screen { width, height } = screen;
        let palette = survey.palette;
        let transparent = palette.transparent();
        let channels = palette.channels();
        let mut encoder = Encoder::new(Vec::new(), width, height, &channels).map_err(failed)?;
        if frames > 1 {
            encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        }
        Ok(GifWriter {
            encoder,
            to,
            width: width.into(),
            palette,
            keeps_silhouette: survey.keeps_silhouette,
            below: Survey::blank_indices(survey.last_opacities, transparent),
            time: Duration::ZERO,
            end: 0,
            left: frames,
        })
    }

    /// Writes the next frame. One that is too short is left out, unless it is the last one, and the
    /// next one is shown for longer.
    fn write_frame(
        &mut self,
        picture: &Picture<'_>,
        time: Duration,
        scratch: &mut Scratch,
    ) -> Result<(), RenderError> {
        let total = self.time.checked_add(time);
        self.time = total.ok_or(RenderError::LongFrame)?;
        self.left -= 1;
        let end = (self.time.as_millis() + 5) / 10;
        let delay = end - self.end;
        if delay < LEAST_DELAY && self.left > 0 {
            return Ok(());
        }
        let pixels = self.indices(picture, scratch)?;
        let mut frame = self.changed_part(&pixels)?;
        let long_delay = u16::try_from(delay.max(LEAST_DELAY));
        frame.delay = long_delay.map_err(|_| RenderError::LongFrame)?;
        self.encoder.write_frame(&frame).map_err(failed)?;
        pass_on(self.encoder.get_mut(), self.to)?;
        self.end = end;
        if self.keeps_silhouette {
            self.below = pixels;
        }
        Ok(())
    }

    /// Draws a picture, and returns the indices of its pixels.
    fn indices(
        &mut self,
        picture: &Picture<'_>,
        scratch: &mut Scratch,
    ) -> Result<Vec<u8>, RenderError> {
        let palette = &mut self.palette;
        let index = |pixel| palette.index(pixel);
        let flush = || self.to.flush().map_err(RenderError::write);
        picture.pixels(scratch, index, flush)
    }

    /// Returns the rectangle in which pixels differ from those below. Pixels in it that don't
    /// differ are transparent.
    fn changed_part(&self, pixels: &[u8]) -> Result<gif::Frame<'static>, RenderError> {
        let [columns, rows] = changed(&self.below, pixels, self.width);
        let transparent = self.palette.transparent();
        let mut buffer = Vec::new();
        reserve(&mut buffer, columns.len(), rows.len())?;
        for row in rows.clone() {
            for column in columns.clone() {
                let at = row * self.width + column;
                let is_same = pixels[at] == self.below[at];
                buffer.push(if is_same { transparent } else { pixels[at] });
            }
        }
        let side = |length| u16::try_from(length).expect("a part of the picture");
        Ok(gif::Frame {
            left: side(columns.start),
            top: side(rows.start),
            width: side(columns.len()),
            height: side(rows.len()),
            dispose: if self.keeps_silhouette {
                DisposalMethod::Keep
            } else {
                DisposalMethod::Background
            },
            transparent: Some(transparent),
            buffer: buffer.into(),
            ..gif::Frame::default()
        })
    }

    /// Ends the file.
    fn finish(self) -> Result<(), RenderError> {
        let mut rest = self.encoder.into_inner().map_err(failed)?;
        pass_on(&mut rest, self.to)
    }
}

/// Takes a part of a file, writes it, and flushes the writer.
fn pass_on(part: &mut Vec<u8>, to: &mut dyn Write) -> Result<(), RenderError> {
    let bytes = std::mem::take(part);
    to.write_all(&bytes).map_err(RenderError::write)?;
    to.flush().map_err(RenderError::write)
}

/// Converts an error of the encoder. Only a lack of memory is expected; the others report a misuse
/// of the encoder.
fn failed(error: gif::EncodingError) -> RenderError {
    match error {
        gif::EncodingError::OutOfMemory => RenderError::OutOfMemory,
        other => RenderError::write(std::io::Error::other(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They decide how many pixels the palette is learned from, and so the memory that it takes.
    #[test]
    fn screen_has_the_pixels_of_its_sides() {
        let screen = Screen::of_size([640, 480]).unwrap();
        assert_eq!(screen.pixels(), 307_200);
    }
}
