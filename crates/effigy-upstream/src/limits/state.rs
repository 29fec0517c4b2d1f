//! The upstreams by name, and their states.

use std::sync::Arc;
use std::time::Duration;

effigy_player::word_enum! {
    /// A service of a provider, which has limits of its own.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Upstream {
        /// Java names to UUIDs, by the legacy form of the look-up.
        IdentityLegacy = "identity_legacy",
        /// Java names to UUIDs, by the current form.
        IdentityCurrent = "identity_current",
        /// Java UUIDs to profiles.
        Session = "session",
        /// Both Bedrock look-ups.
        Bedrock = "bedrock",
        /// Textures, from any host of the provider.
        Texture = "texture",
        /// Names, profiles and the description of a Yggdrasil server.
        Profiles = "profiles",
    }
}

/// The state of the limits of one upstream at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamState {
    /// The provider, by its kind and host. The texture service of the game, which several providers
    /// share, is `textures`.
    pub provider: Arc<str>,
    /// The upstream.
    pub upstream: Upstream,
    /// The number of calls in flight.
    pub calls: usize,
    /// The number of calls that the rate limit allows now, or `None` if there is no rate limit.
    pub rate_limit_left: Option<u32>,
    /// The time until the next call, while the upstream rejects or fails calls. It is zero if a
    /// probe is due.
    pub paused_for: Option<Duration>,
    /// The reason why calls for players fail now, if they do and no other upstream takes them over.
    pub limited: Option<LimitReason>,
}

effigy_player::word_enum! {
    /// The limit that keeps a call from being made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum LimitReason {
        /// The upstream refused a call (403) a moment ago, or does not serve it any more.
        Refused = "it refused a call",
        /// The upstream rejected a call as one too many (429) a moment ago.
        TooManyRequests = "it was called too often",
        /// The rate limit is used up.
        RateLimit = "its rate limit is used up",
        /// The last calls failed, and the next probe is not due.
        NotAnswering = "it does not answer",
        /// The maximum number of concurrent calls is in flight.
        Concurrency = "too many calls are in flight",
    }
}
