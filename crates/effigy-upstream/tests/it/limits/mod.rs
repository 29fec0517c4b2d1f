//! The limits on calls.

mod rates;
mod refusals;

use std::time::Duration;

use effigy_player::PlayerId;
use effigy_upstream::{LimitReason, Step, UpstreamError};

use crate::support::resolve::unnamed;

fn player(input: &str) -> PlayerId {
    PlayerId::detect(input).expect(input)
}

#[track_caller]
pub(crate) fn assert_limited(error: &UpstreamError, at: Step, by: LimitReason, wait: Duration) {
    assert!(
        matches!(
            unnamed(error),
            UpstreamError::Limited { step, reason, retry_after }
                if (*step, *reason, *retry_after) == (at, by, wait)
        ),
        "{error:?}"
    );
    assert!(error.is_outage());
}
