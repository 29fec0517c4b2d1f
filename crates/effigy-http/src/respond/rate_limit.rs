//! The headers `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10.

use effigy_service::{Allowance, SharedResource};
use hyper::header::{CACHE_CONTROL, HeaderName};

use super::{Response, header_value};

const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Returns `true` for a response that no shared cache keeps. Others must not tell how much one
/// client has used.
pub(crate) fn is_private(response: &Response) -> bool {
    let cache_control = response.headers().get(CACHE_CONTROL);
    cache_control.is_some_and(|value| value == "no-store")
}

/// Sets the headers that say what a client may use, and what it has left.
pub(crate) fn set_rate_limits(response: &mut Response, allowances: &[Allowance]) {
    if allowances.is_empty() {
        return;
    }
    let policies: Vec<String> = allowances.iter().map(policy).collect();
    let limits: Vec<String> = allowances.iter().map(limit).collect();
    let headers = response.headers_mut();
    headers.insert(RATE_LIMIT_POLICY, header_value(policies.join(", ")));
    headers.insert(RATE_LIMIT, header_value(limits.join(", ")));
}

/// Returns the policy of a rate: its quota, the seconds of its window, and the unit.
fn policy(allowance: &Allowance) -> String {
    let name = allowance.resource.as_str();
    let quota = allowance.rate.amount();
    let window = allowance.rate.period().as_secs().max(1);
    let unit = match allowance.resource {
        SharedResource::Drawing => "milliseconds",
        _ => "calls",
    };
    format!("\"{name}\";q={quota};w={window};qu=\"{unit}\"")
}

/// Returns what is left of a rate, and the seconds until all of it is back.
fn limit(allowance: &Allowance) -> String {
    let name = allowance.resource.as_str();
    let left = allowance.left;
    let seconds = allowance.full_after.as_millis().div_ceil(1_000);
    format!("\"{name}\";r={left};t={seconds}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use effigy_service::Rate;
    use hyper::StatusCode;

    use super::*;
    use crate::respond::empty;

    #[test]
    fn each_rate_has_a_policy_and_what_is_left() {
        let minute = Duration::from_secs(60);
        let allowances = [
            Allowance {
                resource: SharedResource::Drawing,
                rate: Rate::new(30_000, 2 * minute).unwrap(),
                left: 29_990,
                full_after: Duration::from_millis(40),
            },
            Allowance {
                resource: SharedResource::Calls,
                rate: Rate::new(900, 10 * minute).unwrap(),
                left: 0,
                full_after: 10 * minute,
            },
        ];
        let mut response = empty(StatusCode::TOO_MANY_REQUESTS);
        set_rate_limits(&mut response, &allowances);
        assert_eq!(
            response.headers()[RATE_LIMIT_POLICY],
            "\"drawing\";q=30000;w=120;qu=\"milliseconds\", \"calls\";q=900;w=600;qu=\"calls\""
        );
        assert_eq!(
            response.headers()[RATE_LIMIT],
            "\"drawing\";r=29990;t=1, \"calls\";r=0;t=600"
        );
    }

    #[test]
    fn no_headers_without_rates() {
        let mut response = empty(StatusCode::TOO_MANY_REQUESTS);
        set_rate_limits(&mut response, &[]);
        assert!(!response.headers().contains_key(RATE_LIMIT_POLICY));
        assert!(!response.headers().contains_key(RATE_LIMIT));
    }
}
