//! The look-up of skins, with the rule "the player's own skin, else the default skin, else that of Steve".
//! Spec, "Profile resolution".

use std::{sync::Arc, time::Instant};

use effigy_player::{Edition, Model, PlayerId};
use effigy_upstream::{
    Profile, ProfileSkin, Revision, SkinSource, TextureHash, TextureUrl, UpstreamError,
};

use super::{PlayerSkin, SkinOrigin};
use crate::error::{ServiceError, Shared, error_chain};

/// The Java player whose skin is the fallback.
const FALLBACK_PLAYER: &str = "Steve";

/// The share of the time of a look-up that is reserved for the fallback skin: a quarter.
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
    Fallback(Fallback),
}

/// A player who is shown with the fallback skin.
#[derive(Debug, Clone)]
pub(crate) struct Fallback {
    /// The reason.
    origin: SkinOrigin,
    name: Option<String>,
    cape: Option<TextureUrl>,
}

impl PlayerSkin {
    /// Looks a player up, and decodes the skin or the fallback skin. Blocks.
    ///
    /// # Errors
    /// If there is no such Java player, or an upstream fails and so does the fallback.
    pub fn resolve(source: &dyn SkinSource, player: &PlayerId) -> Shared<Self> {
        let look_up = |id: SkinId| {
            let found = id.look_up(source);
            found.map_err(|error| Arc::new(ServiceError::from(error)))
        };
        match look_up(SkinId::Player(player.clone(), None))? {
            LookUp::Found(skin) => Ok(Arc::unwrap_or_clone(skin)),
            LookUp::Fallback(fallback) => {
                let skin = fallback_skin(look_up(SkinId::Fallback))?;
                Ok(fallback.with_skin(&skin))
            }
        }
    }
}

impl SkinId {
    /// Looks the skin up and decodes it. Blocks.
    pub(crate) fn look_up(&self, source: &dyn SkinSource) -> Result<LookUp, UpstreamError> {
        let (now, end) = (Instant::now(), source.deadline());
        let reserve = end.saturating_duration_since(now) / FALLBACK_SHARE;
        match self {
            Self::Player(player, _) => {
                let early_end = end.checked_sub(reserve).unwrap_or(end);
                look_up(source, player, [early_end, end])
            }
            Self::Texture(hash, model) => {
                let skin = decode(source.texture_by_hash(hash)?, *model)?;
                Ok(LookUp::Found(Arc::new(skin)))
            }
            Self::Fallback => {
                let player = PlayerId::JavaName(FALLBACK_PLAYER.to_owned());
                look_up(source, &player, [now + reserve; 2])
            }
        }
    }
}

impl Fallback {
    const fn new(origin: SkinOrigin) -> Self {
        Self {
            origin,
            name: None,
            cape: None,
        }
    }

    /// Returns the player with the fallback skin.
    pub(crate) fn with_skin(self, skin: &PlayerSkin) -> PlayerSkin {
        PlayerSkin {
            origin: self.origin,
            name: self.name,
            cape: self.cape,
            ..skin.clone()
        }
    }
}

/// Returns the fallback skin. A failure says nothing about the requested player, even if there is no such
/// fallback player.
pub(crate) fn fallback_skin(found: Shared<LookUp>) -> Shared<Arc<PlayerSkin>> {
    let error = match found {
        Ok(LookUp::Found(skin)) => return Ok(skin),
        Ok(LookUp::Fallback(Fallback { origin, .. })) => {
            Arc::new(ServiceError::OnlyFallback { origin })
        }
        Err(error) => error,
    };
    Err(Arc::new(ServiceError::NoFallback(error)))
}

/// Looks a player up. What a fallback can follow ends early.
fn look_up(
    source: &dyn SkinSource,
    player: &PlayerId,
    [early_end, end]: [Instant; 2],
) -> Result<LookUp, UpstreamError> {
    match player.edition() {
        Edition::Java => {
            let profile = source.profile(player, end)?;
            java_skin(source, profile, [early_end, end])
        }
        Edition::Bedrock => {
            let found = bedrock_skin(source, player, early_end);
            Ok(found.unwrap_or_else(|error| LookUp::Fallback(Fallback::new(origin_after(&error)))))
        }
    }
}

/// Fetches the skin of a Java player. If the player has set none, the fallback may take its place.
fn java_skin(
    source: &dyn SkinSource,
    Profile {
        name, skin, cape, ..
    }: Profile,
    [early_end, end]: [Instant; 2],
) -> Result<LookUp, UpstreamError> {
    let skin = match skin {
        Some(skin) if !skin.is_default => Ok(fetch(source, &skin, end)?),
        Some(skin) => fetch(source, &skin, early_end).map_err(|error| origin_after(&error)),
        None => Err(SkinOrigin::DefaultSkin),
    };
    Ok(match skin {
        Ok(skin) => LookUp::Found(Arc::new(PlayerSkin { name, cape, ..skin })),
        Err(origin) => LookUp::Fallback(Fallback { origin, name, cape }),
    })
}

/// Looks up the skin of a Bedrock player. If that fails or there is none, the fallback takes its place.
fn bedrock_skin(
    source: &dyn SkinSource,
    player: &PlayerId,
    end: Instant,
) -> Result<LookUp, UpstreamError> {
    let Profile { skin, cape, .. } = source.profile(player, end)?;
    Ok(match skin {
        Some(skin) => {
            let skin = fetch(source, &skin, end)?;
            LookUp::Found(Arc::new(PlayerSkin { cape, ..skin }))
        }
        None => LookUp::Fallback(Fallback::new(SkinOrigin::DefaultSkin)),
    })
}

fn fetch(
    source: &dyn SkinSource,
    skin: &ProfileSkin,
    end: Instant,
) -> Result<PlayerSkin, UpstreamError> {
    let found = decode(source.texture(&skin.texture, end)?, skin.model)?;
    Ok(PlayerSkin {
        origin: match skin.is_default {
            true => SkinOrigin::DefaultSkin,
            false => SkinOrigin::Own,
        },
        ..found
    })
}

fn decode(texture: Vec<u8>, model: Model) -> Result<PlayerSkin, UpstreamError> {
    let skin = PlayerSkin::of_texture(texture, model);
    skin.map_err(|source| UpstreamError::Decode {
        source: source.into(),
    })
}

/// Returns the origin of the fallback skin, and logs the failure that it hides from the caller.
fn origin_after(error: &UpstreamError) -> SkinOrigin {
    if !error.is_outage() {
        return SkinOrigin::PlayerNotFound;
    }
    let reason = error_chain(error);
    tracing::warn!("the fallback skin is shown because of an outage: {reason}");
    SkinOrigin::Outage
}
