//! Errors: `{"error": "<message>", "code": "<code>"}`. Specified errors have no code.

use std::borrow::Cow;

use bytes::Bytes;
use effigy_parameters::Family;
use effigy_service::{Fault, FileSpec, ServiceError};
use hyper::{
    StatusCode,
    header::{CACHE_CONTROL, RETRY_AFTER},
};
use serde_json::json;

use super::{
    PUBLIC_MINUTE, Response, code::ErrorCode, json_response, reason::reason, set, with_body,
};
use crate::routes::{INTERNAL, NOT_FOUND, Operation, ParsedRequest, Rejection, Surface};

/// The messages of failures whose reason is not known.
const BAD_INPUT: &str = "The picture can't be drawn";
const UPSTREAM_FAILED: &str =
    "A service that knows players failed or did not answer; try again later";
const OVERLOADED: &str = "The service is overloaded; try again later";
const LIMITED: &str = "Too many requests; try again later";

/// Starlight's message for a player who does not exist.
pub(crate) const UNKNOWN_PLAYER: &str = "Unknown player username/uuid.";

/// A PNG of one transparent pixel.
const EMPTY_PNG: &[u8] = include_bytes!("../../assets/files/empty.png");

impl ParsedRequest {
    /// The response to a request that is rejected before anything is looked up.
    pub(crate) fn rejection_response(&self, rejection: &Rejection) -> Response {
        match self.surface {
            Surface::Specified(_) | Surface::Unprefixed => {
                plain_error(rejection.status, &rejection.message)
            }
            Surface::Own | Surface::Family(_) => rejection_response(rejection),
        }
    }

    /// The response to a failure of the service.
    pub(crate) fn failure_response(&self, failure: &ServiceError) -> Response {
        match self.surface {
            Surface::Specified(message) => specified_response(message, failure),
            Surface::Unprefixed | Surface::Own => failure_response(failure),
            Surface::Family(family) => match self.family_response(family, failure) {
                Some(response) => response,
                None => failure_response(failure),
            },
        }
    }

    /// Returns the response of a family, if its service answers differently from ours. Other
    /// services don't tell a text that can't name a player from a missing player.
    fn family_response(&self, family: Family, failure: &ServiceError) -> Option<Response> {
        let is_bad_player = matches!(
            failure,
            ServiceError::Input(_) | ServiceError::InputIsTexture
        );
        if failure.fault() != Fault::NotFound && !is_bad_player {
            return None;
        }
        let code = ErrorCode::of_failure(failure);
        let message = reason(failure).unwrap_or_else(|| NOT_FOUND.to_owned());
        let not_found = StatusCode::NOT_FOUND;
        let mut response = match family {
            Family::Crafthead if self.is_cape() => {
                with_body(not_found, "image/png", Bytes::from_static(EMPTY_PNG))
            }
            Family::Starlight if self.is_of_player() => {
                coded_error(not_found, code, UNKNOWN_PLAYER)
            }
            Family::Visage => return Some(coded_error(StatusCode::BAD_REQUEST, code, &message)),
            _ => coded_error(not_found, code, &message),
        };
        set(&mut response, CACHE_CONTROL, PUBLIC_MINUTE);
        Some(response)
    }

    fn is_cape(&self) -> bool {
        matches!(self.file(), Some(FileSpec::Cape(..)))
    }

    fn is_of_player(&self) -> bool {
        matches!(self.file(), Some(FileSpec::Picture(..)))
    }

    fn file(&self) -> Option<&FileSpec> {
        match &self.operation {
            Ok(Operation::File(request)) => Some(&request.spec),
            _ => None,
        }
    }
}

/// The response to a request that is rejected before anything is looked up, with a code.
pub(crate) fn rejection_response(rejection: &Rejection) -> Response {
    let status = rejection.status;
    coded_error(status, ErrorCode::of_rejection(status), &rejection.message)
}

/// The response to a failure of a specified route, which has one message for all failures.
fn specified_response(message: &'static str, failure: &ServiceError) -> Response {
    let mut response = plain_error(StatusCode::INTERNAL_SERVER_ERROR, message);
    set_retry_after(&mut response, failure);
    response
}

