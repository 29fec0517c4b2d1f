//! The way of a picture request: key, cache, resolve, count, render, store.

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_render::Skin;
use effigy_store::{CachedImage, Store, StoreError};
use effigy_upstream::{Resolved, SkinSource, Standing};

use crate::{
    Event, Image, Origin, Picture, Service, ServiceError,
    error::chain,
    image::PNG,
    service::{Inner, Shared},
};

/// So many characters of an input appear in the log.
const LOGGED_INPUT: usize = 64;

/// How long a picture waits for the database to say whether it has it. To draw it anew takes about
/// as long.
const READ_PATIENCE: Duration = Duration::from_secs(1);

/// A picture of a player that is to be had: the size can exist and the input names somebody.
struct Order {
    picture: Picture,
    input: String,
    player: PlayerId,
    key: String,
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    /// The picture of the player that `input` names, where it is in memory: without a task, a
    /// database or an await. That it is there says that the input and the size are good.
    #[must_use]
    pub fn image_at_hand(&self, picture: Picture, input: &str) -> Option<Image> {
        self.inner.memory.get(&picture.cache_key(input), self.now())
    }

    /// The picture of the player that `input` names.
    ///
    /// # Errors
    /// When the player cannot be resolved or the picture cannot be drawn; never for what the
    /// database does. Callers that wait for the same work share its error.
    pub async fn image(&self, picture: Picture, input: &str) -> Result<Image, Arc<ServiceError>> {
        let key = picture.cache_key(input);
        if let Some(image) = self.inner.memory.get(&key, self.now()) {
            return Ok(image);
        }
        let order = Order::take(picture, input, key)
            .map_err(Arc::new)
            .inspect_err(|error| self.inner.log_failure(picture, input, error))?;
        let inner = Arc::clone(&self.inner);
        let asked = input.to_owned();
        // The look-up in the cache is part of the shared work, that in memory included: a caller
        // that has just missed there could otherwise draw again what another one stored meanwhile.
        self.inner
            .renders
            .run(order.key.clone(), || async move {
                let flow = Arc::clone(&inner);
                let outcome = flow.serve_in_turn(order).await;
                outcome.inspect_err(|error| inner.log_failure(picture, &asked, error))
            })
            .await
            .unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }
}

impl Order {
    fn take(picture: Picture, input: &str, key: String) -> Result<Self, ServiceError> {
        if !picture.can_exist() {
            return Err(ServiceError::ImpossibleSize);
        }
        Ok(Self {
            picture,
            input: input.to_owned(),
            player: PlayerId::detect(input)?,
            key,
        })
    }
}

