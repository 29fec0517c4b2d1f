//! Why a player's skin could not be had.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::{TextureHash, TransportError};

/// A step of resolving: one kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Java name to UUID.
    Identity,
    /// Java UUID to the profile that names the texture.
    Session,
    /// Bedrock gamertag to XUID.
    Xuid,
    /// XUID to the record that names the texture.
    BedrockSkin,
    /// The texture itself.
    Texture,
}

impl Step {
    /// Returns the name, in lower-case letters and underscores.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Session => "session",
            Self::Xuid => "xuid",
            Self::BedrockSkin => "bedrock_skin",
            Self::Texture => "texture",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Identity => "identity look-up",
            Self::Session => "session profile",
            Self::Xuid => "xuid look-up",
            Self::BedrockSkin => "bedrock skin record",
            Self::Texture => "texture",
        })
    }
}

/// Why a call is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hold {
    /// The upstream refused a call (403) a moment ago, or does not serve it any more.
    Refused,
    /// The upstream was called too often (429) a moment ago.
    TooManyRequests,
    /// As many calls as it bears were made in the last span of time.
    BudgetSpent,
    /// It hangs, and it is not time for the next probe.
    CircuitOpen,
    /// As many calls as are allowed at once are under way.
    Busy,
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Refused => "it refused a call",
            Self::TooManyRequests => "it was called too often",
            Self::BudgetSpent => "its budget is spent",
            Self::CircuitOpen => "it hangs",
            Self::Busy => "too many calls are under way",
        })
    }
}

/// Why a player's skin could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UpstreamError {
    /// There is no such player, or nobody can be called that. The caller is at fault.
    #[error("{step}: no player {player:?}")]
    PlayerNotFound {
        /// Where that came out.
        step: Step,
        /// The name, UUID, gamertag or XUID that was looked up.
        player: String,
    },
    /// There is no texture of this hash. The caller is at fault.
    #[error("texture: none has the hash {hash}")]
    TextureNotFound {
        /// The hash.
        hash: TextureHash,
    },
    /// An upstream answered with a status that tells nothing about the player. It is at fault.
    #[error("{step}: status {status}")]
    Status {
        /// The call.
        step: Step,
        /// Its status.
        status: u16,
    },
    /// No whole answer arrived. The upstream or the network is at fault.
    #[error("{step}: no answer")]
    Transport {
        /// The call.
        step: Step,
        /// What went wrong.
        #[source]
        source: TransportError,
    },
    /// An answer, or the text encoded in it, is not JSON. The upstream is at fault.
    #[error("{step}: not valid json")]
    NotJson {
        /// The call.
        step: Step,
        /// Where the text stops being JSON.
        #[source]
        source: serde_json::Error,
    },
    /// An answer is JSON and not the record it should be. The upstream is at fault.
    #[error("{step}: {field} is missing or malformed")]
    Shape {
        /// The call.
        step: Step,
        /// The field that is not as it should be.
        field: &'static str,
    },
    /// A record names a texture at an address that is not fetched from. The upstream is at fault,
    /// or the operator, where its host should be allowed.
    #[error("texture: the url {url:?} is not allowed")]
    TextureUrl {
        /// The address, as the record has it.
        url: String,
    },
    /// The texture is not one that can be drawn. The upstream is at fault.
    #[error("texture: not a skin")]
    Decode {
        /// What the decoder says.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The call was not made, out of consideration for the upstream or for ourselves.
    #[error("{step}: held back for another {} ms, for {hold}", retry_after.as_millis())]
    Limited {
        /// The call.
        step: Step,
        /// Why.
        hold: Hold,
        /// When one may be made again, as far as that is known.
        retry_after: Duration,
    },
    /// The skin that should have stood in could not be had either. Its upstream is at fault.
    #[error("no stand-in")]
    StandIn {
        /// What went wrong with the stand-in's.
        #[source]
        source: Arc<UpstreamError>,
    },
}

impl UpstreamError {
    /// Whether this says nothing about what was asked for, so that asking again later may end otherwise.
    #[must_use]
    pub const fn is_outage(&self) -> bool {
        !matches!(
            self,
            Self::PlayerNotFound { .. } | Self::TextureNotFound { .. }
        )
    }

    pub(crate) fn not_found(step: Step, player: &str) -> Self {
        Self::PlayerNotFound {
            step,
            player: player.to_owned(),
        }
    }
}