/// The response to a failure, with the status and the message of its reason.
fn failure_response(failure: &ServiceError) -> Response {
    let (status, message) = status_and_message(failure);
    let mut response = coded_error(status, ErrorCode::of_failure(failure), &message);
    if status == StatusCode::NOT_FOUND {
        set(&mut response, CACHE_CONTROL, PUBLIC_MINUTE);
    }
    set_retry_after(&mut response, failure);
    response
}

/// Says when a new attempt may succeed, if that is known.
fn set_retry_after(response: &mut Response, failure: &ServiceError) {
    let Some(pause) = failure.retry_after() else {
        return;
    };
    let mut seconds = pause.as_secs();
    if pause.subsec_nanos() > 0 {
        seconds += 1;
    }
    let headers = response.headers_mut();
    headers.insert(RETRY_AFTER, seconds.max(1).into());
}

/// A response with an error message and nothing else. Spec, "Error body".
pub(crate) fn plain_error(status: StatusCode, message: &str) -> Response {
    json_response(status, &json!({ "error": message }))
}

/// A response with an error message and a code for programs.
fn coded_error(status: StatusCode, code: ErrorCode, message: &str) -> Response {
    json_response(status, &json!({ "error": message, "code": code.as_str() }))
}

/// Returns the status and the message of a failure.
pub(crate) fn status_and_message(failure: &ServiceError) -> (StatusCode, Cow<'static, str>) {
    let (status, general) = match failure.fault() {
        Fault::Request => (StatusCode::BAD_REQUEST, BAD_INPUT),
        Fault::NotFound => (StatusCode::NOT_FOUND, NOT_FOUND),
        Fault::Limited => (StatusCode::TOO_MANY_REQUESTS, LIMITED),
        Fault::Upstream => (StatusCode::BAD_GATEWAY, UPSTREAM_FAILED),
        Fault::Overloaded => (StatusCode::SERVICE_UNAVAILABLE, OVERLOADED),
        Fault::Internal => (StatusCode::INTERNAL_SERVER_ERROR, INTERNAL),
    };
    let message = reason(failure).map_or(general.into(), Cow::Owned);
    (status, message)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use effigy_player::InputError;
    use effigy_service::{Refused, SharedResource};
    use effigy_upstream::{LimitReason, Step, UpstreamError};

    use super::*;

    #[test]
    fn failure_decides_status_and_retry_after() {
        let step = Step::Session;
        let limited = |millis| {
            ServiceError::Upstream(UpstreamError::Limited {
                step,
                reason: LimitReason::RateLimit,
                retry_after: Duration::from_millis(millis),
            })
        };
        let failed = |status, retry_after| {
            ServiceError::Upstream(UpstreamError::Status {
                step,
                status,
                retry_after,
            })
        };
        let refused = |fault| {
            ServiceError::Refused(Refused {
                resource: SharedResource::Drawing,
                fault,
                retry_after: Duration::from_millis(1_500),
            })
        };
        let seven = Some(Duration::from_secs(7));
        let rows = [
            (ServiceError::Input(InputError::Empty), 400, None),
            (ServiceError::NoCape, 404, None),
            (failed(500, None), 502, None),
            (failed(429, seven), 502, Some("7")),
            (refused(Fault::Limited), 429, Some("2")),
            (refused(Fault::Overloaded), 503, Some("2")),
            (limited(0), 503, Some("1")),
            (limited(1_001), 503, Some("2")),
            (ServiceError::Interrupted, 500, None),
        ];
        for (failure, status, retry_after) in rows {
            let specified = specified_response("Failed to render head", &failure);
            assert_eq!(specified.status(), 500, "{failure:?}");
            let other = failure_response(&failure);
            assert_eq!(other.status(), status, "{failure:?}");
            for response in [specified, other] {
                let header = response.headers().get(RETRY_AFTER);
                let header = header.map(|value| value.to_str().unwrap());
                assert_eq!(header, retry_after, "{failure:?}");
            }
        }
    }
}
