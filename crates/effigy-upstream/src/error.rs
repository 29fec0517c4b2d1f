//! The errors of a look-up.

use std::path::{Path, PathBuf};
use std::{error::Error, io, iter, sync::Arc, time::Duration};

use effigy_player::{PlayerId, Uuid};

use crate::{LimitReason, ReceivedFile, Step, TextureHash, TransportError};

/// The result of a look-up.
pub(crate) type Result<T, E = UpstreamError> = std::result::Result<T, E>;

/// The reason why a player's skin, profile or cape is not available.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UpstreamError {
    /// There is no such player, or no player can have the name. The caller is at fault.
    #[error("no such player: {}", id_text(player))]
    PlayerNotFound {
        /// The player that was asked for.
        player: PlayerId,
    },
    /// No provider knows the player of a server without accounts, whose UUID cannot be turned back
    /// into the name. The caller is at fault.
    #[error(
        "no provider knows the uuid {} of a server in offline mode: look the player up by name",
        uuid.hyphenated()
    )]
    OfflineUuid {
        /// The UUID.
        uuid: Uuid,
    },
    /// A provider failed, and is at fault.
    #[error("{provider}")]
    Provider {
        /// The provider, by its kind and host.
        provider: Arc<str>,
        /// The failure.
        #[source]
        source: Arc<Self>,
    },
    /// There is no texture of this hash. The caller is at fault.
    #[error("texture: no texture has the hash {hash}")]
    TextureNotFound {
        /// The hash.
        hash: TextureHash,
    },
    /// An upstream answered with a status that says nothing about the player. It is at fault.
    #[error("{step}: status {status}")]
    Status {
        /// The call.
        step: Step,
        /// Its status.
        status: u16,
        /// The time until the upstream is called again, if it is paused.
        retry_after: Option<Duration>,
    },
    /// No complete response arrived. The upstream or the network is at fault.
    #[error("{step}: no response")]
    Transport {
        /// The call.
        step: Step,
        /// The cause.
        #[source]
        source: TransportError,
        /// The time until the upstream is called again, if it is paused.
        retry_after: Option<Duration>,
    },
    /// A response, or the text encoded in it, is not JSON, or of an unexpected shape. The upstream
    /// is at fault.
    #[error("{step}: {field} is missing or malformed")]
    Shape {
        /// The call.
        step: Step,
        /// The field that is missing or malformed.
        field: &'static str,
    },
    /// A file of a provider on this machine cannot be read. The operator is at fault, or it is
    /// being written.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A record names a texture URL that is not allowed. The upstream is at fault, or the operator
    /// if its host should be allowed.
    #[error("texture: the url {url:?} is not allowed")]
    TextureUrl {
        /// The URL of the record.
        url: String,
    },
    /// An upstream has sent a file that is not a PNG for a texture that a profile names. The
    /// upstream is at fault.
    #[error("texture: received {received} instead of a PNG")]
    BadTexture {
        /// The file.
        received: ReceivedFile,
    },
    /// The texture cannot be drawn. The upstream is at fault.
    #[error("texture: not a skin")]
    Decode {
        /// The decoder's error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The call was not made, because a limit is reached.
    #[error("{step}: not called for another {} ms: {reason}", retry_after.as_millis())]
    Limited {
        /// The call.
        step: Step,
        /// The limit.
        reason: LimitReason,
        /// The time until a call can be made, or zero if that is not known.
        retry_after: Duration,
    },
}

impl UpstreamError {
    /// Returns `true` if this says nothing about the player or texture, so that a later look-up may
    /// succeed.
    #[must_use]
    pub const fn is_outage(&self) -> bool {
        !matches!(
            self,
            Self::PlayerNotFound { .. } | Self::OfflineUuid { .. } | Self::TextureNotFound { .. }
        )
    }

    /// Returns the time until a call can be made, if an upstream is not called because of a limit
    /// or a pause.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Limited { retry_after, .. } => Some(*retry_after),
            Self::Status { retry_after, .. } | Self::Transport { retry_after, .. } => *retry_after,
            Self::Provider { source, .. } => source.retry_after(),
            _ => None,
        }
    }

    /// Returns the limit because of which no call was made.
    #[must_use]
    pub fn limit(&self) -> Option<LimitReason> {
        match self {
            Self::Limited { reason, .. } => Some(*reason),
            Self::Provider { source, .. } => source.limit(),
            _ => None,
        }
    }

    /// Returns the status of an upstream's answer, if it says nothing about the player.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Status { status, .. } => Some(*status),
            Self::BadTexture {
                received: ReceivedFile::Status(status),
            } => Some(*status),
            Self::Provider { source, .. } => source.status(),
            _ => None,
        }
    }

    /// Returns `true` if an upstream has answered that the file does not exist.
    #[must_use]
    pub fn is_missing_file(&self) -> bool {
        matches!(self.status(), Some(404 | 410))
    }

    /// Returns the file that an upstream has sent in place of a texture that a profile names.
    #[must_use]
    pub fn bad_texture(&self) -> Option<&ReceivedFile> {
        match self {
            Self::BadTexture { received } => Some(received),
            Self::Provider { source, .. } => source.bad_texture(),
            _ => None,
        }
    }

    pub(crate) const fn limited(step: Step, reason: LimitReason, retry_after: Duration) -> Self {
        Self::Limited {
            step,
            reason,
            retry_after,
        }
    }

    pub(crate) fn file(path: &Path, source: impl Into<io::Error>) -> Self {
        Self::File {
            path: path.to_owned(),
            source: source.into(),
        }
    }
}

/// Returns a player as text, in quotes, because a client has chosen it.
fn id_text(player: &PlayerId) -> String {
    match player {
        PlayerId::JavaName(name) => format!("java name {name:?}"),
        PlayerId::JavaUuid(uuid) => format!("java uuid {}", uuid.hyphenated()),
        PlayerId::BedrockXuid(xuid) => format!("bedrock xuid {xuid:?}"),
        PlayerId::BedrockGamertag(gamertag) => format!("bedrock gamertag {gamertag:?}"),
    }
}

/// Returns an error and its causes as one line for the log.
#[must_use]
pub fn error_chain(error: &dyn Error) -> String {
    let causes = iter::successors(error.source(), |cause| (*cause).source());
    printable(&causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}")))
}

/// Escapes the control characters of a text, which could forge lines or control a terminal.
/// Upstreams and callers choose parts of the texts that are logged and printed.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_one_line() {
        let error = io::Error::other("first\nsecond\r\u{1b}[2J é");
        assert_eq!(error_chain(&error), "first\\nsecond\\r\\u{1b}[2J é");
    }
}
