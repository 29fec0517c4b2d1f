//! Why a request failed, for the log; what the caller is told is the endpoint's one message.

use std::{error::Error, iter, time::Duration};

use effigy_player::InputError;
use effigy_render::RenderError;
use effigy_store::StoreError;
use effigy_upstream::{SkinOrigin, UpstreamError};

/// Why the service could not give what was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The input can name no player. The caller's fault; nothing was looked up.
    #[error("the input names no player")]
    Input(#[from] InputError),
    /// No PNG can be that large. The caller's fault; nothing was looked up.
    #[error("the size makes a picture that cannot exist")]
    ImpossibleSize,
    /// The player's skin could not be had. The caller's fault or an upstream's.
    #[error("the player could not be resolved")]
    Upstream(#[from] UpstreamError),
    /// Only somebody else's skin could be had, and the caller wants to know that.
    #[error("only a stand-in could be had: {standing:?}")]
    StandIn {
        /// What it would have stood in for.
        standing: SkinOrigin,
    },
    /// The player wears no cape.
    #[error("the player wears no cape")]
    NoCape,
    /// The picture could not be drawn. The caller asked for too much.
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
    /// The database failed where the answer depends on it.
    #[error("the database failed")]
    Store(#[from] StoreError),
    /// Too much of one kind of work is in flight. It passes.
    #[error("every place for {pool} is taken")]
    Overloaded {
        /// What kind of work.
        pool: &'static str,
    },
    /// The work ended without a result: it panicked, or the service is shutting down.
    #[error("the work ended without a result")]
    Interrupted,
}

/// Whose fault a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The caller's: what was asked for cannot be.
    Request,
    /// Nobody's: there is no such player, texture or cape.
    NotFound,
    /// An upstream's.
    Upstream,
    /// That of the many others who ask now. It passes.
    Crowd,
    /// Ours.
    Ours,
}

impl ServiceError {
    /// Whether this kept the service from a player's skin, and says nothing about the player.
    pub(crate) fn is_outage(&self) -> bool {
        // Those that hang have all the places.
        matches!(self.fault(), Fault::Upstream | Fault::Crowd)
    }

    /// Whose fault it is.
    #[must_use]
    pub fn fault(&self) -> Fault {
        match self {
            Self::Input(_) | Self::ImpossibleSize => Fault::Request,
            Self::NoCape
            | Self::StandIn {
                standing: SkinOrigin::PlayerNotFound,
            } => Fault::NotFound,
            Self::Upstream(error) if !error.is_outage() => Fault::NotFound,
            _ if self.retry_after().is_some() => Fault::Crowd,
            Self::Upstream(_) | Self::StandIn { .. } => Fault::Upstream,
            _ => Fault::Ours,
        }
    }

    /// When to come again, where the request was refused only because there is too much to do.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Overloaded { .. } => Some(Duration::from_secs(1)),
            Self::Upstream(UpstreamError::Limited { retry_after, .. }) => Some(*retry_after),
            _ => None,
        }
    }
}

/// The error and everything under it, as one line for the log.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = iter::successors(Some(error), |error| (*error).source());
    let parts: Vec<String> = causes.map(|error| one_line(&error.to_string())).collect();
    parts.join(": ")
}

/// The text without what would end a line of the log or steer a terminal: upstreams and callers
/// choose parts of it.
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
    fn every_failure_is_somebodys_fault() {
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
        let stand_in = |standing| ServiceError::StandIn { standing };
        let rows = [
            (ServiceError::Input(InputError::Empty), Fault::Request),
            (ServiceError::ImpossibleSize, Fault::Request),
            (nobody.into(), Fault::NotFound),
            (ServiceError::NoCape, Fault::NotFound),
            (stand_in(SkinOrigin::PlayerNotFound), Fault::NotFound),
            (stand_in(SkinOrigin::Outage), Fault::Upstream),
            (
                UpstreamError::Status { step, status: 500 }.into(),
                Fault::Upstream,
            ),
            (limited.into(), Fault::Crowd),
            (ServiceError::Overloaded { pool: "x" }, Fault::Crowd),
            (ServiceError::Interrupted, Fault::Ours),
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
