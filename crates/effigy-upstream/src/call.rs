//! A call to an upstream: within its limit, within the time left, its status noted.

use std::time::{Duration, Instant};

use serde_json::Value;
use url::Url;

use crate::limits::{Limits, Urgency};
use crate::{Request, Response, Step, Transport, TransportError, UpstreamError};

/// The largest JSON answer, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// Makes the calls of one resolve.
pub(crate) struct Caller<'a, T> {
    pub(crate) transport: &'a T,
    pub(crate) limits: &'a Limits,
    pub(crate) clock: &'a (dyn Fn() -> Instant + Send + Sync),
    /// How long one call may take.
    pub(crate) timeout: Duration,
    /// When all calls together must be over.
    pub(crate) deadline: Instant,
    /// What the calls are made for.
    pub(crate) urgency: Urgency,
}

impl<T: Transport> Caller<'_, T> {
    /// The same caller with another time to be over by.
    pub(crate) fn until(&self, deadline: Instant) -> Self {
        Self { deadline, ..*self }
    }

    /// Performs a GET, whatever status it ends with.
    pub(crate) fn get(&self, step: Step, url: Url) -> Result<Response, UpstreamError> {
        let failed = |source| UpstreamError::Transport { step, source };
        let now = (self.clock)();
        let timeout = self
            .timeout
            .min(self.deadline.saturating_duration_since(now));
        if timeout.is_zero() {
            return Err(failed(TransportError::Timeout));
        }
        let limiter = self.limits.of(step);
        limiter
            .acquire(now, self.urgency)
            .map_err(|retry_after| UpstreamError::Limited { step, retry_after })?;
        let request = Request {
            url,
            timeout,
            max_body: max_body(step),
        };
        let response = self.transport.get(&request).map_err(failed)?;
        match response.status {
            403 | 429 => limiter.refused((self.clock)(), response.retry_after),
            500.. => {}
            _ => limiter.answered((self.clock)()),
        }
        Ok(response)
    }
}

const fn max_body(step: Step) -> usize {
    match step {
        Step::Texture => MAX_TEXTURE,
        Step::Identity | Step::Session | Step::Xuid | Step::BedrockSkin => MAX_JSON,
    }
}

/// Reads a JSON answer.
pub(crate) fn json(step: Step, response: &Response) -> Result<Value, UpstreamError> {
    serde_json::from_slice(&response.body).map_err(|source| UpstreamError::NotJson { step, source })
}
