//! The interface of a source of skins: profiles, textures, and the state of the upstreams.
//!
//! Calls block and use no cached answer, unless their description says otherwise.

mod validators;

use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::{PlayerId, Uuid};

use crate::{
    LookUp, PlannedCalls, Profile, Target, TextureHash, TextureUrl, UpstreamCapacity,
    UpstreamError, UpstreamState,
};

pub use validators::Validators;

/// A source of the profiles of players.
pub trait Profiles: Send + Sync + 'static {
    /// Returns the time at which a look-up that begins now must be over, with all of its calls.
    fn deadline(&self) -> Instant;

    /// Looks a player up from scratch.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if there is no such player, or an upstream fails.
    fn profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Profile, UpstreamError>;

    /// Looks a known player up again, with as few calls as possible.
    ///
    /// `player` is the player that a client asked for. If no earlier provider than the one of
    /// `known` could know it, only the account is looked up there, by its identifier. Otherwise
    /// this is the same as [`profile`](Self::profile).
    ///
    /// The answer may have another name than `player`, because an account can take a new name. The
    /// caller compares them.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::PlayerNotFound`] if the account is gone. Its name may belong to another
    /// account by now, which only [`profile`](Self::profile) finds. Any other error if an upstream
    /// fails.
    fn renewed(
        &self,
        known: &Profile,
        player: &PlayerId,
        look_up: &LookUp,
    ) -> Result<Profile, UpstreamError>;

    /// Looks up the record of a Java account as its session service signs it: JSON whose properties
    /// have signatures. Returns `None` if no provider signs it.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] if the upstream fails.
    fn signed_profile(&self, _uuid: Uuid, _: &LookUp) -> Result<Option<String>, UpstreamError> {
        Ok(None)
    }

    /// Returns the profile that a folder of skins has now, without a call and without blocking on
    /// I/O.
    fn local(&self, _player: &PlayerId) -> Option<LocalProfile> {
        None
    }

    /// Returns `true` if names that differ in their letter case alone mean one player, as at
    /// Mojang.
    fn ignores_case(&self) -> bool {
        true
    }

    /// Returns a short text that differs for chains of other providers, of other URLs, or in
    /// another order. A folder counts by its place in the chain, not by its path or content.
    ///
    /// It is the same after a restart, and on every replica with the same settings.
    fn fingerprint(&self) -> String;

    /// Returns the time within which one profile is checked at most once at the provider of this
    /// name: a minute at the public services, 5 s at any other URL. It is zero for folders, and for
    /// a name that no provider has.
    fn profile_interval(&self, provider: &str) -> Duration;

    /// Returns the maximum number of calls of a look-up to each upstream. It is empty if no call is
    /// needed, as for a file at hand.
    ///
    /// The upstreams may change between this call and the look-up, so a look-up may still make one
    /// call more. If the account of a [`Target::Known`] is gone, later providers are asked.
    fn calls_for(&self, _target: Target<'_>) -> Vec<PlannedCalls> {
        Vec::new()
    }
}

/// The profile that a folder of skins has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalProfile {
    /// The profile, with the files of its textures.
    pub profile: Profile,
    /// The providers that come before the folder and could know the player, by name. If one of
    /// them knows the player, the folder's file does not count. Empty if the folder decides.
    pub earlier: Vec<Arc<str>>,
}

/// A source of textures.
pub trait Textures: Send + Sync + 'static {
    /// Fetches a skin or a cape that a [`Profile`] of this source names: a file that begins like a
    /// PNG.
    ///
    /// If `known` has the validators of an earlier answer, the server may say that nothing has
    /// changed.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::BadTexture`] if a response is not such a file, any other if it cannot be
    /// fetched.
    fn texture(
        &self,
        url: &TextureUrl,
        known: Option<&Validators>,
        look_up: &LookUp,
    ) -> Result<Fetched, UpstreamError>;

    /// Fetches the texture of a hash: a file that begins like a PNG.
    ///
    /// # Errors
    ///
    /// [`UpstreamError::TextureNotFound`] if it does not exist, any other if it cannot be fetched.
    fn texture_by_hash(
        &self,
        hash: &TextureHash,
        look_up: &LookUp,
    ) -> Result<Vec<u8>, UpstreamError>;
}

/// The answer to a request for a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// The file is the one of the validators.
    Unchanged,
    /// The file.
    File {
        /// Its bytes.
        file: Vec<u8>,
        /// Its validators, for the next request.
        validators: Validators,
    },
}

/// The state of the upstreams, for limits, metrics and the health check.
pub trait Status: Send + Sync + 'static {
    /// Pings each provider that looks up Java names at a server, all at once and within 5 s. Pings
    /// take at most a twentieth of a rate limit. Until the next one is due, the last answer is
    /// returned, updated by the calls since.
    fn ping(&self) -> Vec<Ping>;

    /// Returns the state of each upstream, for metrics, in the order of
    /// [`upstreams`](Self::upstreams).
    fn states(&self) -> Vec<UpstreamState> {
        Vec::new()
    }

    /// Returns the limits of each upstream. A position in this list is an
    /// [`UpstreamId`](crate::UpstreamId).
    fn upstreams(&self) -> Vec<UpstreamCapacity> {
        Vec::new()
    }
}

/// The last ping of a provider, updated by the calls since.
#[derive(Debug, Clone)]
pub struct Ping {
    /// The provider, by its kind and host.
    pub provider: Arc<str>,
    /// The reason why it does not answer, or `Ok`.
    pub answer: Result<(), Arc<UpstreamError>>,
    /// The duration of the ping, or zero if only other calls were answered.
    pub response_time: Duration,
    /// The time since the ping.
    pub age: Duration,
}

/// A source of everything: profiles, textures and the state of the upstreams.
///
/// ```
/// use effigy_upstream::{FileChecks, ProviderChain, SkinSource};
///
/// let source: Box<dyn SkinSource> =
///     Box::new(ProviderChain::in_memory([], FileChecks::NONE));
/// assert!(source.ignores_case() && source.ping().is_empty());
/// ```
pub trait SkinSource: Profiles + Textures + Status {}

impl<S: Profiles + Textures + Status> SkinSource for S {}
