//! The interface of a source of skins.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;

use effigy_player::{Model, PlayerId, Uuid};

use crate::error::UpstreamError;
use crate::limits::UpstreamState;
use crate::profile::Profile;
use crate::texture_hash::TextureHash;

/// A source of skins. Every call is a fresh look-up, and blocks.
pub trait SkinSource: Send + Sync + 'static {
    /// Looks a player up and fetches the skin, or a fallback. A skin that `check` rejects counts as one
    /// that could not be fetched. `check` is called last for the skin that is returned.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if there is neither a skin nor a fallback.
    fn resolve_checked(
        &self,
        player: &PlayerId,
        check: SkinCheck<'_>,
    ) -> Result<ResolvedSkin, UpstreamError>;

    /// Does the same without a check: that the texture begins like a PNG is all that is known of it.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if there is neither a skin nor a fallback.
    fn resolve(&self, player: &PlayerId) -> Result<ResolvedSkin, UpstreamError> {
        self.resolve_checked(player, &|_| Ok(()))
    }

    /// Looks up what is known about a player. There is no fallback.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if there is no such player, or an upstream fails.
    fn profile(&self, player: &PlayerId) -> Result<Profile, UpstreamError>;

    /// Looks up the UUIDs of Java names, several in one call. The other methods have to look up each name
    /// that is not among the results, which by default are all.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if an upstream fails.
    fn java_uuids(&self, names: &[String]) -> Result<FoundNames, UpstreamError> {
        let _ = names;
        Ok(FoundNames::new())
    }

    /// Fetches the texture of a hash, a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::TextureNotFound`] if there is none, any other if it cannot be fetched.
    fn texture(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError>;

    /// Fetches the cape at the address that a [`Profile`] or a [`ResolvedSkin`] names, a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if it cannot be fetched, or is no PNG.
    fn cape(&self, url: &str) -> Result<Vec<u8>, UpstreamError>;

    /// Checks that the Java identity service answers, within 5 s.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] with the reason if it does not.
    fn ping(&self) -> Result<(), UpstreamError>;

    /// Returns the state of each upstream, for metrics. A source without upstreams has none.
    fn states(&self) -> Vec<UpstreamState> {
        Vec::new()
    }

    /// Returns the revision of the player that `input` names, if the source has the player's files at
    /// hand and they may change at any time. It does not block.
    fn revision(&self, input: &str) -> Option<Revision> {
        let _ = input;
        None
    }
}

/// A number that changes whenever a player's files do. The same files have the same one everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Revision(u128);

impl Revision {
    /// Creates a revision of a hash of the files.
    #[must_use]
    pub const fn new(hash: u128) -> Self {
        Self(hash)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The UUIDs of Java names. A name that no account has has no UUID in the list.
pub type FoundNames = HashMap<String, Option<Uuid>>;

/// The number of names in one call of [`SkinSource::java_uuids`]. The public services reject more.
pub const NAMES_PER_CALL: usize = 10;

/// The caller's decoder, which returns its error if the texture cannot be decoded.
pub type SkinCheck<'a> =
    &'a dyn Fn(&ResolvedSkin) -> Result<(), Box<dyn Error + Send + Sync + 'static>>;

/// A texture and the model that it is drawn on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedSkin {
    /// The texture as the upstream sent it, a PNG that is not yet decoded.
    pub texture: Vec<u8>,
    /// The player's model.
    pub model: Model,
    /// The player's own skin, or the reason for another one.
    pub origin: SkinOrigin,
    /// The name of a Java player, as the player writes it.
    pub name: Option<String>,
    /// The URL of the player's cape, for [`SkinSource::cape`]. The cape itself is not fetched.
    pub cape: Option<String>,
}

impl ResolvedSkin {
    /// Returns the skin if `check` accepts it.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::Decode`] if it does not.
    pub fn checked(self, check: SkinCheck<'_>) -> Result<Self, UpstreamError> {
        match check(&self) {
            Ok(()) => Ok(self),
            Err(source) => Err(UpstreamError::Decode { source }),
        }
    }
}

/// The origin of a skin: the player's own, or the reason for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkinOrigin {
    /// The player's own skin.
    Own,
    /// The player exists and has set no skin.
    DefaultSkin,
    /// There is no such player.
    PlayerNotFound,
    /// An upstream failed, so the skin may be the wrong one.
    Outage,
}

impl SkinOrigin {
    /// Returns `true` if a picture of the skin may be stored. One drawn because of an outage would
    /// show a wrong face after the outage is over.
    #[must_use]
    pub const fn is_storable(self) -> bool {
        !matches!(self, Self::Outage)
    }

    /// Returns the origin of a fallback skin, and logs the failure that it hides from the caller.
    pub(crate) fn of_fallback(error: &UpstreamError) -> Self {
        let is_outage = error.is_outage();
        let error: &(dyn Error + 'static) = error;
        if is_outage {
            crate::warn_throttled!(error, "the fallback skin is shown because of an outage");
            Self::Outage
        } else {
            tracing::debug!(error, "the fallback skin is shown for an unknown player");
            Self::PlayerNotFound
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_outage_is_not_stored() {
        for (origin, storable) in [
            (SkinOrigin::Own, true),
            (SkinOrigin::DefaultSkin, true),
            (SkinOrigin::PlayerNotFound, true),
            (SkinOrigin::Outage, false),
        ] {
            assert_eq!(origin.is_storable(), storable, "{origin:?}");
        }
    }

    #[test]
    fn a_source_can_be_chosen_at_run_time() {
        fn is_object_safe(_: Option<&dyn SkinSource>) {}
        is_object_safe(None);
    }
}