impl<St, So> Inner<St, So>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    /// Serves, unless too many others are being served.
    async fn serve_in_turn(self: Arc<Self>, order: Order) -> Shared<Image> {
        let inner = Arc::clone(&self);
        let Ok(_place) = inner.misses.try_acquire() else {
            return Err(Arc::new(ServiceError::Overloaded { pool: "pictures" }));
        };
        self.serve(order).await
    }

    async fn serve(self: Arc<Self>, order: Order) -> Shared<Image> {
        let last = self.last(&order.key).await;
        if let Some(image) = last.as_ref().filter(|image| image.origin == Origin::Cache) {
            return Ok(image.clone());
        }
        let edition = order.player.edition();
        let resolved = Arc::clone(&self).resolve(order.player).await;
        let resolved = match last {
            Some(stale) if is_outage(&resolved) => {
                // The caller does not see the failure, so the log has to tell it. That of a
                // stand-in it has.
                let failure = resolved.err();
                failure.inspect(|error| self.log_failure(order.picture, &order.input, error));
                return Ok(stale);
            }
            _ => resolved?,
        };
        self.writer.increment(edition);
        let image = self.render(order.picture, resolved).await?;
        if image.origin == Origin::Render {
            self.writer.put(&order.key, &image.file);
            self.memory.put(order.key, &image);
        }
        Ok(image)
    }

    /// The last picture: that in memory, or else the stored one, or that which will be, which then
    /// is in memory too. Once its hour is over it is stale, and kept only where that is wanted.
    async fn last(&self, key: &str) -> Option<Image> {
        let now = self.clock.now();
        let is_fresh = |file: &CachedImage| !file.time_left(now).is_zero();
        let in_memory = self.memory.last(key, now);
        if let Some(image) = in_memory.as_ref().filter(|image| is_fresh(&image.file)) {
            return Some(image.clone());
        }
        let stored = self.stored(key, now).await;
        let both = stored.into_iter().chain(in_memory);
        let mut last = both.max_by_key(|image| image.file.created_at)?;
        self.memory.put(key.to_owned(), &last);
        if !is_fresh(&last.file) {
            last.origin = Origin::Stale;
        }
        Some(last)
    }

    /// The stored picture; none when the database fails, for then it can still be drawn.
    async fn stored(&self, key: &str, now: SystemTime) -> Option<Image> {
        let waiting = self.writer.pending(key);
        if let Some(file) = waiting.filter(|file| !file.time_left(now).is_zero()) {
            return Some(Image::of(file, Origin::Cache));
        }
        if !self.reads.may_try(Instant::now()) {
            return None;
        }
        let begun = Instant::now();
        let look_up = self.store.lookup_within(key, now, self.lifetime);
        let look_up = tokio::time::timeout(READ_PATIENCE, look_up);
        let found = look_up.await.unwrap_or(Err(StoreError::TimedOut {
            operation: "look an image up",
            limit: READ_PATIENCE,
        }));
        self.observer.tell(Event::Read {
            took: begun.elapsed(),
            answered: found.is_ok(),
        });
        match found {
            Ok(file) => {
                self.reads.succeeded(Instant::now());
                file.map(|file| Image::new(file, Origin::Cache))
            }
            Err(error) => {
                self.reads.failed(&error, Instant::now());
                None
            }
        }
    }

    /// The player's skin, in one look-up for all who need it now.
    async fn resolve(self: Arc<Self>, player: PlayerId) -> Shared<Arc<Resolved<Skin>>> {
        let inner = Arc::clone(&self);
        self.look_ups
            .run(player.clone(), || async move {
                let (source, begun) = (Arc::clone(&inner), Instant::now());
                let call = move || source.source.resolve(&player);
                let resolved = inner.upstream_calls.run(call).await?;
                inner.observer.tell(Event::Resolved {
                    took: begun.elapsed(),
                    found: resolved.is_ok(),
                });
                Ok(Arc::new(resolved.map_err(ServiceError::Upstream)?))
            })
            .await
            .unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }

    async fn render(
        &self,
        picture: Picture,
        resolved: Arc<Resolved<Skin>>,
    ) -> Result<Image, ServiceError> {
        let origin = if resolved.standing.is_storable() {
            Origin::Render
        } else {
            Origin::OutageStandIn
        };
        let (clock, observer) = (self.clock.clone(), self.observer.clone());
        let drawn = self.drawing.run(move || {
            let begun = Instant::now();
            let data = match picture.draw(&resolved.skin)? {
                Some(png) => Bytes::from(png),
                None => Bytes::copy_from_slice(&resolved.texture),
            };
            observer.tell(Event::Drawn {
                endpoint: picture.endpoint(),
                took: begun.elapsed(),
            });
            let file = CachedImage {
                data,
                content_type: PNG.to_owned(),
                created_at: clock.now(),
            };
            Ok(Image::new(file, origin))
        });
        drawn.await?.map_err(ServiceError::Render)
    }

    /// Logs why a picture could not be given, with every cause: the one place that does.
    fn log_failure(&self, picture: Picture, input: &str, error: &ServiceError) {
        if error.retry_after().is_some() {
            let pool = match *error {
                ServiceError::Overloaded { pool } => pool,
                _ => "an upstream",
            };
            self.observer.tell(Event::Refused { pool });
            // There are as many of these as there are requests too many.
            if let Some(unsaid) = self.overload.due(Instant::now()) {
                tracing::warn!(unsaid, "requests are refused: {}", chain(error));
            }
            return;
        }
        let endpoint = picture.endpoint().word();
        // Nobody's name is longer, and the log is no place for what a caller sends instead.
        let input: String = input.chars().take(LOGGED_INPUT).collect();
        tracing::warn!(endpoint, input, "{}", chain(error));
    }
}

/// Whether what came of looking a player up tells nothing about the player.
fn is_outage(resolved: &Shared<Arc<Resolved<Skin>>>) -> bool {
    match resolved {
        Ok(resolved) => resolved.standing == Standing::Outage,
        Err(error) => error.is_outage(),
    }
}
