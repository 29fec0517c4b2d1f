//! The flow of a large picture, which is drawn while it is sent.

use std::{fmt, sync::Arc, time::SystemTime};

use effigy_render::{ImageFormat, RenderError};
use effigy_upstream::warn_throttled;
use tokio::{runtime::Handle, time::Instant};

use super::{appearance::Appearance, cached::or_stale, skin::SkinId};
use crate::{
    Fingerprint, Image, MetricsSink, Observation, Origin, PictureParams, PictureRequest,
    PictureStream, Service, ServiceError,
    error::Shared,
    pool::{
        chunk_writer::{ChunkWriter, is_client_error},
        drawing::spawn_drawing_thread,
        large::{Cost, Opened},
    },
    request::key::Entry,
    service::Inner,
};

/// The answer to a picture request.
#[derive(Debug)]
pub enum PictureOutcome {
    /// A picture in memory.
    Image(Image),
    /// A large picture that is yet to be drawn.
    Large(Box<LargePicture>),
}

impl From<Image> for PictureOutcome {
    fn from(image: Image) -> Self {
        Self::Image(image)
    }
}

/// A large picture whose skin is known and which is not drawn yet.
pub struct LargePicture {
    inner: Arc<Inner>,
    params: PictureParams,
    entry: Entry,
    /// The skin for which the picture is counted and stored. A preview has none.
    skin_id: Option<SkinId>,
    look: Appearance,
    /// A hash of everything that the file depends on: the texture, the model, the parameters and the
    /// version of the renderer. Since it is not a hash of the file, it makes weak entity tags only.
    pub fingerprint: Fingerprint,
    /// The time at which the skin was resolved.
    pub created_at: SystemTime,
    /// The origin of the picture.
    pub origin: Origin,
}

impl Service {
    /// Finds a large picture in a cache or resolves its skin.
    pub(super) async fn large_picture(&self, request: PictureRequest) -> Shared<PictureOutcome> {
        let (inner, request) = (&self.inner, self.validate(request)?);
        let stale = match inner.find_cached(&request.entry).await {
            Ok(image) => return Ok(PictureOutcome::Image(image)),
            Err(stale) => stale,
        };
        let look = inner.appearance_for(&request, stale.is_some()).await;
        let entry = request.entry.clone();
        let found = look.map(|look| {
            PictureOutcome::Large(Box::new(LargePicture {
                skin_id: Some(request.skin),
                ..inner.new_large_picture(request.params, request.entry, look)
            }))
        });
        let found = found.inspect_err(|error| inner.log_failure(&entry, error));
        or_stale(found, stale)
    }
}

impl Inner {
    /// A large picture that is neither counted nor stored.
    pub(super) fn new_large_picture(
        self: &Arc<Self>,
        params: PictureParams,
        entry: Entry,
        look: Appearance,
    ) -> LargePicture {
        LargePicture {
            inner: Arc::clone(self),
            fingerprint: fingerprint(params, &entry, &look),
            created_at: self.clock.now(),
            origin: look.origin,
            params,
            entry,
            skin_id: None,
            look,
        }
    }
}

fn fingerprint(params: PictureParams, entry: &Entry, look: &Appearance) -> Fingerprint {
    let parameters = format!(
        "{}\0{params:?}\0{}\0{}\0{:?}\0{:?}\0",
        env!("CARGO_PKG_VERSION"),
        entry.key,
        look.skin.skin.model(),
        look.skin.name,
        look.cape_file.as_ref().map(|file| file.fingerprint),
    );
    Fingerprint::of(&[parameters.as_bytes(), &look.skin.texture].concat())
}

impl LargePicture {
    /// Returns `true` if the picture takes more than a quarter of what all large pictures may take.
    #[must_use]
    pub fn is_giant(&self) -> bool {
        Cost::of(self.params).is_giant()
    }

    /// Returns `true` if the player's skin may change at any time, so that clients have to ask whether it
    /// has.
    #[must_use]
    pub fn may_change(&self) -> bool {
        self.entry.revision.is_some()
    }

    /// Starts to draw, or joins a request for the same picture that is being drawn. Returns when the
    /// first bytes are there. A later failure breaks the stream.
    ///
    /// A picture is shared if its file can be cached. Of a longer one, only the requests that come
    /// before it has become too long share one drawing; later ones draw it again, because its first
    /// part is not in memory any more.
    ///
    /// # Errors
    /// If too many large pictures are in flight, or nothing can be drawn at all.
    pub async fn begin(self) -> Shared<PictureStream> {
        let large_pictures = &self.inner.large_pictures;
        let opened = large_pictures.open(self.fingerprint, Cost::of(self.params));
        let opened = opened.await;
        let opened = opened.map_err(|error| self.inner.failed(&self.entry, error))?;
        let (stream, writer) = match opened {
            Opened::Joined(stream) => return stream.started().await,
            Opened::New(stream, writer) => (stream, writer),
        };
        if let Some(skin) = &self.skin_id {
            self.inner.count_render(skin);
        }
        let runtime = Handle::current();
        let work = move || {
            // A picture that is stored starts a task.
            let _runtime = runtime.enter();
            self.draw(writer);
        };
        spawn_drawing_thread("large drawing", work).map_err(|error| {
            warn_throttled!("a large picture has no thread: {error}");
            Arc::new(ServiceError::Interrupted)
        })?;
        stream.started().await
    }

    fn draw(&self, mut writer: ChunkWriter) {
        let started = Instant::now();
        let outcome = match self.write(&mut writer) {
            Ok(()) => {
                self.inner.metrics.observe(Observation::Render {
                    endpoint: self.params.endpoint(),
                    duration: started.elapsed(),
                });
                // Stored before the stream ends, so that the next request is a hit.
                if self.skin_id.is_some()
                    && let Some(file) = writer.whole()
                {
                    let content_type = ImageFormat::Png.content_type();
                    let image = Image::made(file, content_type, self.created_at, self.origin);
                    self.inner.store(&self.entry, &image.of(&self.entry));
                }
                Ok(())
            }
            Err(RenderError::Write { source }) if is_client_error(&source) => {
                tracing::debug!("a large picture was not drawn to its end: {source}");
                Err(Arc::new(ServiceError::Interrupted))
            }
            Err(error) => Err(self.inner.failed(&self.entry, error.into())),
        };
        writer.end(outcome);
    }

    fn write(&self, writer: &mut ChunkWriter) -> Result<(), RenderError> {
        let failed = |source| RenderError::Write { source };
        writer.wait_for_turn().map_err(failed)?;
        let cape = self.look.cape();
        let player = self.look.player(cape.as_ref());
        self.params.draw_to(player, writer)?;
        writer.send().map_err(failed)
    }
}

impl fmt::Debug for LargePicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LargePicture")
            .field("params", &self.params)
            .field("entry", &self.entry)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}
