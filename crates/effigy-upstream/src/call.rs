//! A call to an upstream: through its gate, within the time left, its outcome noted.

use std::time::{Duration, Instant};

use serde_json::Value;
use url::Url;

use crate::gate::{Outcome, Urgency};
use crate::gates::Gates;
use crate::{Hold, Request, Response, Step, Transport, TransportError, Upstream, UpstreamError};

/// The largest JSON answer, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// Makes the calls of one resolve.
pub(crate) struct Caller<'a, T> {
    pub(crate) transport: &'a T,
    pub(crate) gates: &'a Gates,
    pub(crate) clock: &'a (dyn Fn() -> Instant + Send + Sync),
    /// How long one call may take.
    pub(crate) timeout: Duration,
    /// How long a call has to wait in vain before it tells that the upstream hangs.
    pub(crate) patience: Duration,
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

    /// How long all calls together may still take.
    pub(crate) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since((self.clock)())
    }

    /// Performs a GET, whatever status it ends with.
    pub(crate) fn get(
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
        let gate = self.gates.of(upstream);
        let pass = gate.enter((self.clock)(), self.urgency);
        let pass = pass.map_err(|held| UpstreamError::Limited {
            step,
            hold: held.hold,
            retry_after: held.wait,
        })?;
        let timeout = self.timeout.min(time_left);
        let request = Request {
            step,
            url,
            timeout,
            max_body: max_body(step),
        };
        let answer = self.transport.get(&request);
        pass.end((self.clock)(), self.outcome(&answer, timeout));
        answer.map_err(failed)
    }

    /// Leaves an upstream alone that has not objected by its status.
    pub(crate) fn leave_alone(&self, upstream: Upstream, pause: Duration) {
        let gate = self.gates.of(upstream);
        gate.object((self.clock)(), Hold::Refused, Some(pause));
    }

    fn outcome(&self, answer: &Result<Response, TransportError>, timeout: Duration) -> Outcome {
        match answer {
            Ok(response) => match response.status {
                403 => Outcome::Objected(Hold::Refused, response.retry_after),
                429 => Outcome::Objected(Hold::TooManyRequests, response.retry_after),
                500.. => Outcome::Failed,
                _ => Outcome::Answered,
            },
            Err(TransportError::Timeout) if timeout < self.patience => Outcome::CutShort,
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

/// Reads a JSON answer.
pub(crate) fn json(step: Step, response: &Response) -> Result<Value, UpstreamError> {
    serde_json::from_slice(&response.body).map_err(|source| UpstreamError::NotJson { step, source })
}
