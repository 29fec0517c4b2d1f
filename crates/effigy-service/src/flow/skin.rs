//! Skins: from a player or a texture hash to a decoded texture.

use std::{cell::Cell, sync::Arc, time::Instant};

use effigy_player::{Model, PlayerId};
use effigy_render::{Skin, SkinError};
use effigy_upstream::{Revision, SkinOrigin, SkinSource, TextureHash, UpstreamError};

use super::picture::ValidRequest;
use crate::{MetricsSink, Observation, ServiceError, error::Shared, service::Inner};

/// A decoded skin with its texture file.
#[derive(Debug, Clone)]
pub struct PlayerSkin {
    /// The texture as the upstream sent it.
    pub texture: Vec<u8>,
    /// The decoded texture.
    pub skin: Skin,
    /// The player's own skin, or the reason for another one.
    pub origin: SkinOrigin,
    /// The name of a Java player, as the player writes it.
    pub name: Option<String>,
    /// The URL of the player's cape.
    pub cape_url: Option<String>,
}

impl PlayerSkin {
    /// Decodes a texture that is worn as it is.
    ///
    /// # Errors
    /// If the texture does not decode.
    pub fn of_texture(texture: Vec<u8>, model: Model) -> Result<Self, SkinError> {
        Ok(Self {
            skin: Skin::decode(&texture, model)?,
            texture,
            origin: SkinOrigin::Own,
            name: None,
            cape_url: None,
        })
    }

    /// Looks a player up and decodes the skin. Blocks.
    ///
    /// If the texture of a Bedrock player or the default skin of a Java player does not decode, the
    /// source's fallback skin takes its place.
    ///
    /// # Errors
    /// If the source fails, or the texture does not decode.
    pub fn resolve(source: &dyn SkinSource, player: &PlayerId) -> Result<Self, UpstreamError> {
        let decoded = Cell::new(None);
        let resolved = source.resolve_checked(player, &|found| {
            decoded.set(Some(Skin::decode(&found.texture, found.model)?));
            Ok(())
        })?;
        let skin = decoded.take();
        Ok(Self {
            skin: skin.expect("a source checks the skin that it returns"),
            texture: resolved.texture,
            origin: resolved.origin,
            name: resolved.name,
            cape_url: resolved.cape,
        })
    }
}

/// The identity of a skin that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum SkinId {
    /// The skin of a player, in this revision of the player's files.
    Player(PlayerId, Option<Revision>),
    /// A texture on a model.
    Texture(TextureHash, Model),
}

impl SkinId {
    /// Fetches and decodes the skin. Blocks.
    pub(crate) fn resolve(&self, source: &dyn SkinSource) -> Result<PlayerSkin, UpstreamError> {
        match self {
            Self::Player(player, _) => PlayerSkin::resolve(source, player),
            Self::Texture(hash, model) => {
                let skin = PlayerSkin::of_texture(source.texture(hash)?, *model);
                skin.map_err(|source| UpstreamError::Decode {
                    source: source.into(),
                })
            }
        }
    }
}

impl Inner {
    /// Resolves the skin of a request. Another player's skin neither replaces a stale picture of this
    /// one, nor is it shown on pictures that allow no fallback.
    pub(super) async fn skin_for(
        self: &Arc<Self>,
        request: &ValidRequest,
        has_stale: bool,
    ) -> Shared<Arc<PlayerSkin>> {
        let reused = if request.reuses_player || self.reuses_players {
            self.players.get(&request.skin, self.clock.now())
        } else {
            None
        };
        let skin = match reused {
            Some(skin) => skin,
            None => self.resolve(request).await?,
        };
        let allows_fallback = request.params.allows_fallback();
        let is_accepted = match skin.origin {
            SkinOrigin::Own | SkinOrigin::DefaultSkin => true,
            SkinOrigin::PlayerNotFound => allows_fallback,
            SkinOrigin::Outage => allows_fallback && !has_stale,
        };
        if is_accepted {
            Ok(skin)
        } else {
            let origin = skin.origin;
            Err(Arc::new(ServiceError::OnlyFallback { origin }))
        }
    }

    /// Resolves the skin of a request, once for all requests that need it now.
    async fn resolve(self: &Arc<Self>, request: &ValidRequest) -> Shared<Arc<PlayerSkin>> {
        let (inner, entry) = (Arc::clone(self), request.entry.clone());
        let resolve = |skin: SkinId| async move {
            let (id, now) = (skin.clone(), inner.clock.now());
            let resolved = inner.ask(move |source| skin.resolve(source)).await?;
            let resolved = Arc::new(resolved);
            if inner.is_current(&entry) {
                inner.players.insert(&id, now, &resolved);
            }
            Ok(resolved)
        };
        let skin = request.skin.clone();
        self.resolves.run(skin.clone(), || resolve(skin)).await?
    }

    /// Calls the source of skins on a blocking thread.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn SkinSource) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let (source, started) = (Arc::clone(&self.source), Instant::now());
        let call = move || question(&*source);
        let answer = self.upstream_calls.run_blocking(call).await?;
        self.metrics.observe(Observation::Resolve {
            duration: started.elapsed(),
            succeeded: answer.is_ok(),
        });
        Ok(answer?)
    }
}
