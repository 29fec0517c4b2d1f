//! The codes by which programs tell errors apart.

use effigy_player::word_enum;
use effigy_render::RenderError;
use effigy_service::{Fault, ServiceError};
use effigy_upstream::UpstreamError;
use hyper::StatusCode;

word_enum! {
    /// The code of an error. Messages may change, codes don't.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ErrorCode {
        /// The path, a parameter, a header or the body can't be read.
        InvalidRequest = "invalid_request",
        /// The text in the place of the player can't name one.
        InvalidPlayer = "invalid_player",
        /// The body is not a skin file.
        InvalidSkin = "invalid_skin",
        /// The picture or its file would be too large.
        PictureTooLarge = "picture_too_large",
        /// The operator denies the network of the client.
        AccessDenied = "access_denied",
        /// No route has the path.
        NotFound = "not_found",
        /// There is no such player.
        PlayerNotFound = "player_not_found",
        /// There is no such texture.
        TextureNotFound = "texture_not_found",
        /// The player exists, but no skin of the player is known.
        NoSkin = "no_skin",
        /// The player has no cape.
        NoCape = "no_cape",
        /// The skin or cape of the player is not a file that can be drawn.
        UnusableTexture = "unusable_texture",
        /// The route doesn't have the method.
        MethodNotAllowed = "method_not_allowed",
        /// The skin file did not arrive in time.
        UploadTimeout = "upload_timeout",
        /// The skin file is too long, or arrives in too many pieces.
        FileTooLarge = "file_too_large",
        /// The body is a form instead of the skin file.
        UnsupportedMediaType = "unsupported_media_type",
        /// The client has reached one of its limits.
        RateLimited = "rate_limited",
        /// A service that knows players or textures fails or refuses calls.
        UpstreamUnavailable = "upstream_unavailable",
        /// The service has too much to do, or has paused its calls to an upstream.
        Overloaded = "overloaded",
        /// The service itself has failed.
        InternalError = "internal_error",
    }
}

impl ErrorCode {
    /// Returns the code of a failure.
    pub(crate) fn of_failure(failure: &ServiceError) -> Self {
        match failure {
            ServiceError::Input(_) | ServiceError::InputIsTexture => Self::InvalidPlayer,
            ServiceError::NotASkin(_) => Self::InvalidSkin,
            ServiceError::TooLarge
            | ServiceError::Render(RenderError::TooLarge { .. } | RenderError::SvgTooLong) => {
                Self::PictureTooLarge
            }
            ServiceError::NoSkin => Self::NoSkin,
            ServiceError::NoCape => Self::NoCape,
            ServiceError::NotACape(_) | ServiceError::Upstream(UpstreamError::Decode { .. }) => {
                Self::UnusableTexture
            }
            ServiceError::Upstream(UpstreamError::TextureNotFound { .. }) => Self::TextureNotFound,
            _ => Self::of_fault(failure.fault()),
        }
    }

    /// Returns the code of a failure of which only the party at fault is known.
    const fn of_fault(fault: Fault) -> Self {
        match fault {
            Fault::Request => Self::InvalidRequest,
            Fault::NotFound => Self::PlayerNotFound,
            Fault::Limited => Self::RateLimited,
            Fault::Upstream => Self::UpstreamUnavailable,
            Fault::Overloaded => Self::Overloaded,
            Fault::Internal => Self::InternalError,
        }
    }

    /// Returns the code of a request that is rejected with a status before anything is looked up.
    pub(crate) fn of_rejection(status: StatusCode) -> Self {
        match status {
            StatusCode::FORBIDDEN => Self::AccessDenied,
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            StatusCode::REQUEST_TIMEOUT => Self::UploadTimeout,
            StatusCode::PAYLOAD_TOO_LARGE => Self::FileTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::UnsupportedMediaType,
            _ if status.is_server_error() => Self::InternalError,
            _ => Self::InvalidRequest,
        }
    }
}

#[cfg(test)]
mod tests {
    use effigy_player::{InputError, PlayerId, Uuid};
    use effigy_service::{Refused, SharedResource};
    use effigy_upstream::{LimitReason, Step};
    use std::time::Duration;

    use super::*;

    fn refused(fault: Fault) -> ServiceError {
        ServiceError::Refused(Refused {
            resource: SharedResource::Drawing,
            fault,
            retry_after: Duration::ZERO,
        })
    }

    #[test]
    fn failure_has_the_code_of_its_cause() {
        let not_found = UpstreamError::PlayerNotFound {
            player: PlayerId::JavaName("x".to_owned()),
        };
        let offline = UpstreamError::OfflineUuid {
            uuid: Uuid::parse("11111111111131118111111111111111").unwrap(),
        };
        let failing = UpstreamError::Status {
            step: Step::Session,
            status: 500,
            retry_after: None,
        };
        let limited = UpstreamError::Limited {
            step: Step::Session,
            reason: LimitReason::RateLimit,
            retry_after: Duration::ZERO,
        };
        let rows = [
            (ServiceError::Input(InputError::Empty), "invalid_player"),
            (ServiceError::InputIsTexture, "invalid_player"),
            (ServiceError::TooLarge, "picture_too_large"),
            (RenderError::SvgTooLong.into(), "picture_too_large"),
            (not_found.into(), "player_not_found"),
            (offline.into(), "player_not_found"),
            (ServiceError::NoSkin, "no_skin"),
            (ServiceError::NoCape, "no_cape"),
            (failing.into(), "upstream_unavailable"),
            (limited.into(), "overloaded"),
            (ServiceError::TookTooLong, "upstream_unavailable"),
            (refused(Fault::Limited), "rate_limited"),
            (refused(Fault::Overloaded), "overloaded"),
            (ServiceError::Interrupted, "internal_error"),
        ];
        for (failure, code) in rows {
            assert_eq!(
                ErrorCode::of_failure(&failure).as_str(),
                code,
                "{failure:?}"
            );
        }
    }
}
