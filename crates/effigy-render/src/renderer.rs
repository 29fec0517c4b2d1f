//! Renderers, which turn pictures into pixels and files.

use std::io::Write;
use std::time::Duration;

use crate::picture::painter::{Progress, strip_rows};
use crate::scratch::Scratch;
use crate::{Frame, ImageFormat, Picture, PixelLayout, RenderError, encode, svg};

/// Draws pictures one after another, and keeps memory from one to the next.
///
/// The first picture of a pose from a side takes up to half a millisecond longer, because its boxes
/// have to be divided and sorted. A renderer keeps the result for the last 48 combinations of pose,
/// model, layers and viewer. A program with several threads needs a renderer for each:
/// [`Renderer::sharing_figures`] makes one that doesn't begin without these results.
#[derive(Default)]
pub struct Renderer {
    pub(crate) scratch: Scratch,
}

impl Renderer {
    /// A renderer that has drawn nothing.
    #[must_use]
    pub fn new() -> Renderer {
        Renderer::default()
    }

    /// A renderer for another thread, with its own memory for pixels. It shares the divided figures
    /// of this renderer, so that each figure is divided only once.
    ///
    /// ```
    /// use effigy_render::Renderer;
    ///
    /// let renderer = Renderer::new();
    /// let of_thread = renderer.sharing_figures();
    /// std::thread::spawn(move || drop(of_thread));
    /// ```
    #[must_use]
    pub fn sharing_figures(&self) -> Renderer {
        Renderer {
            scratch: Scratch {
                figures: self.scratch.figures.clone(),
                ..Scratch::default()
            },
        }
    }

