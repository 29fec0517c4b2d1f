//! Drawing, on the drawing threads.

use std::{cell::RefCell, io::Write, time::Instant};

use effigy_render::{ImageFormat, Picture, PictureSpec, RenderError, Renderer};
use flate2::{Compression, write::GzEncoder};

use super::step::Flow;
use crate::{BoundedBuffer, Image, PictureParams, ServiceError, Turn, players::Appearance};

/// The memory of any picture beside that of drawing it: the file, and the skin.
const BASE_BYTES: u64 = 1 << 20;

impl Flow<'_> {
    /// Draws a picture when it is the client's turn. A player's unmodified texture takes no drawing.
    pub(super) async fn draw(
        &self,
        params: PictureParams,
        appearance: impl FnOnce() -> Result<Appearance, ServiceError> + Send + 'static,
    ) -> Result<Image, ServiceError> {
        let (clock, spec, format) = (self.state.clock.clone(), params.spec(), params.format());
        let memory = spec.map_or(0, |spec| drawing_bytes(&spec, 1));
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
        ImageFormat::Svg => {
            let mut gzip = GzEncoder::new(buffer, Compression::default());
            write(picture, format, &mut gzip)?;
            let finished = gzip.finish();
            buffer = finished.map_err(|source| RenderError::Write { source })?;
        }
        _ => write(picture, format, &mut buffer)?,
    }
    Ok(buffer.into_bytes())
}

/// Writes a picture with the renderer of this thread.
fn write(
    picture: &Picture<'_>,
    format: ImageFormat,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    thread_local! {
        static RENDERER: RefCell<Renderer> = RefCell::default();
    }
    RENDERER.with_borrow_mut(|renderer| renderer.write(picture, format, to))
}

/// Returns the memory that a picture takes while it is drawn: of one player, or of several in so many columns.
pub(super) fn drawing_bytes(spec: &PictureSpec, columns: u64) -> usize {
    let bytes = spec.drawing_bytes(columns).saturating_add(BASE_BYTES);
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
