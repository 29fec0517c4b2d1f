//! The interface of a source of skins.

use std::time::Instant;

use effigy_player::PlayerId;

use crate::{Profile, TextureHash, TextureUrl, UpstreamError, UpstreamState};

/// A source of skins. Every call is a fresh look-up, and blocks.
pub trait SkinSource: Send + Sync + 'static {
    /// Returns the time at which a look-up that begins now must be over, with all of its calls.
    fn deadline(&self) -> Instant;

    /// Looks a player up.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if there is no such player, or an upstream fails.
    fn profile(&self, player: &PlayerId, deadline: Instant) -> Result<Profile, UpstreamError>;

    /// Fetches a skin or a cape that a [`Profile`] of this source names: a file that begins like a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if it cannot be fetched, or is no PNG.
    fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Vec<u8>, UpstreamError>;

    /// Fetches the texture of a hash: a file that begins like a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::TextureNotFound`] if there is none, any other if it cannot be fetched.
    fn texture_by_hash(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError>;

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

    /// Returns `true` if names that differ in their letter case alone are one player's, as Mojang's are.
    fn ignores_case(&self) -> bool {
        true
    }

    /// Returns the revision of the player that `input` names, if the source has the player's files at
    /// hand and they may change at any time. It does not block.
    fn revision(&self, input: &str) -> Option<Revision> {
        let _ = input;
        None
    }
}

/// A number that changes whenever a player's files do. The same files have the same one everywhere.
pub type Revision = u128;
