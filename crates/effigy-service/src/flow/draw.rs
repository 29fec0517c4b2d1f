//! Drawing, on the drawing threads.

use std::{
    io::{self, Write},
    time::Instant,
};

use effigy_render::{Decoration, ImageFormat, Picture, PictureSpec, RenderError};
use flate2::{Compression, write::GzEncoder};

use super::step::Flow;
use crate::{BoundedBuffer, Image, PictureParams, ServiceError, Turn, players::Appearance};

/// The memory for each pixel of the width: 16 rows of a strip, the borders of columns, a few rows
/// before and after their compression.
const BYTES_PER_COLUMN: u64 = 104;

/// The memory for each pixel of a picture that is not drawn in strips: the pixel, and the same one of the
/// picture without its decoration.
const BYTES_PER_PIXEL: u64 = 8;

/// The memory of any picture: the file, the skin, and what depends on the skin.
const BASE_BYTES: usize = 1 << 20;

/// The longest SVG before it is compressed. A figure with a skin 512 texels wide fits.
const MAX_SVG_BYTES: usize = 8 << 20;

impl Flow<'_> {
    /// Draws a picture when it is the client's turn. A player's unmodified texture takes no drawing.
    pub(super) async fn draw(
        &self,
        params: PictureParams,
        appearance: impl FnOnce() -> Result<Appearance, ServiceError> + Send + 'static,
    ) -> Result<Image, ServiceError> {
        let (clock, spec, format) = (self.state.clock.clone(), params.spec(), params.format());
        let memory = spec.map_or(0, |spec| drawing_bytes(&spec, format));
        let work = move |turn: &Turn| {
            let started = Instant::now();
            let appearance = appearance()?;
            let file = match spec {
                None => appearance.skin.texture.clone(),
                Some(spec) => {
                    let cape = appearance.decode_cape();
                    let picture = spec.picture(appearance.player(cape.as_ref()))?;
                    encode(&picture, format, turn)?.into()
                }
            };
            let origin = appearance.origin;
            let image = Image::made(file, format.content_type(), clock.now(), origin);
            Ok((image, started.elapsed()))
        };
        let drawn: Result<_, ServiceError> = self.client.work(memory, work).await?;
        let (image, duration) = drawn?;
        if spec.is_some() {
            self.state.metrics.renders[params.endpoint() as usize].observe(duration);
        }
        Ok(image)
    }
}

/// Draws a picture and encodes it, which is one pass. An SVG is compressed.
pub(super) fn encode(
    picture: &Picture<'_>,
    format: ImageFormat,
    turn: &Turn,
) -> Result<Vec<u8>, RenderError> {
    let mut buffer = BoundedBuffer::new(turn);
    match format {
        ImageFormat::Png => picture.write(format, &mut buffer)?,
        ImageFormat::Svg => {
            let mut svg = SvgWriter {
                gzip: GzEncoder::new(buffer, Compression::default()),
                turn,
                left: MAX_SVG_BYTES,
            };
            picture.write(format, &mut svg)?;
            let finished = svg.gzip.finish();
            buffer = finished.map_err(|source| RenderError::Write { source })?;
        }
    }
    Ok(buffer.into_bytes())
}

/// Compresses an SVG, and fails if it is too long.
struct SvgWriter<'a> {
    gzip: GzEncoder<BoundedBuffer<'a>>,
    turn: &'a Turn,
    left: usize,
}

impl Write for SvgWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The encoder passes little on.
        self.turn.checkpoint()?;
        let left = self.left.checked_sub(bytes.len());
        self.left = left.ok_or_else(|| io::Error::other("the SVG of such a skin is too long"))?;
        self.gzip.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.turn.checkpoint()
    }
}

/// Returns the memory that drawing a picture takes.
fn drawing_bytes(spec: &PictureSpec, format: ImageFormat) -> usize {
    let (width, height) = (spec.width(), spec.height());
    match format {
        ImageFormat::Svg => BASE_BYTES,
        ImageFormat::Png if spec.decoration == Decoration::NONE => {
            bytes(width.saturating_mul(BYTES_PER_COLUMN))
        }
        ImageFormat::Png => composition_bytes(width.saturating_mul(height)),
    }
}

/// Returns the memory that drawing a composition of that many pixels takes.
pub(super) fn composition_bytes(pixels: u64) -> usize {
    bytes(pixels.saturating_mul(BYTES_PER_PIXEL))
}

fn bytes(bytes: u64) -> usize {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    bytes.saturating_add(BASE_BYTES)
}
