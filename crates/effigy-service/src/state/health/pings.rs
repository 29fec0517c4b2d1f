//! The answers of the providers of Java names to a ping.

use std::{sync::Arc, time::Duration};

use effigy_store::HealthStatus::{self, Green, Red, Yellow};
use effigy_upstream::{LimitReason, Ping, SkinSource, UpstreamState, error_chain};

/// The response time above which the identity service is slow.
const SLOW_PING: Duration = Duration::from_secs(2);

/// The pings of a health check.
pub(super) struct Pings {
    pings: Vec<RatedPing>,
    /// `true` if pinging has panicked.
    panicked: bool,
}

struct RatedPing {
    ping: Ping,
    status: HealthStatus,
}

impl Pings {
    /// Pings the providers of a source.
    pub(super) async fn of(source: &Arc<dyn SkinSource>) -> Self {
        let own_source = Arc::clone(source);
        let answer = tokio::task::spawn_blocking(move || own_source.ping()).await;
        // The panic hook has reported a panic.
        let panicked = answer.is_err();
        let mut pings = Vec::new();
        for ping in answer.unwrap_or_default() {
            let status = status_of(&ping);
            pings.push(RatedPing { ping, status });
        }
        Self { pings, panicked }
    }

    /// Returns the status of all providers: yellow if one is silent and another one is not.
    pub(super) fn status(&self) -> HealthStatus {
        if self.panicked {
            return Red;
        }
        let statuses = self.pings.iter().map(|rated| rated.status);
        let worst = statuses.clone().max().unwrap_or(Green);
        let best = statuses.min().unwrap_or(Green);
        if worst == Red && best < Red {
            Yellow
        } else {
            worst
        }
    }

    /// Returns the response time of the slowest provider.
    pub(super) fn response_time(&self) -> Duration {
        let times = self.pings.iter().map(|rated| rated.ping.response_time);
        times.max().unwrap_or_default()
    }

    /// Returns the time since the oldest ping.
    pub(super) fn age(&self) -> Duration {
        let ages = self.pings.iter().map(|rated| rated.ping.age);
        ages.max().unwrap_or_default()
    }

    /// Names the providers that do not answer, and the upstreams that are not called at the moment,
    /// each with the reason. A moment with too many concurrent calls does not count.
    pub(super) fn degraded(&self, states: &[UpstreamState]) -> String {
        let mut not_called = Vec::new();
        let mut named = Vec::new();
        for state in states {
            if let Some(reason) = state.limited
                && reason != LimitReason::Concurrency
            {
                named.push(&state.provider);
                let upstream = state.upstream;
                let provider = &state.provider;
                not_called.push(format!("{provider} {upstream} is not called, {reason}"));
            }
        }
        let mut reasons = Vec::new();
        for RatedPing { ping, status } in &self.pings {
            if *status == Red && !named.contains(&&ping.provider) {
                reasons.push(format!("{} does not answer", ping.provider));
            }
        }
        reasons.extend(not_called);
        reasons.join("; ")
    }
}

fn status_of(ping: &Ping) -> HealthStatus {
    match &ping.answer {
        Ok(()) if ping.response_time <= SLOW_PING => Green,
        Ok(()) => Yellow,
        Err(error) if error.limit().is_some_and(is_deliberate) => Yellow,
        Err(error) => {
            let provider = &ping.provider;
            let reason = error_chain(&**error);
            tracing::warn!("the health ping of {provider} failed: {reason}");
            Red
        }
    }
}

/// Returns `true` if calls are not made in order to respect the limits of an upstream that answers.
const fn is_deliberate(reason: LimitReason) -> bool {
    use LimitReason::{Concurrency, RateLimit, Refused, TooManyRequests};
    matches!(reason, Concurrency | RateLimit | Refused | TooManyRequests)
}
