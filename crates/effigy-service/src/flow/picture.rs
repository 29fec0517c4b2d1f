//! The flow of a picture request. Spec, "Common rules" 6.

use std::{sync::Arc, time::Instant};

use effigy_player::PlayerId;

use super::{
    appearance::Appearance, cached::Admission, large_picture::PictureOutcome, skin::SkinId,
};
use crate::{
    Image, MetricsSink, Observation, PictureParams, PictureRequest, Service, ServiceError,
    error::Shared, request::key::Entry, service::Inner,
};

/// A request that can succeed: the picture can exist, and the input can name a player.
#[derive(Debug)]
pub(super) struct ValidRequest {
    pub(super) params: PictureParams,
    pub(super) skin: SkinId,
    pub(super) reuses_player: bool,
    pub(super) entry: Entry,
}

impl Service {
    /// Returns the picture if it is fresh in memory. It takes no task, no await, and no allocation.
    #[must_use]
    pub fn cached(&self, request: &PictureRequest) -> Option<Image> {
        // A cached picture also says that the request is valid.
        let (inner, now) = (&self.inner, self.now());
        match inner.revision(&request.entry) {
            None => inner.memory.get(request.key(), now),
            Some(revision) => inner.memory.get(&request.entry.at(revision).key, now),
        }
    }

    /// Returns the picture from a cache, or newly drawn. A large one is drawn later, while it is sent.
    ///
    /// # Errors
    /// If the player cannot be resolved or the picture cannot be drawn, but not if the database fails.
    /// Callers that wait for the same work share its error.
    pub async fn picture(&self, request: PictureRequest) -> Shared<PictureOutcome> {
        if request.params.is_large() {
            return self.large_picture(request).await;
        }
        self.image(request).await.map(PictureOutcome::Image)
    }

    /// Returns the picture in memory, even if it is large.
    ///
    /// # Errors
    /// Those of [`picture`](Self::picture).
    pub async fn image(&self, request: PictureRequest) -> Shared<Image> {
        if let Some(image) = self.cached(&request) {
            return Ok(image);
        }
        let request = self.validate(request)?;
        let entry = request.entry.clone();
        let make = |inner: Arc<Inner>, has_stale| inner.draw(request, has_stale);
        self.inner.cached_or(entry, Admission::Counted, make).await
    }

    /// Returns a picture of the built-in player, as one that is shown because of an outage. It takes no
    /// look-up, and is neither counted nor stored.
    ///
    /// # Errors
    /// If the picture cannot be drawn.
    pub async fn built_in_picture(&self, params: PictureParams) -> Shared<Image> {
        let look = Appearance::built_in();
        self.inner.render(params, look).await.map_err(Arc::new)
    }

    pub(super) fn validate(&self, request: PictureRequest) -> Shared<ValidRequest> {
        let PictureRequest {
            params,
            texture,
            reuses_player,
            entry,
        } = request;
        let entry = match texture {
            None => self.inner.current(&entry),
            Some(_) => entry,
        };
        let skin = match texture {
            _ if !params.can_exist() => Err(ServiceError::TooLarge),
            None => PlayerId::detect(entry.input())
                .map(|player| SkinId::Player(player, entry.revision))
                .map_err(ServiceError::Input),
            Some((hash, model)) => Ok(SkinId::Texture(hash, model)),
        };
        match skin {
            Ok(skin) => Ok(ValidRequest {
                params,
                skin,
                reuses_player,
                entry,
            }),
            Err(error) => Err(self.inner.failed(&entry, error)),
        }
    }
}

impl Inner {
    /// Resolves the skin, counts the render and draws the picture.
    async fn draw(self: Arc<Self>, request: ValidRequest, has_stale: bool) -> Shared<Image> {
        let look = self.appearance_for(&request, has_stale).await?;
        self.count_render(&request.skin);
        Ok(self.render(request.params, look).await?)
    }

    /// Counts a render of a player. Spec, "Stats". A picture of a texture has no edition.
    pub(super) fn count_render(&self, skin: &SkinId) {
        if let SkinId::Player(player, _) = skin {
            self.writer.count_render(player.edition());
        }
    }

    async fn render(&self, params: PictureParams, look: Appearance) -> Result<Image, ServiceError> {
        let (clock, metrics) = (self.clock.clone(), self.metrics.clone());
        let work = move || {
            let started = Instant::now();
            let cape = look.cape();
            let file = params.draw(look.player(cape.as_ref()))?;
            if file.is_some() {
                metrics.observe(Observation::Render {
                    endpoint: params.endpoint(),
                    duration: started.elapsed(),
                });
            }
            let file = file.unwrap_or_else(|| look.skin.texture.clone());
            let content_type = params.format().content_type();
            Ok(Image::made(file, content_type, clock.now(), look.origin))
        };
        let drawn = self.drawing.run(work).await?;
        drawn.map_err(ServiceError::Render)
    }
}
