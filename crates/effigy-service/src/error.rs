//! The errors of the service. They are for the log; clients get the endpoint's public message.

use std::{
    error::Error,
    fmt,
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use effigy_player::{InputError, word_enum};
use effigy_render::{RenderError, TextureError};
use effigy_store::StoreError;
use effigy_upstream::{LimitReason, UpstreamError};

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The input cannot name a player. The caller is at fault; nothing was looked up.
    #[error("the input names no player")]
    Input(#[from] InputError),
    /// The input is the hash of a texture, which has no account. The caller is at fault.
    #[error("the input is the hash of a texture, which has no account")]
    InputIsTexture,
    /// The picture or its file would be too large. The caller is at fault.
    #[error("the picture is too large")]
    TooLarge,
    /// The URL of a texture is on a host from which no texture is fetched. The caller is at fault.
    #[error("the texture's url is not allowed")]
    TextureUrl(#[source] Failure),
    /// There is no skin at the URL of a texture.
    #[error("no skin is at the texture's url")]
    NoTextureAt(#[source] Failure),
    /// The file of a preview is not a skin. The caller is at fault.
    #[error("the file is not a skin")]
    NotASkin(#[from] TextureError),
    /// The player's skin could not be fetched. The caller or an upstream is at fault.
    #[error("the player could not be resolved")]
    Upstream(#[from] UpstreamError),
    /// A provider failed, and a later one knows a player of this name, who may be another one.
    #[error("the player may be another one of the same name, because a provider failed")]
    Uncertain,
    /// The player's own skin is not available, and neither is the fallback skin. Its upstream is at
    /// fault.
    #[error("no fallback skin")]
    NoFallback(#[source] Failure),
    /// A part of the look-up took longer than the time that it has. Its upstream is at fault.
    #[error("the look-up took too long")]
    TookTooLong,
    /// No provider knows a skin of the player.
    #[error("the player has no skin")]
    NoSkin,
    /// No provider signs the record of the player.
    #[error("the player's record is not signed")]
    NoSignature,
    /// The player has no cape.
    #[error("the player has no cape")]
    NoCape,
    /// The file of the player's cape is not one that can be drawn.
    #[error("the player's cape cannot be drawn")]
    NotACape(#[source] TextureError),
    /// The picture could not be drawn. The caller asked for too much.
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
    /// The database failed, and the answer depends on it.
    #[error("the database failed")]
    Store(#[from] StoreError),
    /// A limit of the client or of all clients together is reached.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The work ended without a result: it panicked, or the service is shutting down.
    #[error("the work ended without a result")]
    Interrupted,
}

/// A failure that is shared by all callers that waited for it.
#[derive(Debug, Clone)]
pub struct Failure(Arc<SharedError>);

/// An error with the records of its reports.
#[derive(Debug)]
struct SharedError {
    error: ServiceError,
    /// `true` if a metric has counted it.
    reported: AtomicBool,
    /// `true` if it is in the log.
    logged: AtomicBool,
}

impl Failure {
    /// Returns `true` the first time that it is called for a failure and its clones, so that a
    /// metric counts it once.
    pub(crate) fn is_first_report(&self) -> bool {
        !self.0.reported.swap(true, Ordering::Relaxed)
    }

    /// Returns `true` the first time that it is called for a failure and its clones, so that it is
    /// logged once.
    pub(crate) fn is_first_log(&self) -> bool {
        !self.0.logged.swap(true, Ordering::Relaxed)
    }

    /// Returns the failure of a texture at a URL that the client has chosen, for which no upstream
    /// is at fault.
    pub(crate) fn of_texture_at(self) -> Self {
        if let ServiceError::Upstream(UpstreamError::TextureUrl { .. }) = &*self {
            return ServiceError::TextureUrl(self).into();
        }
        if self.is_missing_file() || self.has_bad_texture() {
            return ServiceError::NoTextureAt(self).into();
        }
        self
    }
}

/// The result of a flow.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.error.fmt(f)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.error.source()
    }
}

impl<E> From<E> for Failure
where
    ServiceError: From<E>,
{
    fn from(error: E) -> Self {
        Self(Arc::new(SharedError {
            error: error.into(),
            reported: AtomicBool::new(false),
            logged: AtomicBool::new(false),
        }))
    }
}

impl Deref for Failure {
    type Target = ServiceError;

    fn deref(&self) -> &ServiceError {
        &self.0.error
    }
}

word_enum! {
    /// The party that is at fault for a failure.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Fault {
        /// The caller: the request cannot succeed.
        Request = "request",
        /// Nobody: there is no such player, texture or cape.
        NotFound = "not_found",
        /// The client has used its share. A later request may succeed.
        Limited = "limited",
        /// An upstream.
        Upstream = "upstream",
        /// Too many simultaneous requests of all clients. A later one may succeed.
        Overloaded = "overloaded",
        /// The service itself.
        Internal = "internal",
    }
}

word_enum! {
    /// A resource that has a limit, of one client or of all.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum SharedResource {
        /// Processor time of drawing.
        Drawing = "drawing",
        /// Calls to upstreams.
        Calls = "calls",
        /// Places in the queue in front of the drawing threads.
        Queue = "queue",
        /// Memory of bytes that wait to be read or sent.
        Memory = "memory",
    }
}

/// A limit is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the limit of {} is reached ({})", resource.as_str(), match fault {
    Fault::Limited => "of this client",
    _ => "of all clients",
})]
pub struct Refused {
    /// The resource that is used up.
    pub resource: SharedResource,
    /// [`Fault::Limited`] if the client has reached the limit, [`Fault::Overloaded`] if all clients
    /// together have.
    pub fault: Fault,
    /// The time until a new attempt may succeed.
    pub retry_after: Duration,
}

impl ServiceError {
    /// Returns `true` if the failure tells nothing about the player, so that a stale picture may be
    /// shown.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        matches!(self.fault(), Fault::Upstream | Fault::Overloaded)
    }

    /// Returns `true` if the failure remains while nothing changes: neither the service nor an
    /// upstream is at fault.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        matches!(self.fault(), Fault::NotFound | Fault::Request)
    }

    /// Returns `true` if an upstream has answered that there is no such file, or not any more.
    pub(crate) fn is_missing_file(&self) -> bool {
        matches!(self, Self::Upstream(error) if error.is_missing_file())
    }

    /// Returns `true` if the upstream has sent something else in place of the texture.
    #[must_use]
    pub fn has_bad_texture(&self) -> bool {
        match self {
            Self::Upstream(UpstreamError::Decode { .. }) => true,
            Self::Upstream(error) => error.bad_texture().is_some(),
            _ => false,
        }
    }

    /// Returns the party that is at fault.
    #[must_use]
    pub fn fault(&self) -> Fault {
        match self {
            Self::Input(_) | Self::InputIsTexture | Self::TextureUrl(_) => Fault::Request,
            Self::TooLarge | Self::NotASkin(_) | Self::Render(_) => Fault::Request,
            Self::Upstream(error) if !error.is_outage() => Fault::NotFound,
            Self::NoSkin | Self::NoCape | Self::NotACape(_) => Fault::NotFound,
            Self::NoTextureAt(_) | Self::NoSignature => Fault::NotFound,
            Self::Refused(refused) => refused.fault,
            // It says nothing about the player, even if there is no such fallback player.
            Self::NoFallback(failure) if failure.fault() != Fault::NotFound => failure.fault(),
            // A limit of our own. A pause is the upstream's fault.
            Self::Upstream(error) if error.limit().is_some_and(is_own) => Fault::Overloaded,
            Self::Upstream(_) | Self::Uncertain | Self::NoFallback(_) | Self::TookTooLong => {
                Fault::Upstream
            }
            _ => Fault::Internal,
        }
    }

    /// Returns the time until a new attempt, if the request was rejected because of a limit.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(refused) => Some(refused.retry_after),
            Self::Upstream(error) => error.retry_after(),
            Self::NoFallback(failure) => failure.retry_after(),
            _ => None,
        }
    }
}

