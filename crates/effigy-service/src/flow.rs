//! The way of a picture request: key, cache, resolve, count, render, store.

use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_store::{CachedImage, Store, StoreError};
use effigy_upstream::{SkinOrigin, SkinSource, UpstreamError};

use crate::{
    Endpoint, Event, Image, Origin, Picture, PlayerSkin, Service, ServiceError,
    error::chain,
    service::{Inner, Shared},
};

/// So many characters of an input appear in the log.
const LOGGED_INPUT: usize = 64;

/// How long a picture waits for the database to say whether it has it. To draw it anew takes about
/// as long.
const READ_PATIENCE: Duration = Duration::from_secs(1);

/// Longer files are kept nowhere: one of them would take the place of thousands that are asked for
/// more often. Bodies of more than about 18,000 pixels' width have such files.
pub(crate) const LONGEST_KEPT: usize = 8 << 20;

/// A picture of a player that is to be had: the size can exist and the input names somebody.
pub(crate) struct Order {
    pub(crate) picture: Picture,
    pub(crate) player: PlayerId,
    pub(crate) key: String,
    /// As it was asked for, for the log.
    pub(crate) input: String,
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource,
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
            .inspect_err(|error| self.inner.log_failure(picture.endpoint(), input, error))?;
        let key = order.key.clone();
        let make = |inner: Arc<Inner<St, So>>, has_last| inner.drawn(order, has_last);
        self.made_once(picture.endpoint(), input, key, make).await
    }

    /// The file under `key`: the one that is kept, or else the one that `make` makes, once for all
    /// who ask for it now. It is told whether there is a stale one to take its place in an outage.
    pub(crate) async fn made_once<F>(
        &self,
        endpoint: Endpoint,
        input: &str,
        key: String,
        make: impl FnOnce(Arc<Inner<St, So>>, bool) -> F + Send + 'static,
    ) -> Shared<Image>
    where
        F: Future<Output = Shared<Image>> + Send,
    {
        let inner = Arc::clone(&self.inner);
        let asked = input.to_owned();
        // The look-up in the cache is part of the shared work, that in memory included: a caller
        // that has just missed there could otherwise draw again what another one stored meanwhile.
        self.inner
            .renders
            .run(key.clone(), || async move {
                let flow = Arc::clone(&inner);
                let outcome = flow.serve_in_turn(endpoint, &asked, key, make).await;
                outcome.inspect_err(|error| inner.log_failure(endpoint, &asked, error))
            })
            .await
            .unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }
}

impl Order {
    pub(crate) fn take(picture: Picture, input: &str, key: String) -> Result<Self, ServiceError> {
        if !picture.can_exist() {
            return Err(ServiceError::ImpossibleSize);
        }
        Ok(Self {
            picture,
            player: PlayerId::detect(input)?,
            key,
            input: input.to_owned(),
        })
    }
}

impl<St, So> Inner<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// Serves, unless too many others are being served.
    async fn serve_in_turn<F>(
        self: Arc<Self>,
        endpoint: Endpoint,
        input: &str,
        key: String,
        make: impl FnOnce(Arc<Self>, bool) -> F,
    ) -> Shared<Image>
    where
        F: Future<Output = Shared<Image>>,
    {
        let inner = Arc::clone(&self);
        let Ok(_place) = inner.misses.try_acquire() else {
            return Err(Arc::new(ServiceError::Overloaded { pool: "pictures" }));
        };
        let last = self.last(&key).await;
        if let Some(image) = last.as_ref().filter(|image| image.origin == Origin::Cache) {
            return Ok(image.clone());
        }
        let image = match (make(Arc::clone(&self), last.is_some()).await, last) {
            (Err(error), Some(stale)) if error.is_outage() => {
                // The caller does not see the failure, so the log has to tell it.
                self.log_failure(endpoint, input, &error);
                return Ok(stale);
            }
            (made, _) => made?,
        };
        self.keep(key, &image);
        Ok(image)
    }

    /// Keeps a picture for those who ask next, unless it shows the wrong player or is too long.
    pub(crate) fn keep(&self, key: String, image: &Image) {
        if image.origin == Origin::Render && image.file.data.len() <= LONGEST_KEPT {
            self.writer.put(&key, &image.file);
            self.memory.put(key, image);
        }
    }

    /// The picture, newly drawn.
    async fn drawn(self: Arc<Self>, order: Order, has_last: bool) -> Shared<Image> {
        let resolved = Arc::clone(&self).skin_for(&order, has_last).await?;
        self.writer.increment(order.player.edition());
        Ok(self.render(order.picture, resolved).await?)
    }

    /// The skin to draw. Another player's does not take the place of a picture of this one's last.
    pub(crate) async fn skin_for(
        self: Arc<Self>,
        order: &Order,
        has_last: bool,
    ) -> Shared<Arc<PlayerSkin>> {
        let resolved = self.resolve(order.player.clone()).await?;
        let standing = resolved.origin;
        let is_wanted = match standing {
            SkinOrigin::Own | SkinOrigin::DefaultSkin => true,
            SkinOrigin::PlayerNotFound => order.picture.may_show_another(),
            SkinOrigin::Outage => order.picture.may_show_another() && !has_last,
        };
        if is_wanted {
            Ok(resolved)
        } else {
            Err(Arc::new(ServiceError::StandIn { standing }))
        }
    }

    /// The last picture: that in memory, or else the stored one, or that which will be, which then
    /// is in memory too. Once its hour is over it is stale, and kept only where that is wanted.
    pub(crate) async fn last(&self, key: &str) -> Option<Image> {
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
    pub(crate) async fn resolve(self: Arc<Self>, player: PlayerId) -> Shared<Arc<PlayerSkin>> {
        let inner = Arc::clone(&self);
        self.look_ups
            .run(player.clone(), || async move {
                let resolve = move |source: &So| PlayerSkin::resolve(source, &player);
                let resolved = inner.ask(resolve).await?;
                Ok(Arc::new(resolved))
            })
            .await
            .unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }

    /// Asks the source of skins, which may take its time.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&So) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let (inner, begun) = (Arc::clone(self), Instant::now());
        let call = move || question(&inner.source);
        let answer = self.upstream_calls.run(call).await?;
        self.observer.tell(Event::Resolved {
            took: begun.elapsed(),
            found: answer.is_ok(),
        });
        Ok(answer?)
    }

    pub(crate) async fn render(
        &self,
        picture: Picture,
        resolved: Arc<PlayerSkin>,
    ) -> Result<Image, ServiceError> {
        let origin = Origin::of(resolved.origin);
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
                content_type: picture.format().content_type().to_owned(),
                created_at: clock.now(),
            };
            Ok(Image::new(file, origin))
        });
        drawn.await?.map_err(ServiceError::Render)
    }

    /// Logs why a picture could not be given, with every cause: the one place that does.
    pub(crate) fn log_failure(&self, endpoint: Endpoint, input: &str, error: &ServiceError) {
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
        let endpoint = endpoint.word();
        // Nobody's name is longer, and the log is no place for what a caller sends instead.
        let input: String = input.chars().take(LOGGED_INPUT).collect();
        tracing::warn!(endpoint, input, "{}", chain(error));
    }
}
