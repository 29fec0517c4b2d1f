//! Calls to the upstreams, within their limits and the time left.

use std::time::{Duration, Instant};

use url::Url;

use crate::config::{AllowedHosts, UpstreamConfig};
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Limits, Outcome, Priority, Upstream};
use crate::transport::{Request, Response, Step, Transport, TransportError};

/// The largest JSON response, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// Makes the calls of one look-up. Each step is a method, in the file of its upstream.
pub(super) struct Caller<'a> {
    pub(super) transport: &'a dyn Transport,
    pub(super) config: &'a UpstreamConfig,
    pub(super) hosts: &'a AllowedHosts,
    pub(super) limits: &'a Limits,
    pub(super) clock: &'a (dyn Fn() -> Instant + Send + Sync),
    pub(super) priority: Priority,
    /// The time limit of one call.
    pub(super) timeout: Duration,
    /// The time at which all calls together must be over.
    pub(super) deadline: Instant,
}

impl Caller<'_> {
    /// Returns a caller with another deadline.
    pub(super) fn with_deadline(&self, deadline: Instant) -> Self {
        Self { deadline, ..*self }
    }

    /// Returns the time until the deadline.
    pub(super) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since((self.clock)())
    }

    /// Performs a GET and returns the response of any status.
    pub(super) fn get(
        &self,
        upstream: Upstream,
        step: Step,
        url: Url,
    ) -> Result<Response, UpstreamError> {
        let failed = |source| UpstreamError::Transport { step, source };
        let time_left = self.time_left();
        if time_left.is_zero() {
            return Err(failed(TransportError::Timeout));
        }
        let permit = self
            .limits
            .of(upstream)
            .begin((self.clock)(), self.priority);
        let permit = permit.map_err(|limited| UpstreamError::Limited {
            step,
            reason: limited.reason,
            retry_after: limited.retry_after,
        })?;
        let timeout = self.timeout.min(time_left);
        let result = self.transport.get(&Request {
            step,
            url,
            timeout,
            max_body: max_body(step),
        });
        permit.end((self.clock)(), self.outcome(&result, timeout));
        result.map_err(failed)
    }

    /// Pauses an upstream that is known to fail although it did not reject a call.
    pub(super) fn pause(&self, upstream: Upstream, pause: Duration) {
        let limits = self.limits.of(upstream);
        limits.pause((self.clock)(), LimitReason::Refused, Some(pause));
    }

    fn outcome(&self, result: &Result<Response, TransportError>, timeout: Duration) -> Outcome {
        // A call near the deadline may time out although the upstream is well.
        let full_timeout = self.config.timeout.min(self.config.resolve_timeout) / 3;
        match result {
            Ok(response) => match response.status {
                403 => Outcome::Rejected(LimitReason::Refused, response.retry_after),
                429 => Outcome::Rejected(LimitReason::TooManyRequests, response.retry_after),
                500.. => Outcome::Failed,
                _ => Outcome::Answered,
            },
            Err(TransportError::Timeout) if timeout < full_timeout => Outcome::CutShort,
            Err(TransportError::Timeout) => Outcome::TimedOut,
            Err(_) => Outcome::Failed,
        }
    }
}

const fn max_body(step: Step) -> usize {
    match step {
        Step::Texture => MAX_TEXTURE,
        Step::Identity | Step::Session | Step::Xuid | Step::BedrockSkin => MAX_JSON,
    }
}
