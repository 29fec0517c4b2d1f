//! The upstreams by name, and how it stands between them and us.

use std::fmt;
use std::time::Duration;

/// What is limited, paused and watched on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Upstream {
    /// Java names to UUIDs, by the legacy form of the look-up.
    IdentityLegacy,
    /// Java names to UUIDs, by the current form.
    IdentityCurrent,
    /// Java UUIDs to profiles.
    Session,
    /// Both Bedrock look-ups.
    Bedrock,
    /// Textures, from whichever host.
    Texture,
}

impl Upstream {
    /// The name, in lower-case letters and underscores.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IdentityLegacy => "identity_legacy",
            Self::IdentityCurrent => "identity_current",
            Self::Session => "session",
            Self::Bedrock => "bedrock",
            Self::Texture => "texture",
        }
    }
}

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether calls are let through to an upstream that may hang.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Circuit {
    /// They are.
    Closed,
    /// Only a probe now and then: the last calls got no answer in their time.
    Open,
}

/// How it stands with one upstream at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamState {
    /// Which one.
    pub upstream: Upstream,
    /// The calls under way.
    pub calls: u32,
    /// How many may be under way at once.
    pub places: u32,
    /// How many calls its budget has room for now; `None` where it has no budget.
    pub budget_left: Option<u32>,
    /// How long it is still left alone for, because it objected.
    pub paused_for: Option<Duration>,
    /// Whether it hangs.
    pub circuit: Circuit,
}
