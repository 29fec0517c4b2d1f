//! The look-up of skins, with the rule "the player's own skin, else the default skin, else that of Steve".
//! Spec, "Profile resolution".

use std::{sync::Arc, time::Instant};

use effigy_player::{Edition, Model, PlayerId};
use effigy_upstream::{
    Profile, ProfileSkin, Revision, SkinSource, TextureHash, TextureUrl, UpstreamError,
};

use super::{PlayerSkin, SkinOrigin};
use crate::error::{ServiceError, error_chain};

/// The Java player whose skin is the fallback.
const FALLBACK_PLAYER: &str = "Steve";

/// The share of the time of a look-up that is reserved for the fallback skin.
const FALLBACK_SHARE: u32 = 4;

/// The identity of a skin that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum SkinId {
    /// The skin of a player, in this revision of the player's files.
    Player(PlayerId, Option<Revision>),
    /// A texture on a model.
    Texture(TextureHash, Model),
    /// The skin that is shown instead of one that is not available.
    Fallback,
}

/// The outcome of a look-up.
#[derive(Debug, Clone)]
pub(crate) enum LookUp {
    /// The skin of the player.
    Found(Arc<PlayerSkin>),
    /// The fallback skin is to be shown.
    Fallback {
        /// The reason.
        origin: SkinOrigin,
        name: Option<String>,
        cape: Option<TextureUrl>,
    },
}

impl PlayerSkin {
    /// Looks a player up, and decodes the skin or the fallback skin. Blocks.
    ///
    /// # Errors
    /// If there is no such Java player, or an upstream fails and so does the fallback.
    pub fn resolve(source: &dyn SkinSource, player: &PlayerId) -> Result<Self, ServiceError> {
        let found = look_up_player(source, player)?;
        let skin = match found {
            LookUp::Found(skin) => skin,
            LookUp::Fallback { .. } => found.or(&fallback(source).map_err(no_fallback)?),
        };
        Ok(Arc::unwrap_or_clone(skin))
    }
}

impl SkinId {
    /// Looks the skin up and decodes it. Blocks.
    pub(crate) fn look_up(&self, source: &dyn SkinSource) -> Result<LookUp, UpstreamError> {
        let skin = match self {
            Self::Player(player, _) => return look_up_player(source, player),
            Self::Texture(hash, model) => decode(source.texture_by_hash(hash)?, *model)?,
            Self::Fallback => fallback(source)?,
        };
        Ok(LookUp::Found(Arc::new(skin)))
    }
}

impl LookUp {
    /// Returns the skin that was found, or else the fallback skin, with what is known of the player.
    pub(crate) fn or(self, fallback: &PlayerSkin) -> Arc<PlayerSkin> {
        match self {
            Self::Found(skin) => skin,
            Self::Fallback { origin, name, cape } => Arc::new(PlayerSkin {
                origin,
                name,
                cape,
                ..fallback.clone()
            }),
        }
    }
}

/// Wraps the failure of the fallback. That there is no such player, for example, says nothing about the
/// requested one.
pub(crate) fn no_fallback(error: impl Into<Arc<ServiceError>>) -> ServiceError {
    ServiceError::NoFallback(error.into())
}

fn look_up_player(source: &dyn SkinSource, player: &PlayerId) -> Result<LookUp, UpstreamError> {
    let end = source.deadline();
    let reserve = end.saturating_duration_since(Instant::now()) / FALLBACK_SHARE;
    let early_end = end.checked_sub(reserve).unwrap_or(end);
    match player.edition() {
        Edition::Java => java_skin(source, source.profile(player, end)?, end, early_end),
        Edition::Bedrock => {
            let skin = bedrock_skin(source, player, early_end);
            Ok(skin.unwrap_or_else(|error| LookUp::fallback(origin_after(&error))))
        }
    }
}

/// Fetches the skin of a Java profile. Only if it is the default skin the fallback may take its place.
fn java_skin(
    source: &dyn SkinSource,
    profile: Profile,
    end: Instant,
    early_end: Instant,
) -> Result<LookUp, UpstreamError> {
    let (name, cape) = (profile.name, profile.cape);
    let skin = match &profile.skin {
        Some(skin) if !skin.is_default => Ok(fetch(source, skin, end)?),
        Some(skin) => fetch(source, skin, early_end).map_err(|error| origin_after(&error)),
        None => Err(SkinOrigin::DefaultSkin),
    };
    Ok(match skin {
        Ok(skin) => LookUp::Found(Arc::new(PlayerSkin { name, cape, ..skin })),
        Err(origin) => LookUp::Fallback { origin, name, cape },
    })
}

fn bedrock_skin(
    source: &dyn SkinSource,
    player: &PlayerId,
    end: Instant,
) -> Result<LookUp, UpstreamError> {
    let Profile { skin, cape, .. } = source.profile(player, end)?;
    let Some(skin) = skin else {
        return Ok(LookUp::fallback(SkinOrigin::DefaultSkin));
    };
    let skin = fetch(source, &skin, end)?;
    Ok(LookUp::Found(Arc::new(PlayerSkin { cape, ..skin })))
}

fn fallback(source: &dyn SkinSource) -> Result<PlayerSkin, UpstreamError> {
    let (now, end) = (Instant::now(), source.deadline());
    let end = now + end.saturating_duration_since(now) / FALLBACK_SHARE;
    let player = PlayerId::JavaName(FALLBACK_PLAYER.to_owned());
    let skin = source.profile(&player, end)?.skin;
    let skin = skin.ok_or_else(|| UpstreamError::PlayerNotFound {
        step: effigy_upstream::Step::Session,
        player: FALLBACK_PLAYER.to_owned(),
    })?;
    fetch(source, &skin, end)
}

fn fetch(
    source: &dyn SkinSource,
    skin: &ProfileSkin,
    end: Instant,
) -> Result<PlayerSkin, UpstreamError> {
    let origin = match skin.is_default {
        true => SkinOrigin::DefaultSkin,
        false => SkinOrigin::Own,
    };
    let found = decode(source.texture(&skin.texture, end)?, skin.model)?;
    Ok(PlayerSkin { origin, ..found })
}

fn decode(texture: Vec<u8>, model: Model) -> Result<PlayerSkin, UpstreamError> {
    let skin = PlayerSkin::of_texture(texture, model);
    skin.map_err(|source| UpstreamError::Decode {
        source: source.into(),
    })
}

impl LookUp {
    const fn fallback(origin: SkinOrigin) -> Self {
        Self::Fallback {
            origin,
            name: None,
            cape: None,
        }
    }
}

/// Returns the origin of the fallback skin, and logs the failure that it hides from the caller.
fn origin_after(error: &UpstreamError) -> SkinOrigin {
    if error.is_outage() {
        let reason = error_chain(error);
        tracing::warn!("the fallback skin is shown because of an outage: {reason}");
        SkinOrigin::Outage
    } else {
        SkinOrigin::PlayerNotFound
    }
}