/// Returns `true` for the limits that the service sets itself.
const fn is_own(limit: LimitReason) -> bool {
    matches!(limit, LimitReason::RateLimit | LimitReason::Concurrency)
}

#[cfg(test)]
mod tests {
    use effigy_player::PlayerId;
    use effigy_upstream::Step;

    use super::*;

    const RETRY_AFTER: Duration = Duration::from_secs(3);

    fn limited(reason: LimitReason) -> ServiceError {
        ServiceError::Upstream(UpstreamError::Limited {
            step: Step::Identity,
            reason,
            retry_after: RETRY_AFTER,
        })
    }

    fn refused(fault: Fault) -> ServiceError {
        ServiceError::Refused(Refused {
            resource: SharedResource::Drawing,
            fault,
            retry_after: RETRY_AFTER,
        })
    }

    fn no_fallback(error: ServiceError) -> ServiceError {
        ServiceError::NoFallback(error.into())
    }

    fn unknown_player() -> ServiceError {
        let player = PlayerId::JavaName("x".to_owned());
        UpstreamError::PlayerNotFound { player }.into()
    }

    fn failed_call() -> ServiceError {
        let error = UpstreamError::Status {
            step: Step::Identity,
            status: 500,
            retry_after: Some(RETRY_AFTER),
        };
        error.into()
    }

