//! The errors of the service. They are for the log; clients get the endpoint's public message.

use std::{error::Error, iter, sync::Arc, time::Duration};

use effigy_player::InputError;
use effigy_render::RenderError;
use effigy_store::StoreError;
use effigy_upstream::{SkinOrigin, UpstreamError};

use crate::gate::{Refused, Scope};

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The input cannot name a player. The caller is at fault; nothing was looked up.
    #[error("the input names no player")]
    Input(#[from] InputError),
    /// No PNG can be that large. The caller is at fault; nothing was looked up.
    #[error("the size is too large for a picture")]
    TooLarge,
    /// The player's skin could not be fetched. The caller or an upstream is at fault.
    #[error("the player could not be resolved")]
    Upstream(#[from] UpstreamError),
    /// Only a fallback skin is available, and the request does not accept it.
    #[error("only a fallback skin is available: {origin:?}")]
    OnlyFallback {
        /// The reason why the player's own skin is not available.
        origin: SkinOrigin,
    },
    /// The player has no cape.
    #[error("the player has no cape")]
    NoCape,
    /// The cached profile of a player cannot be read. The database is at fault.
    #[error("the stored profile is not valid json")]
    StoredProfile(#[source] serde_json::Error),
    /// The picture could not be drawn. The caller asked for too much.
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
    /// The database failed, and the answer depends on it.
    #[error("the database failed")]
    Store(#[from] StoreError),
    /// A limit of concurrent work is reached. A later request may succeed.
    #[error("the limit of {pool} is reached")]
    Overloaded {
        /// The kind of work.
        pool: &'static str,
    },
    /// A limit of one client or of all is reached. A later request may succeed.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The work ended without a result: it panicked, or the service is shutting down.
    #[error("the work ended without a result")]
    Interrupted,
}

/// A result that is shared by all callers that waited for it.
pub(crate) type Shared<T> = Result<T, Arc<ServiceError>>;

/// The party that is at fault for a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The caller: the request cannot succeed.
    Request,
    /// Nobody: there is no such player, texture or cape.
    NotFound,
    /// An upstream.
    Upstream,
    /// Too many simultaneous requests. A later one may succeed.
    Overloaded,
    /// The client has used its share. A later request may succeed.
    Limited,
    /// The service itself.
    Internal,
}

impl Fault {
    /// Returns the word for metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::NotFound => "not_found",
            Self::Upstream => "upstream",
            Self::Overloaded => "overloaded",
            Self::Limited => "limited",
            Self::Internal => "internal",
        }
    }
}

impl ServiceError {
    /// Returns `true` if the failure tells nothing about the player, so that a stale picture may be
    /// shown.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        // A hanging upstream occupies all permits.
        matches!(self.fault(), Fault::Upstream | Fault::Overloaded)
    }

    /// Returns the party that is at fault.
    #[must_use]
    pub fn fault(&self) -> Fault {
        match self {
            Self::Input(_) | Self::TooLarge => Fault::Request,
            Self::Render(error) if !matches!(error, RenderError::Write { .. }) => Fault::Request,
            Self::NoCape
            | Self::OnlyFallback {
                origin: SkinOrigin::PlayerNotFound,
            } => Fault::NotFound,
            Self::Upstream(error) if !error.is_outage() => Fault::NotFound,
            Self::Refused(Refused {
                scope: Scope::Client,
                ..
            }) => Fault::Limited,
            _ if self.retry_after().is_some() => Fault::Overloaded,
            Self::Upstream(_) | Self::OnlyFallback { .. } => Fault::Upstream,
            _ => Fault::Internal,
        }
    }

    /// Returns the time until a new attempt, if the request was rejected because of an overload.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Overloaded { .. } => Some(Duration::from_secs(1)),
            Self::Refused(refused) => Some(refused.retry_after),
            Self::Upstream(UpstreamError::Limited { retry_after, .. }) => Some(*retry_after),
            _ => None,
        }
    }
}

/// Returns the error and its causes as one line for the log.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = iter::successors(Some(error), |error| (*error).source());
    let parts: Vec<String> = causes.map(|error| one_line(&error.to_string())).collect();
    parts.join(": ")
}

/// Escapes control characters, which could forge log lines or control a terminal: upstreams and
/// callers choose parts of the text.
fn one_line(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escaped = c.is_control().then(|| c.escape_default());
            let plain = escaped.is_none().then_some(c);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_a_party_at_fault() {
        let step = effigy_upstream::Step::Identity;
        let limited = UpstreamError::Limited {
            step,
            reason: effigy_upstream::LimitReason::RateLimit,
            retry_after: Duration::from_secs(3),
        };
        let nobody = UpstreamError::PlayerNotFound {
            step,
            player: "x".to_owned(),
        };
        let fallback = |origin| ServiceError::OnlyFallback { origin };
        let rows = [
            (ServiceError::Input(InputError::Empty), Fault::Request),
            (ServiceError::TooLarge, Fault::Request),
            (nobody.into(), Fault::NotFound),
            (ServiceError::NoCape, Fault::NotFound),
            (fallback(SkinOrigin::PlayerNotFound), Fault::NotFound),
            (fallback(SkinOrigin::Outage), Fault::Upstream),
            (
                UpstreamError::Status { step, status: 500 }.into(),
                Fault::Upstream,
            ),
            (limited.into(), Fault::Overloaded),
            (ServiceError::Overloaded { pool: "x" }, Fault::Overloaded),
            (ServiceError::Interrupted, Fault::Internal),
        ];
        for (error, expected) in rows {
            assert_eq!(error.fault(), expected, "{error:?}");
        }
    }

    #[test]
    fn a_chain_names_every_cause_in_order() {
        let error = ServiceError::Input(InputError::TooLong { len: 300 });
        assert_eq!(
            chain(&error),
            "the input names no player: the input has 300 bytes, more than 256"
        );
    }

    #[test]
    fn a_chain_is_one_line() {
        let error = std::io::Error::other("first\nsecond\r\u{1b}[2J é");
        assert_eq!(chain(&error), "first\\nsecond\\r\\u{1b}[2J é");
    }
}
