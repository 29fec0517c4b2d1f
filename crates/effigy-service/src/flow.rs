//! The way of a picture request: key, cache, resolve, count, render, store.

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::{Edition, PlayerId};
use effigy_render::Skin;
use effigy_store::{CachedImage, Store};
use effigy_upstream::{Resolved, SkinSource};

use crate::{
    Image, Origin, Picture, Service, ServiceError,
    error::chain,
    image::PNG,
    service::{Inner, Shared},
};

/// So many characters of an input appear in the log.
const LOGGED_INPUT: usize = 64;

/// A picture of a player that is to be had: the size can exist and the input names somebody.
struct Order {
    picture: Picture,
    player: PlayerId,
    key: String,
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    /// The picture of the player that `input` names.
    ///
    /// # Errors
    /// When the player cannot be resolved or the picture cannot be drawn; never for what the
    /// database does. Callers that wait for the same work share its error.
    pub async fn image(&self, picture: Picture, input: &str) -> Result<Image, Arc<ServiceError>> {
        let order = Order::take(picture, input)
            .map_err(Arc::new)
            .inspect_err(|error| log_failure(picture, input, error))?;
        let inner = Arc::clone(&self.inner);
        let asked = input.to_owned();
        // The look-up in the cache is part of the shared work: were it done before, a caller
        // could miss what another one is about to store, and draw it again.
        self.inner
            .renders
            .run(order.key.clone(), || async move {
                inner
                    .serve(order)
                    .await
                    .inspect_err(|error| log_failure(picture, &asked, error))
            })
            .await
            .unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }
}

impl Order {
    fn take(picture: Picture, input: &str) -> Result<Self, ServiceError> {
        if !picture.can_exist() {
            return Err(ServiceError::ImpossibleSize);
        }
        Ok(Self {
            picture,
            player: PlayerId::detect(input)?,
            key: picture.cache_key(input),
        })
    }
}

impl<St, So> Inner<St, So>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    async fn serve(self: Arc<Self>, order: Order) -> Shared<Image> {
        if let Some(image) = self.cached(&order.key).await {
            return Ok(image);
        }
        let edition = order.player.edition();
        let resolved = Arc::clone(&self).resolve(order.player).await?;
        let (image, ()) = tokio::join!(
            self.render(order.picture, resolved),
            self.count_render(edition)
        );
        let image = image?;
        if image.origin == Origin::Render {
            self.keep(&order.key, &image).await;
        }
        Ok(image)
    }

    /// The stored picture; none when the database fails, for then it can still be drawn.
    async fn cached(&self, key: &str) -> Option<Image> {
        let now = self.clock.now();
        match self.store.lookup(key, now).await {
            Ok(file) => file.map(|file| Image {
                file,
                origin: Origin::Cache,
            }),
            Err(error) => {
                tracing::warn!(key, "the cache was not read: {}", chain(&error));
                None
            }
        }
    }

    /// The player's skin, in one look-up for all who need it now.
    async fn resolve(self: Arc<Self>, player: PlayerId) -> Shared<Arc<Resolved<Skin>>> {
        let inner = Arc::clone(&self);
        self.look_ups
            .run(player.clone(), || async move {
                let source = Arc::clone(&inner);
                let resolved = inner
                    .upstream_calls
                    .run(move || source.source.resolve(&player))
                    .await?
                    .map_err(ServiceError::Upstream)?;
                Ok(Arc::new(resolved))
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
        let drawn = self
            .drawing
            .run(move || match picture.draw(&resolved.skin)? {
                Some(png) => Ok(Bytes::from(png)),
                None => Ok(Bytes::copy_from_slice(&resolved.texture)),
            })
            .await?;
        let file = CachedImage {
            data: drawn.map_err(ServiceError::Render)?,
            content_type: PNG.to_owned(),
            created_at: self.clock.now(),
        };
        Ok(Image { file, origin })
    }

    async fn count_render(&self, edition: Edition) {
        if let Err(error) = self.store.increment(edition, 1).await {
            tracing::warn!(%edition, "a render was not counted: {}", chain(&error));
        }
    }

    async fn keep(&self, key: &str, image: &Image) {
        if let Err(error) = self.store.put(key, &image.file).await {
            tracing::warn!(key, "a picture was not stored: {}", chain(&error));
        }
    }
}

/// Logs why a picture could not be given, with every cause: the one place that does.
fn log_failure(picture: Picture, input: &str, error: &ServiceError) {
    let endpoint = picture.endpoint().word();
    // Nobody's name is longer, and the log is no place for what a caller sends instead.
    let input: String = input.chars().take(LOGGED_INPUT).collect();
    tracing::warn!(endpoint, input, "{}", chain(error));
}
