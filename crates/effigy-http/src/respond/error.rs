//! Errors: `{"error": "<message>", "code": "<code>"}`. Those of the specification have no code.

use std::borrow::Cow;

use bytes::Bytes;
use effigy_parameters::Family;
use effigy_service::{Fault, FileSpec, ServiceError};
use hyper::{
    StatusCode,
    header::{CACHE_CONTROL, RETRY_AFTER},
};
use serde_json::json;

use super::{Response, code::ErrorCode, json_response, reason::reason, set, with_body};
use crate::routes::{INTERNAL, NOT_FOUND, Operation, ParsedRequest, Rejection};

/// The messages of failures without a reason.
const BAD_INPUT: &str = "The picture cannot be drawn";
const UPSTREAM_FAILED: &str = "An upstream service failed or did not answer";
const OVERLOADED: &str = "The service is overloaded; try again later";
const LIMITED: &str = "Too many requests; try again later";

/// Starlight's message for a player who does not exist.
pub(crate) const UNKNOWN_PLAYER: &str = "Unknown player username/uuid.";

/// A PNG of one transparent pixel.
const EMPTY_PNG: &[u8] = include_bytes!("../../assets/files/empty.png");

/// A response with an error message and nothing else. Spec, "Error body".
pub(crate) fn plain_error(status: StatusCode, message: &str) -> Response {
    json_response(status, &json!({ "error": message }))
}

/// A response with an error message, and the code by which programs tell it from others.
fn coded_error(status: StatusCode, code: ErrorCode, message: &str) -> Response {
    json_response(status, &json!({ "error": message, "code": code.as_str() }))
}

/// The response to a request that is rejected before anything is looked up.
pub(crate) fn rejection_response(rejection: &Rejection) -> Response {
    let status = rejection.status;
    coded_error(status, ErrorCode::of_rejection(status), &rejection.message)
}

/// The response to a failure of the service, with status 500 if the message is specified.
fn failure_response(specified: Option<&'static str>, failure: &ServiceError) -> Response {
    let mut response = match specified {
        Some(message) => plain_error(StatusCode::INTERNAL_SERVER_ERROR, message),
        None => {
            let (status, message) = status_and_message(failure);
            coded_error(status, ErrorCode::of_failure(failure), &message)
        }
    };
    if response.status() == StatusCode::NOT_FOUND {
        // Many may ask for a missing player, who may soon be there.
        set(&mut response, CACHE_CONTROL, "public, max-age=60");
    }
    if let Some(pause) = failure.retry_after() {
        // Rounded up, and one at least.
        let seconds = pause.as_secs() + u64::from(pause.subsec_nanos() > 0);
        let headers = response.headers_mut();
        headers.insert(RETRY_AFTER, seconds.max(1).into());
    }
    response
}

impl ParsedRequest {
    /// The response to a request that is rejected, as the path's specification has it.
    pub(crate) fn rejection_response(&self, rejection: &Rejection) -> Response {
        if self.has_plain_errors {
            return plain_error(rejection.status, &rejection.message);
        }
        rejection_response(rejection)
    }

    /// The response to a failure of the service, as the path's specification or family has it.
    pub(crate) fn failure_response(&self, failure: &ServiceError) -> Response {
        let response = self
            .family
            .and_then(|family| self.family_response(family, failure));
        response.unwrap_or_else(|| failure_response(self.failure, failure))
    }

    /// Returns the response of a family, if its service answers with another one than ours. For
    /// services, a text that cannot name a player is a player who does not exist.
    fn family_response(&self, family: Family, failure: &ServiceError) -> Option<Response> {
        let is_no_player = matches!(
            failure,
            ServiceError::Input(_) | ServiceError::InputIsTexture
        );
        if failure.fault() != Fault::NotFound && !is_no_player {
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
        set(&mut response, CACHE_CONTROL, "public, max-age=60");
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

/// The status and the message of a failure: the reason, if it is known.
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
            // A message of the specification has its own status.
            for (message, expected) in [(None, status), (Some("why"), 500)] {
                let response = failure_response(message, &failure);
                assert_eq!(response.status().as_u16(), expected, "{failure:?}");
                let found = response.headers().get(RETRY_AFTER);
                let found = found.map(|value| value.to_str().unwrap());
                assert_eq!(found, retry_after, "{failure:?}");
            }
        }
    }
}
