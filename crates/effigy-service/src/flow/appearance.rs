//! The look-up of players, as pictures show them.

use std::sync::Arc;

use effigy_player::PlayerId;
use effigy_upstream::{TextureUrl, UpstreamError, error_chain};

use super::step::Flow;
use crate::{
    Fault, Image, Origin, PictureParams, PictureRequest, PlayerSkin, ServiceError, SkinOrigin,
    error::Shared,
    players::{Appearance, LookUp, SkinId, fallback_skin},
    request::key::{CacheKey, digest},
    single_flight::Leader,
};

/// A request that can succeed: the picture can exist, and the input can name a player.
#[derive(Debug)]
pub(super) struct ValidRequest {
    pub(super) params: PictureParams,
    pub(super) skin: SkinId,
    pub(super) reuses_player: bool,
    pub(super) key: CacheKey,
}

impl Flow<'_> {
    /// Checks a request before anything is done for it.
    pub(super) fn validate(&self, request: &PictureRequest) -> Shared<ValidRequest> {
        let params = request.params;
        let key = request.key.current(&*self.state.source).into_owned();
        let skin = match &request.texture {
            _ if !params.can_exist() => Err(ServiceError::TooLarge),
            Some((hash, model)) => Ok(SkinId::Texture(hash.clone(), *model)),
            None => PlayerId::detect(key.input())
                .map(|player| SkinId::Player(player, key.revision))
                .map_err(ServiceError::Input),
        };
        Ok(ValidRequest {
            params,
            skin: skin.map_err(|error| self.failed(&key, error))?,
            reuses_player: request.reuses_player || self.state.config.player_ttl_everywhere,
            key,
        })
    }

    /// Resolves the skin of a request, and fetches the cape if the picture shows it.
    ///
    /// A cape that is not available never fails the picture. If that may be because of an outage, the
    /// picture is not stored, and a stale one, which may show the cape, is better.
    pub(super) async fn appearance(
        &self,
        request: &ValidRequest,
        has_stale: bool,
    ) -> Shared<Appearance> {
        let skin = self.skin(request, has_stale).await?;
        let appearance = Appearance::new(skin);
        let url = match &appearance.skin.cape {
            Some(url) if request.params.shows_cape() => url,
            _ => return Ok(appearance),
        };
        let (cape, origin) = match self.cape(url, request.key.look_up_cost()).await {
            Ok(file) => (Some(file), appearance.origin),
            Err(error) if error.fault() == Fault::NotFound => (None, appearance.origin),
            Err(error) if has_stale || error.fault() == Fault::Limited => return Err(error),
            Err(error) => {
                let reason = error_chain(&error);
                tracing::warn!("a picture is drawn without its cape: {reason}");
                (None, Origin::OutageFallback)
            }
        };
        Ok(Appearance {
            cape,
            origin,
            ..appearance
        })
    }

    /// Resolves the skin of a request. Another player's skin neither replaces a stale picture of this
    /// one, nor is it shown on pictures that allow no fallback.
    pub(super) async fn skin(
        &self,
        request: &ValidRequest,
        has_stale: bool,
    ) -> Shared<Arc<PlayerSkin>> {
        let skin = match self.look_up(&request.skin, Some(request)).await? {
            LookUp::Found(skin) => skin,
            LookUp::Fallback(fallback) => {
                // An outage makes many players need it at once.
                let found = self.look_up(&SkinId::Fallback, None).await;
                Arc::new(fallback.with_skin(&*fallback_skin(found)?))
            }
        };
        let allows_fallback = request.params.allows_fallback;
        match skin.origin {
            SkinOrigin::Own | SkinOrigin::DefaultSkin => Ok(skin),
            SkinOrigin::PlayerNotFound if allows_fallback => Ok(skin),
            SkinOrigin::Outage if allows_fallback && !has_stale => Ok(skin),
            SkinOrigin::Uncertain if !has_stale => Ok(skin),
            origin => Err(Arc::new(ServiceError::OnlyFallback { origin })),
        }
    }

    /// Looks a skin up, once for all that need it now. One that was found a moment ago is reused, unless the
    /// request does not allow it.
    async fn look_up(&self, id: &SkinId, request: Option<&ValidRequest>) -> Shared<LookUp> {
        let is_reused = request.is_none_or(|request| request.reuses_player);
        let kept_as = &id.folded(self.state.source.ignores_case());
        let known = || {
            let found = self.state.players.get(kept_as, self.state.now());
            found.filter(|_| is_reused).map(Ok)
        };
        let lead = |leader: Arc<Leader<SkinId, Shared<LookUp>>>| async move {
            // A look-up for a picture that will not be drawn is for nothing.
            self.client.expect_work().map_err(ServiceError::from)?;
            let key = request.map(|request| request.key.clone());
            let cost = key.as_ref().map_or(1, CacheKey::look_up_cost);
            let (id, kept_as, at) = (id.clone(), kept_as.clone(), self.state.now());
            let players = Arc::clone(&self.state.players);
            // It is kept and shared even if the leader has left, so that nobody calls again meanwhile.
            let found = self.call_source(cost, move |source| {
                let found = id.look_up(source);
                let is_current = key.is_none_or(|key| key.is_current(source));
                if let Ok(found) = &found
                    && found.is_certain()
                    && is_current
                {
                    players.insert(kept_as, at, found.bytes(), found.clone());
                }
                leader.share(found.clone());
                found
            });
            found.await
        };
        (self.state.look_ups)
            .run(kept_as.clone(), known, lead)
            .await
    }

    /// Returns the file of a cape. Many players wear the same one, so it is cached by its URL.
    pub(super) async fn cape(&self, url: &TextureUrl, cost: u32) -> Shared<Image> {
        let key = PictureParams::CAPE_FILE
            .key_of("", &digest(&url.as_str()))
            .showing(Vec::new());
        let make = |_, _| async {
            let url = url.clone();
            let cape = self.call_source(cost, move |source| {
                let cape = source.texture(&url, source.deadline());
                Ok(cape.map_err(missing_cape)?)
            });
            Ok(self.file(cape.await?, "image/png"))
        };
        self.cached_or(&key, make).await
    }

    /// A new file that is not drawn.
    pub(super) fn file(&self, data: Vec<u8>, content_type: &str) -> Image {
        Image::made(data, content_type, self.state.now(), Origin::Render)
    }
}

/// An upstream that has no such file says something about the cape: it does not exist any more.
fn missing_cape(error: UpstreamError) -> ServiceError {
    match error.status() {
        Some(404 | 410) => ServiceError::NoCape,
        _ => error.into(),
    }
}
