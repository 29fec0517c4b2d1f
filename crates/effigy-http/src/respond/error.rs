//! Errors: `{"error": "<message>"}`.

use std::time::Duration;

use effigy_service::{Fault, ServiceError};
use hyper::{StatusCode, header::RETRY_AFTER};
use serde::Serialize;

use super::{json, response::Response};

/// The messages of failures with [`failure_by_reason`], but for "not found".
pub(crate) const BAD_INPUT: &str =
    "No player can have this name, or the picture would be too large";
pub(crate) const UPSTREAM_FAILED: &str = "An upstream service failed or did not answer";
pub(crate) const OVERLOADED: &str = "The service is overloaded; try again later";
pub(crate) const INTERNAL: &str = "Internal server error";

/// A response with an error message.
pub(crate) fn error(status: StatusCode, message: &str) -> Response {
    /// Spec, "Error body".
    #[derive(Serialize)]
    struct ErrorBody<'a> {
        error: &'a str,
    }

    json::json(status, &ErrorBody { error: message })
}

/// The response to a failure, with a status that tells the reason.
pub(crate) fn failure(failure: &ServiceError, message: &str) -> Response {
    let status = match failure.fault() {
        Fault::Request => StatusCode::BAD_REQUEST,
        Fault::NotFound => StatusCode::NOT_FOUND,
        Fault::Upstream => StatusCode::BAD_GATEWAY,
        Fault::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
        Fault::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    };
    with_retry_after(error(status, message), failure)
}

/// The response to a failure, with a status and a message that tell the reason.
pub(crate) fn failure_by_reason(reason: &ServiceError, not_found: &str) -> Response {
    let message = match reason.fault() {
        Fault::Request => BAD_INPUT,
        Fault::NotFound => not_found,
        Fault::Upstream => UPSTREAM_FAILED,
        Fault::Overloaded => OVERLOADED,
        Fault::Internal => INTERNAL,
    };
    failure(reason, message)
}

/// Adds `Retry-After` if the request was rejected because of an overload.
pub(crate) fn with_retry_after(mut response: Response, failure: &ServiceError) -> Response {
    if let Some(pause) = failure.retry_after() {
        let seconds = whole_seconds(pause).into();
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    response
}

/// Rounds up to seconds, to one at least.
fn whole_seconds(pause: Duration) -> u64 {
    let seconds = pause.as_secs() + u64::from(pause.subsec_nanos() > 0);
    seconds.max(1)
}

#[cfg(test)]
mod tests {
    use effigy_player::InputError;
    use effigy_upstream::{LimitReason, Step, UpstreamError};

    use super::*;

    #[test]
    fn statuses_and_retry_after() {
        let limited = |millis| {
            ServiceError::Upstream(UpstreamError::Limited {
                step: Step::Session,
                reason: LimitReason::RateLimit,
                retry_after: Duration::from_millis(millis),
            })
        };
        let rows = [
            (ServiceError::Input(InputError::Empty), 400, None),
            (ServiceError::NoCape, 404, None),
            (
                UpstreamError::Status {
                    step: Step::Session,
                    status: 500,
                }
                .into(),
                502,
                None,
            ),
            (ServiceError::Overloaded { pool: "x" }, 503, Some("1")),
            (limited(0), 503, Some("1")),
            (limited(1_001), 503, Some("2")),
            (ServiceError::Interrupted, 500, None),
        ];
        for (failure, status, retry_after) in rows {
            let response = super::failure(&failure, "why");
            assert_eq!(response.status().as_u16(), status, "{failure:?}");
            let found = response.headers().get(RETRY_AFTER);
            let found = found.map(|value| value.to_str().unwrap());
            assert_eq!(found, retry_after, "{failure:?}");
        }
    }
}