    /// Returns a picture as a file.
    ///
    /// # Errors
    ///
    /// The errors of [`Renderer::write`].
    pub fn encode(
        &mut self,
        picture: &Picture<'_>,
        format: ImageFormat,
    ) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write(picture, format, &mut file)?;
        Ok(file)
    }

    /// Writes a picture as a file. If the writer fails, drawing stops. The writer is flushed after
    /// each strip of rows, and after each player in a strip, so it can stop a drawing even while
    /// there is nothing to write: a thousand empty rows compress to a few bytes.
    ///
    /// # Errors
    ///
    /// [`RenderError::Write`] with the writer's error, [`RenderError::OutOfMemory`],
    /// [`RenderError::SvgTooLong`] for an SVG file of more than [`Picture::MAX_SVG_BYTES`], and
    /// [`RenderError::TooLarge`] for a GIF of more than 65,535 pixels to a side.
    pub fn write(
        &mut self,
        picture: &Picture<'_>,
        format: ImageFormat,
        mut to: impl Write,
    ) -> Result<(), RenderError> {
        match format {
            ImageFormat::Png => encode::write_png(picture, &mut self.scratch, &mut to),
            ImageFormat::Svg => svg::write_svg(picture, &self.scratch.figures, &mut to),
            ImageFormat::Gif => self.write_frames([(picture, Duration::ZERO)], format, to),
        }
    }

    /// Writes the frames of an [`Animation`](crate::Animation), or other pictures of one size with
    /// the time for which each is shown, as an APNG or GIF file that repeats them. The writer is
    /// flushed after each frame. If it fails, drawing stops. For APNG, each picture is taken, drawn
    /// and written before the next one; for GIF, all pictures are drawn twice, because they share
    /// one palette.
    ///
    /// # Errors
    ///
    /// [`RenderError::NoFrames`], [`RenderError::UnequalFrames`], [`RenderError::LongFrame`],
    /// [`RenderError::StillFormat`] for SVG, [`RenderError::TooLarge`] for a GIF of more than
    /// 65,535 pixels to a side, [`RenderError::Write`] with the writer's error, and
    /// [`RenderError::OutOfMemory`].
    pub fn write_frames<'a, F: Frame<'a>>(
        &mut self,
        frames: impl IntoIterator<Item = F, IntoIter: ExactSizeIterator>,
        format: ImageFormat,
        mut to: impl Write,
    ) -> Result<(), RenderError> {
        let frames = frames.into_iter();
        match format {
            ImageFormat::Png => encode::write_apng(frames, &mut self.scratch, &mut to),
            ImageFormat::Svg => Err(RenderError::StillFormat),
            ImageFormat::Gif => {
                let frames: Vec<F> = frames.collect();
                encode::write_gif(&frames, &mut self.scratch, &mut to)
            }
        }
    }

    /// The number of rows that are drawn at once in a picture of this width, unless the picture is
    /// lower. The memory for drawing grows with it.
    #[must_use]
    pub fn strip_rows(width: u64) -> u64 {
        strip_rows(usize::try_from(width).unwrap_or(usize::MAX)) as u64
    }

    /// Draws a picture strip by strip: some whole rows of straight RGBA at a time, from the top.
    /// Drawing stops at the first error.
    ///
    /// # Errors
    ///
    /// The error of `take`, or [`RenderError::OutOfMemory`].
    pub fn strips<E: From<RenderError>>(
        &mut self,
        picture: &Picture<'_>,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        picture.draw(&mut self.scratch, |progress| match progress {
            Progress::Player => Ok(()),
            Progress::Strip(strip) => take(strip.as_flattened()),
        })
    }

    /// Draws a picture to straight RGBA, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn to_rgba(&mut self, picture: &Picture<'_>) -> Result<Vec<u8>, RenderError> {
        let pixels = picture.pixels(&mut self.scratch, |pixel| pixel, || Ok(()))?;
        Ok(pixels.into_flattened())
    }

    /// Replaces the pixels in memory of the caller by the pixels of a picture, row by row from the
    /// top left. Transparent pixels replace others too; to compose pictures, use `draw_into` of the
    /// feature `tiny-skia`. The bytes between the end of a row and the next one, and below the
    /// picture, stay as they are.
    ///
    /// # Errors
    ///
    /// [`RenderError::ShortBuffer`] if the memory or the stride is too short, and
    /// [`RenderError::OutOfMemory`].
    pub fn render_into(
        &mut self,
        picture: &Picture<'_>,
        layout: PixelLayout,
        pixels: &mut [u8],
    ) -> Result<(), RenderError> {
        let [width, height] = picture.size.map(|side| side as usize);
        let row_bytes = width.saturating_mul(4);
        let stride = layout.stride.unwrap_or(row_bytes);
        // The last row needs no gap.
        let needed = stride.saturating_mul(height - 1).saturating_add(row_bytes);
        if stride < row_bytes {
            return Err(RenderError::ShortBuffer {
                bytes: stride,
                needed: row_bytes,
            });
        }
        if pixels.len() < needed {
            return Err(RenderError::ShortBuffer {
                bytes: pixels.len(),
                needed,
            });
        }
        let mut rows = pixels.chunks_mut(stride);
        picture.draw(&mut self.scratch, |progress| {
            if let Progress::Strip(strip) = progress {
                for (drawn, row) in strip.chunks_exact(width).zip(&mut rows) {
                    for (&color, pixel) in drawn.iter().zip(row.as_chunks_mut().0) {
                        *pixel = layout.pixel(color);
                    }
                }
            }
            Ok(())
        })
    }
}

impl Picture<'_> {
    /// The picture as a file. To draw several, use a [`Renderer`].
    ///
    /// # Errors
    ///
    /// The errors of [`Renderer::write`].
    pub fn encode(&self, format: ImageFormat) -> Result<Vec<u8>, RenderError> {
        Renderer::new().encode(self, format)
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn encode_png(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Png)
    }

    /// Writes the picture as a file, strip by strip. If the writer fails, drawing stops.
    ///
    /// # Errors
    ///
    /// The errors of [`Renderer::write`].
    pub fn write(&self, format: ImageFormat, to: impl Write) -> Result<(), RenderError> {
        Renderer::new().write(self, format, to)
    }

    /// The picture's pixels: straight RGBA, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn to_rgba(&self) -> Result<Vec<u8>, RenderError> {
        Renderer::new().to_rgba(self)
    }
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").finish_non_exhaustive()
    }
}
