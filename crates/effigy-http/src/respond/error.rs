//! Failures as answers that tell whose fault they are: everywhere but on the specified paths, whose
//! failures are all 500.

use std::time::Duration;

use effigy_service::{Fault, ServiceError};
use hyper::{StatusCode, header::RETRY_AFTER};

use crate::respond::answer::{Answer, error};

/// The status that tells whose fault it is.
pub(crate) fn status(fault: Fault) -> StatusCode {
    match fault {
        Fault::Request => StatusCode::BAD_REQUEST,
        Fault::NotFound => StatusCode::NOT_FOUND,
        Fault::Upstream => StatusCode::BAD_GATEWAY,
        Fault::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
        Fault::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The answer to a failure, with when to come again where that is known.
pub(crate) fn failed(failure: &ServiceError, message: &str) -> Answer {
    let mut answer = error(status(failure.fault()), message);
    say_when_to_come_again(&mut answer, failure);
    answer
}

/// Says it where the request was refused only because there is too much to do.
pub(crate) fn say_when_to_come_again(answer: &mut Answer, failure: &ServiceError) {
    if let Some(pause) = failure.retry_after() {
        let seconds = whole_seconds(pause).into();
        answer.headers_mut().insert(RETRY_AFTER, seconds);
    }
}

/// So long, in seconds, and one at least.
fn whole_seconds(pause: Duration) -> u64 {
    let seconds = pause.as_millis().div_ceil(1000).max(1);
    u64::try_from(seconds).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use effigy_player::InputError;
    use effigy_upstream::{LimitReason, Step, UpstreamError};

    use super::*;

    #[test]
    fn statuses_and_when_to_come_again() {
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
            let answer = failed(&failure, "why");
            assert_eq!(answer.status().as_u16(), status, "{failure:?}");
            let found = answer.headers().get(RETRY_AFTER);
            let found = found.map(|value| value.to_str().unwrap());
            assert_eq!(found, retry_after, "{failure:?}");
        }
    }
}