    #[test]
    fn a_shared_failure_is_logged_and_counted_once() {
        let failure = Failure::from(unknown_player());
        for first in [true, false] {
            assert_eq!(failure.clone().is_first_log(), first);
            assert_eq!(failure.clone().is_first_report(), first);
        }
    }

    #[test]
    fn every_failure_has_a_party_at_fault() {
        let rows = [
            (ServiceError::Input(InputError::Empty), Fault::Request),
            (ServiceError::InputIsTexture, Fault::Request),
            (ServiceError::TooLarge, Fault::Request),
            (unknown_player(), Fault::NotFound),
            (ServiceError::NoSkin, Fault::NotFound),
            (ServiceError::NoCape, Fault::NotFound),
            (ServiceError::NoSignature, Fault::NotFound),
            (ServiceError::Uncertain, Fault::Upstream),
            (failed_call(), Fault::Upstream),
            (ServiceError::Interrupted, Fault::Internal),
        ];
        for (error, expected) in rows {
            assert_eq!(error.fault(), expected, "{error:?}");
        }
    }

    #[test]
    fn limits_have_the_party_that_has_reached_them_at_fault() {
        let rows = [
            (limited(LimitReason::RateLimit), Fault::Overloaded),
            (limited(LimitReason::NotAnswering), Fault::Upstream),
            (limited(LimitReason::TooManyRequests), Fault::Upstream),
            (refused(Fault::Limited), Fault::Limited),
            (refused(Fault::Overloaded), Fault::Overloaded),
        ];
        for (error, expected) in rows {
            assert_eq!(error.fault(), expected, "{error:?}");
        }
    }

    /// The absence of the fallback player says nothing about the requested one.
    #[test]
    fn a_missing_fallback_is_an_outage() {
        let missing = no_fallback(ServiceError::NoCape);
        assert_eq!(missing.fault(), Fault::Upstream);
        let refusal = no_fallback(refused(Fault::Limited));
        assert_eq!(refusal.fault(), Fault::Limited);
    }

    #[test]
    fn no_upstream_is_at_fault_for_a_url_of_a_client() {
        let not_allowed = UpstreamError::TextureUrl {
            url: "https://example.org/a.png".to_owned(),
        };
        let gone = UpstreamError::Status {
            step: Step::Texture,
            status: 404,
            retry_after: None,
        };
        let rows = [
            (ServiceError::Upstream(not_allowed), Fault::Request),
            (ServiceError::Upstream(gone), Fault::NotFound),
            (ServiceError::TookTooLong, Fault::Upstream),
        ];
        for (error, expected) in rows {
            let failure = Failure::from(error).of_texture_at();
            assert_eq!(failure.fault(), expected, "{failure:?}");
        }
    }
}
