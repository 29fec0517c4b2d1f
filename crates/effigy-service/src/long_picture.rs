//! Pictures that take long: drawn while they are sent, and few at once.

use std::{fmt, sync::Arc, time::SystemTime};

use bytes::Bytes;
use effigy_render::RenderError;
use effigy_store::{CachedImage, Store};
use effigy_upstream::SkinSource;
use tokio::{runtime::Handle, sync::oneshot, time::Instant};

use crate::{
    Event, Fingerprint, Image, Origin, Picture, PlayerSkin, Service, ServiceError,
    flow::Order,
    image::PNG,
    pool::drawing,
    pool::picture_stream::{Chunks, PictureStream, is_of_the_client},
    service::{Inner, Shared},
};

/// A picture that takes long, as it is to be had.
#[derive(Debug)]
pub enum Long<St, So> {
    /// It was drawn before, and kept.
    Kept(Image),
    /// It is yet to be drawn.
    ToDraw(Box<LongPicture<St, So>>),
}

/// A picture of a player that is known, and not yet drawn.
pub struct LongPicture<St, So> {
    inner: Arc<Inner<St, So>>,
    order: Order,
    resolved: Arc<PlayerSkin>,
    /// Equal for pictures with the same bytes: they are made of the same texture in the same way.
    pub fingerprint: Fingerprint,
    /// As of when it is the player's.
    pub created_at: SystemTime,
    /// What it shows.
    pub origin: Origin,
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// The picture of the player that `input` names, where [`Picture::is_long`]: it is drawn while
    /// it is sent, for each who asks anew until somebody has had all of it.
    ///
    /// # Errors
    /// When the player cannot be resolved.
    pub async fn long_picture(
        &self,
        picture: Picture,
        input: &str,
    ) -> Result<Long<St, So>, Arc<ServiceError>> {
        let key = picture.cache_key(input);
        let outcome = match Order::take(picture, input, key) {
            Ok(order) => Arc::clone(&self.inner).find_long(order).await,
            Err(error) => Err(Arc::new(error)),
        };
        outcome.inspect_err(|error| self.inner.log_failure(picture.endpoint(), input, error))
    }
}

impl<St, So> Inner<St, So>
where
    St: Store,
    So: SkinSource,
{
    async fn find_long(self: Arc<Self>, order: Order) -> Shared<Long<St, So>> {
        let last = self.last(&order.key).await;
        if let Some(image) = last.as_ref().filter(|image| image.origin == Origin::Cache) {
            return Ok(Long::Kept(image.clone()));
        }
        let resolved = Arc::clone(&self).skin_for(&order, last.is_some()).await;
        let resolved = match (resolved, last) {
            (Err(error), Some(stale)) if error.is_outage() => {
                // The caller does not see the failure, so the log has to tell it.
                self.log_failure(order.picture.endpoint(), &order.input, &error);
                return Ok(Long::Kept(stale));
            }
            (resolved, _) => resolved?,
        };
        Ok(Long::ToDraw(Box::new(LongPicture {
            fingerprint: fingerprint(&order.key, &resolved),
            created_at: self.clock.now(),
            origin: Origin::of(resolved.origin),
            inner: self,
            order,
            resolved,
        })))
    }
}

/// The drawing is the same for the same texture and model, and otherwise only for the same version.
fn fingerprint(key: &str, resolved: &PlayerSkin) -> Fingerprint {
    let model = format!("{:?}", resolved.skin.model());
    let parts = [env!("CARGO_PKG_VERSION"), &model, key].join("\0");
    Fingerprint::of(&[parts.as_bytes(), &resolved.texture].concat())
}

impl<St, So> LongPicture<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// Begins to draw; the first bytes are there then. What fails later ends the stream early.
    ///
    /// # Errors
    /// When too many others are being drawn, or nothing can be drawn at all.
    pub async fn begin(self) -> Result<PictureStream, Arc<ServiceError>> {
        let place = Arc::clone(&self.inner.long_places.places).try_acquire_owned();
        let place = place.map_err(|_| self.refused())?;
        self.inner.writer.increment(self.order.player.edition());

        let (end, outcome) = oneshot::channel();
        let turns = Arc::clone(&self.inner.long_places.turns);
        let runtime = Handle::current();
        let (chunks, received) = Chunks::new(turns, runtime.clone());
        let work = move || {
            // What is kept is written by a task.
            let _inside = runtime.enter();
            let outcome = self.draw(chunks);
            drop(place);
            // Nobody hears it where the client has gone.
            let _ = end.send(outcome);
        };
        drawing::start("long drawing", work).map_err(|error| {
            tracing::error!("no thread draws a long picture: {error}");
            Arc::new(ServiceError::Interrupted)
        })?;
        PictureStream::begin(received, outcome).await
    }

    fn refused(&self) -> Arc<ServiceError> {
        let pool = "long pictures";
        self.failed(ServiceError::Overloaded { pool })
    }

    fn failed(&self, error: ServiceError) -> Arc<ServiceError> {
        let order = &self.order;
        let endpoint = order.picture.endpoint();
        self.inner.log_failure(endpoint, &order.input, &error);
        Arc::new(error)
    }

    fn draw(&self, mut chunks: Chunks) -> Shared<()> {
        let begun = Instant::now();
        let (picture, skin) = (self.order.picture, &self.resolved.skin);
        chunks.wait_for_turn();
        let drawn = picture.draw_to(skin, &mut chunks).and_then(|_| {
            let sent = chunks.send();
            sent.map_err(|source| RenderError::Write { source })
        });
        match drawn {
            Ok(()) => {
                self.inner.observer.tell(Event::Drawn {
                    endpoint: picture.endpoint(),
                    took: begun.elapsed(),
                });
                self.keep(chunks.into_kept());
                Ok(())
            }
            Err(RenderError::Write { source }) if is_of_the_client(&source) => {
                tracing::debug!("a long picture was not drawn to its end: {source}");
                Err(Arc::new(ServiceError::Interrupted))
            }
            Err(error) => Err(self.failed(error.into())),
        }
    }

    /// Keeps the file for those who ask next, where it is short enough for that.
    fn keep(&self, file: Option<Vec<u8>>) {
        let Some(file) = file else {
            return;
        };
        let file = CachedImage {
            data: Bytes::from(file),
            content_type: PNG.to_owned(),
            created_at: self.created_at,
        };
        let image = Image::new(file, self.origin);
        self.inner.keep(self.order.key.clone(), &image);
    }
}

impl<St, So> fmt::Debug for LongPicture<St, So> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LongPicture")
            .field("picture", &self.order.picture)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}
