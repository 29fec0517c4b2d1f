//! The rule "the player's own skin, else the default skin, else that of Steve". Spec, "Profile resolution".

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_player::Edition;
use effigy_upstream::{Profile, error_chain};

use super::{Appearance, Player, resolve::DecodedSkin};
use crate::{
    Fault, Origin,
    error::{Failure, Result, ServiceError},
    flow::Flow,
};

/// The Java player whose skin is the fallback.
const FALLBACK_PLAYER: &str = "Steve";

/// The share of the time of a look-up that is reserved for the fallback skin: a quarter.
const FALLBACK_SHARE: u32 = 4;

/// The pictures that a request accepts instead of one of the player's own skin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accepts {
    /// `true` if a fallback skin may be shown. Spec, "Profile resolution" 3.
    pub(super) fallback: bool,
    /// `true` if there is a stale picture, which is better than another player's skin.
    pub(super) stale: bool,
}

impl Flow {
    /// Resolves the skin that is shown for a player.
    ///
    /// # Errors
    /// If the player's own is not available and the request accepts no other.
    pub(super) async fn skin_or_fallback(
        &self,
        player: &Player,
        accepts: Accepts,
    ) -> Result<Appearance> {
        let (begin, end) = (Instant::now(), self.state.source.deadline());
        let reserve = end.saturating_duration_since(begin) / FALLBACK_SHARE;
        let end = |has_fallback| match has_fallback {
            true => end.checked_sub(reserve).unwrap_or(end),
            false => end,
        };
        let is_bedrock = player.id.edition() == Edition::Bedrock;
        let profile = match self.profile(player, end(is_bedrock)).await {
            Ok(profile) => profile,
            Err(error) if is_bedrock => {
                let error = accepts.check(error)?;
                return self.fallback(None, Some(error), reserve).await;
            }
            Err(error) => return Err(error),
        };
        if !profile.is_certain && accepts.stale {
            return Err(ServiceError::Uncertain.into());
        }
        let error = match &profile.skin {
            Some(worn) => {
                let has_fallback = is_bedrock || worn.is_default;
                match self.skin(worn, player, end(has_fallback)).await {
                    Ok(skin) => return Ok(Appearance::new(skin, Some(profile))),
                    Err(error) if has_fallback => Some(accepts.check(error)?),
                    Err(error) => return Err(error),
                }
            }
            // A Bedrock player who has set none.
            None if profile.is_certain => None,
            None => Some(accepts.check(ServiceError::Uncertain.into())?),
        };
        self.fallback(Some(profile), error, reserve).await
    }

    /// Resolves the fallback skin for a player whose own is not available because of `error`, or who has none.
    async fn fallback(
        &self,
        profile: Option<Arc<Profile>>,
        error: Option<Failure>,
        time: Duration,
    ) -> Result<Appearance> {
        let (skin, is_certain) = match self.fallback_skin(Instant::now() + time).await {
            Ok(found) => found,
            // A refusal belongs to the client.
            Err(error) if error.fault() == Fault::Limited => return Err(error),
            Err(error) => return Err(ServiceError::NoFallback(error).into()),
        };
        let outage = error.filter(|error| error.is_outage());
        if let Some(error) = &outage {
            let reason = error_chain(error);
            tracing::warn!("the fallback skin is shown because of an outage: {reason}");
        }
        let shown = Appearance::new(skin, profile);
        // The fallback player may be another one, too.
        Ok(shown.with_origin(Origin::of(outage.is_none() && is_certain)))
    }

    /// Resolves the fallback skin. It is another player's if that is not certain.
    async fn fallback_skin(&self, deadline: Instant) -> Result<(Arc<DecodedSkin>, bool)> {
        let steve = self.player(FALLBACK_PLAYER, true)?;
        let profile = self.profile(&steve, deadline).await?;
        let worn = profile.skin.as_ref().ok_or(ServiceError::Uncertain)?;
        let skin = self.skin(worn, &steve, deadline).await?;
        Ok((skin, profile.is_certain))
    }
}

impl Accepts {
    /// Returns the error of a look-up after which the fallback skin is shown.
    ///
    /// # Errors
    /// The same error, if it is not shown.
    fn check(self, error: Failure) -> Result<Failure> {
        let is_of_look_up = matches!(*error, ServiceError::Upstream(_) | ServiceError::Uncertain);
        let prefers_stale = self.stale && error.is_outage();
        match is_of_look_up && self.fallback && !prefers_stale {
            true => Ok(error),
            false => Err(error),
        }
    }
}
