//! The look-up of skins: the order of the calls, and the skin that is shown if they fail.

use std::sync::Arc;

use effigy_player::{PlayerId, Uuid};

use super::caller::Caller;
use super::java::JavaProfile;
use super::records::TextureRecord;
use crate::error::UpstreamError;
use crate::source::{ResolvedSkin, SkinOrigin};
use crate::transport::{Step, TransportError};

/// The Java player whose skin is the fallback. Spec, "Profile resolution".
const FALLBACK_PLAYER: &str = "Steve";

impl Caller<'_> {
    /// Fetches the skin of a player, or a fallback.
    pub(super) fn skin(&self, player: &PlayerId) -> Result<ResolvedSkin, UpstreamError> {
        match player {
            PlayerId::JavaName(name) => self.java_skin(self.java_uuid(name)?),
            PlayerId::JavaUuid(uuid) => self.java_skin(*uuid),
            PlayerId::BedrockXuid(xuid) => self.bedrock_skin(|_| Ok(xuid.clone())),
            PlayerId::BedrockGamertag(gamertag) => self.bedrock_skin(|own| own.xuid(gamertag)),
        }
    }

    fn java_skin(&self, uuid: Uuid) -> Result<ResolvedSkin, UpstreamError> {
        let JavaProfile { name, textures } = self.session(uuid)?;
        let skin = match textures.skin {
            Some(record) => self.fetch(record, SkinOrigin::Own)?.checked(self.check)?,
            None => {
                let default = self.fetch(self.default_record(uuid), SkinOrigin::DefaultSkin);
                let default = default.and_then(|skin| skin.checked(self.check));
                default.or_else(|error| self.fallback(SkinOrigin::of_fallback(&error)))?
            }
        };
        let cape = self.checked_cape(textures.cape);
        Ok(ResolvedSkin { name, cape, ..skin })
    }

    fn bedrock_skin(
        &self,
        xuid: impl FnOnce(&Self) -> Result<String, UpstreamError>,
    ) -> Result<ResolvedSkin, UpstreamError> {
        // The last quarter of the time is reserved for the fallback.
        let own = Caller {
            deadline: self.deadline - self.config().resolve_timeout / 4,
            ..*self
        };
        let skin = xuid(&own).and_then(|xuid| {
            let textures = own.bedrock_textures(&xuid)?;
            let skin = textures.skin.map(|record| {
                let skin = own.fetch(record, SkinOrigin::Own)?.checked(own.check)?;
                let cape = own.checked_cape(textures.cape);
                Ok(ResolvedSkin { cape, ..skin })
            });
            skin.transpose()
        });
        let origin = match skin {
            Ok(Some(resolved)) => return Ok(resolved),
            Ok(None) => SkinOrigin::DefaultSkin,
            Err(error) => SkinOrigin::of_fallback(&error),
        };
        self.fallback(origin)
    }

    /// Returns the fallback skin with the origin that explains it.
    ///
    /// An outage makes many players need it at once, who share one look-up. It is reused for a while,
    /// so that players who do not exist do not use up the rate limits of those who do.
    fn fallback(&self, origin: SkinOrigin) -> Result<ResolvedSkin, UpstreamError> {
        if let Some(resolved) = self.resolver.fallback_skin.get(self.now()) {
            return ResolvedSkin { origin, ..resolved }.checked(self.check);
        }
        let fetch = || self.fetch_fallback(origin).map_err(Arc::new);
        let shared = self.resolver.fallback.run(self.time_left(), fetch);
        let fallback = shared.unwrap_or_else(|| {
            Err(Arc::new(UpstreamError::Transport {
                step: Step::Identity,
                source: TransportError::Timeout,
            }))
        });
        match fallback {
            Ok(resolved) => {
                let resolved = ResolvedSkin { origin, ..resolved }.checked(self.check)?;
                let kept = resolved.clone();
                self.resolver.fallback_skin.put(self.now(), kept);
                Ok(resolved)
            }
            // A missing fallback player, for example, says nothing about the requested player.
            Err(source) => Err(UpstreamError::Fallback { source }),
        }
    }

    /// Fetches the skin of the fallback player, or the default skin if that player has set none.
    fn fetch_fallback(&self, origin: SkinOrigin) -> Result<ResolvedSkin, UpstreamError> {
        let uuid = self.java_uuid(FALLBACK_PLAYER)?;
        let skin = self.session(uuid)?.textures.skin;
        self.fetch(skin.unwrap_or_else(|| self.default_record(uuid)), origin)
    }

    fn fetch(
        &self,
        record: TextureRecord,
        origin: SkinOrigin,
    ) -> Result<ResolvedSkin, UpstreamError> {
        Ok(ResolvedSkin {
            texture: self.texture(&record.url)?,
            model: record.model,
            origin,
            name: None,
            cape: None,
        })
    }
}
