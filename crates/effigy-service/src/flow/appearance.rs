//! The look-up of players, as pictures show them.

use std::sync::Arc;

use effigy_upstream::{SkinSource, TextureUrl, UpstreamError};

use super::{cached::is_refused, valid_request::ValidRequest};
use crate::{
    Client, Endpoint, Fault, Fingerprint, Image, Origin, PlayerSkin, ServiceError, SkinOrigin,
    error::{Shared, error_chain},
    players::{Appearance, LookUp, SkinId, fallback_skin},
    request::key::CacheKey,
    single_flight::Leader,
    state::State,
};

impl State {
    /// Resolves the skin of a request, and fetches the cape if the picture shows it.
    ///
    /// A cape that is not available never fails the picture. If that may be because of an outage, the
    /// picture is not stored, and a stale one, which may show the cape, is better.
    pub(super) async fn appearance(
        &self,
        client: &Client,
        request: &ValidRequest,
        has_stale: bool,
    ) -> Shared<Appearance> {
        let skin = self.skin(client, request, has_stale).await?;
        let appearance = Appearance::new(skin);
        let url = match &appearance.skin.cape {
            Some(url) if request.params.shows_cape() => url,
            _ => return Ok(appearance),
        };
        match self.cape(client, url, request.key.look_up_cost()).await {
            Ok(file) => Ok(Appearance {
                cape: Some(file),
                ..appearance
            }),
            Err(error) if error.fault() == Fault::NotFound => Ok(appearance),
            Err(error) if has_stale || error.fault() == Fault::Limited => Err(error),
            Err(error) => {
                let reason = error_chain(&error);
                tracing::warn!("a picture is drawn without its cape: {reason}");
                Ok(Appearance {
                    origin: Origin::OutageFallback,
                    ..appearance
                })
            }
        }
    }

    /// Resolves the skin of a request. Another player's skin neither replaces a stale picture of this
    /// one, nor is it shown on pictures that allow no fallback.
    pub(super) async fn skin(
        &self,
        client: &Client,
        request: &ValidRequest,
        has_stale: bool,
    ) -> Shared<Arc<PlayerSkin>> {
        let skin = match self.players.get(&request.skin, self.clock.now()) {
            Some(skin) if request.reuses_player => skin,
            _ => self.resolve(client, request).await?,
        };
        let allows_fallback = request.params.allows_fallback();
        let is_accepted = match skin.origin {
            SkinOrigin::Own | SkinOrigin::DefaultSkin => true,
            SkinOrigin::PlayerNotFound => allows_fallback,
            SkinOrigin::Outage => allows_fallback && !has_stale,
        };
        match is_accepted {
            true => Ok(skin),
            false => Err(Arc::new(ServiceError::OnlyFallback {
                origin: skin.origin,
            })),
        }
    }

    /// Looks the skin of a request up, or else takes the fallback skin.
    async fn resolve(&self, client: &Client, request: &ValidRequest) -> Shared<Arc<PlayerSkin>> {
        let (id, now) = (&request.skin, self.clock.now());
        let found = self.look_up(client, id, request.key.look_up_cost()).await?;
        let skin = match found {
            LookUp::Found(skin) => skin,
            LookUp::Fallback(fallback) => {
                let skin = self.fallback_skin(client).await?;
                Arc::new(fallback.with_skin(&skin))
            }
        };
        if self.is_current(&request.key) {
            self.players.insert(id, now, &skin);
        }
        Ok(skin)
    }

    /// Returns the fallback skin, which an outage makes many players need at once.
    async fn fallback_skin(&self, client: &Client) -> Shared<Arc<PlayerSkin>> {
        let (id, now) = (SkinId::Fallback, self.clock.now());
        if let Some(skin) = self.players.get(&id, now) {
            return Ok(skin);
        }
        let found = self.look_up(client, &id, 1).await;
        if is_refused(&found) {
            return found.and_then(|found| fallback_skin(Ok(found)));
        }
        let skin = fallback_skin(found)?;
        self.players.insert(&id, now, &skin);
        Ok(skin)
    }

    /// Looks a skin up, once for all that need it now.
    async fn look_up(&self, client: &Client, id: &SkinId, cost: u32) -> Shared<LookUp> {
        let lead = |leader: Arc<Leader<SkinId, Shared<LookUp>>>| async move {
            let id = id.clone();
            // It shares its outcome even if the leader has left, so that nobody calls again meanwhile.
            let call = move |source: &dyn SkinSource| {
                let found = id.look_up(source);
                let found = found.map_err(|error| Arc::new(ServiceError::from(error)));
                leader.share(found.clone());
                found
            };
            self.call_source(client, cost, call).await?
        };
        self.look_ups.run(id.clone(), lead).await
    }

    /// Returns the file of a cape. Many players wear the same one, so it is cached by its URL.
    pub(super) async fn cape(&self, client: &Client, url: &TextureUrl, cost: u32) -> Shared<Image> {
        let fingerprint = Fingerprint::of(url.as_str().as_bytes());
        let key = CacheKey::of_hash(Endpoint::CapeFile, fingerprint.as_str());
        let make = |_, _| async {
            let url = url.clone();
            let call = move |source: &dyn SkinSource| source.texture(&url, source.deadline());
            let cape = self.call_source(client, cost, call).await?;
            Ok(self.file(cape.map_err(missing_cape)?, "image/png"))
        };
        self.cached_or(client, &key, make).await
    }

    /// A new file that is not drawn.
    pub(super) fn file(&self, data: Vec<u8>, content_type: &str) -> Image {
        Image::made(data, content_type, self.clock.now(), Origin::Render)
    }
}

/// An upstream that has no such file says something about the cape: it does not exist any more.
fn missing_cape(error: UpstreamError) -> ServiceError {
    match error {
        UpstreamError::Status {
            status: 404 | 410, ..
        } => ServiceError::NoCape,
        error => error.into(),
    }
}
