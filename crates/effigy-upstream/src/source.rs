//! What a source of skins offers, and what it asks of its caller.

use std::error::Error;

use effigy_player::{Model, PlayerId};

use crate::{Profile, TextureHash, UpstreamError};

/// Where skins come from. Every call is a fresh look-up, and blocks.
pub trait SkinSource: Send + Sync + 'static {
    /// What the textures are turned into.
    type Skin: Send + Sync + 'static;

    /// Looks the player up and fetches the skin, or the one that stands in for it.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] where there is neither a skin nor a stand-in.
    fn resolve(&self, player: &PlayerId) -> Result<Resolved<Self::Skin>, UpstreamError>;

    /// Looks up what is known about the player. Nobody stands in for anybody.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] where there is no such player, or an upstream does not tell.
    fn profile(&self, player: &PlayerId) -> Result<Profile, UpstreamError>;

    /// Fetches the skin of this hash, to be drawn on `model`.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::TextureNotFound`] where there is none, any other where it cannot be had.
    fn texture(
        &self,
        hash: &TextureHash,
        model: Model,
    ) -> Result<Resolved<Self::Skin>, UpstreamError>;

    /// Fetches the cape at the address that a [`Profile`] names.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] where it cannot be had, or is no PNG.
    fn cape(&self, url: &str) -> Result<Vec<u8>, UpstreamError>;

    /// Asks whether the Java identity service answers, for at most 5 s.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] saying why it does not.
    fn ping(&self) -> Result<(), UpstreamError>;
}

/// Turns texture bytes into what the caller draws from, so that this crate need not know skins.
pub trait DecodeTexture: Send + Sync + 'static {
    /// What the texture is turned into.
    type Skin: Send + Sync + 'static;

    /// Checks and decodes a texture, whose bytes are whatever the upstream sent.
    ///
    /// # Errors
    ///
    /// Anything that tells why these bytes are no skin.
    fn decode(
        &self,
        texture: &[u8],
        model: Model,
    ) -> Result<Self::Skin, Box<dyn Error + Send + Sync>>;
}

/// A skin, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved<S> {
    /// The texture as the upstream sent it.
    pub texture: Vec<u8>,
    /// The same texture, decoded.
    pub skin: S,
    /// Whether it is the player's own.
    pub standing: Standing,
}

/// Whether a skin is the player's own, or what it stands in for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// The player's own skin.
    Own,
    /// The player exists and has set no skin.
    NoSkin,
    /// There is no such player.
    NoSuchPlayer,
    /// An upstream did not answer as it should, so the skin may be the wrong one.
    Outage,
}

impl Standing {
    /// Whether a picture of the skin may be kept: not one that stands in for an outage, which would
    /// show a wrong face after the outage is over.
    #[must_use]
    pub const fn is_storable(self) -> bool {
        !matches!(self, Self::Outage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_outage_is_not_stored() {
        for (standing, storable) in [
            (Standing::Own, true),
            (Standing::NoSkin, true),
            (Standing::NoSuchPlayer, true),
            (Standing::Outage, false),
        ] {
            assert_eq!(standing.is_storable(), storable, "{standing:?}");
        }
    }
}
