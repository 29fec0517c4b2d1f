//! Requests to the servers of a provider, within their limits and the time left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use url::Url;

use crate::call::{Call, Purpose};
use crate::error::Result;
use crate::limits::{Admission, CallEnd, Limited, Permit, UpstreamLimits};
use crate::servers::{LastAnswer, Servers};
use crate::{LookUp, Request, Response, Step, Transport, TransportError, Upstream, UpstreamError};

/// The largest JSON response, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// The transport and the clock, which all look-ups share.
pub(crate) struct Network {
    pub(crate) transport: Box<dyn Transport>,
    pub(crate) clock: Box<dyn Fn() -> Instant + Send + Sync>,
    /// The time of the start. A process before this one may have made calls until then.
    pub(crate) started: Instant,
    /// The time limit of one call.
    pub(crate) timeout: Duration,
}

/// Fetches from the servers of one provider, for one look-up.
pub(crate) struct Fetcher<'a> {
    pub(crate) network: &'a Network,
    pub(crate) servers: &'a Servers,
    pub(crate) look_up: &'a LookUp,
    /// The time at which the calls must be over. It is earlier than the look-up's deadline if other
    /// providers need time too.
    pub(crate) deadline: Instant,
}

impl Fetcher<'_> {
    /// Calls `find`, unless it found nothing a moment ago. That answer is reused, so requests for
    /// one thing cannot use up a rate limit.
    pub(crate) fn find<V>(
        &self,
        key: String,
        find: impl FnOnce() -> Result<Option<V>>,
    ) -> Result<Option<V>, Arc<UpstreamError>> {
        match self.servers.last_answer(&key, self.now()) {
            LastAnswer::Unknown => self.find_anew(key, find),
            LastAnswer::Missing => Ok(None),
            LastAnswer::Outage(error) => Err(error),
        }
    }

    /// Calls `find`, and remembers the answer if it has found nothing. Otherwise, an earlier answer
    /// is forgotten.
    pub(crate) fn find_anew<V>(
        &self,
        key: String,
        find: impl FnOnce() -> Result<Option<V>>,
    ) -> Result<Option<V>, Arc<UpstreamError>> {
        let found = find().map_err(Arc::new);
        match &found {
            Ok(Some(_)) => self.servers.forget(&key),
            Ok(None) => self.servers.remember_missing(key, self.now()),
            Err(outage) => self.servers.remember_outage(key, outage, self.now()),
        }
        found
    }

    /// Fetches and parses a texture, unless that failed a moment ago, or no texture was found under
    /// this key.
    pub(crate) fn texture<V>(
        &self,
        key: &str,
        call: &Call,
        parse: impl FnOnce(Response) -> Result<Option<V>>,
    ) -> Result<Option<V>> {
        let fetch = || parse(self.call(Upstream::Texture, call)?);
        let file = self.find(key.to_owned(), fetch);
        file.map_err(|error| self.servers.failure(error))
    }

    /// Performs a GET and returns the response of any status. Without a URL, the thing cannot be
    /// named and does not exist.
    pub(crate) fn get(&self, upstream: Upstream, step: Step, url: Option<Url>) -> Result<Response> {
        match url {
            Some(url) => self.call(upstream, &Call::get(step, url)),
            None => Ok(Response::not_found()),
        }
    }

    /// Performs a call within the limits, after a probe if one is due.
    pub(crate) fn call(&self, upstream: Upstream, call: &Call) -> Result<Response> {
        let limits = self.servers.limits(upstream);
        let refusal = |limited| refusal(call.step, limited);
        let mut time_left = self.time_left(call.step)?;
        let permit = match limits.admit(self.now(), call).map_err(refusal)? {
            Admission::Call(permit) => permit,
            Admission::ProbeFirst(probe_permit, probe) => {
                // The limits have recorded its outcome.
                drop(self.send(probe_permit, &probe, Purpose::Probe, time_left));
                time_left = self.time_left(call.step)?;
                limits.admit_after_probe(self.now()).map_err(refusal)?
            }
        };
        self.look_up.count_call(limits.id);
        // If the call is itself the probe that was due, its permit is a probe's: its end opens or
        // closes the circuit. It is still a call of the look-up, and sent as one.
        self.send(permit, call, Purpose::LookUp, time_left)
    }

    /// Sends the request of a call. The `retry_after` of the response, or of the error, comes from
    /// the limits.
    fn send(
        &self,
        permit: Permit<'_>,
        call: &Call,
        purpose: Purpose,
        time_left: Duration,
    ) -> Result<Response> {
        let timeout = self.network.timeout.min(time_left);
        let request = self.request(call, timeout);
        let result = self.network.transport.send(&request);
        let now = self.now();
        // A probe is about another profile.
        let follows_check = purpose == Purpose::LookUp && self.look_up.follows_recent_check();
        let end = CallEnd {
            now,
            result: &result,
            // A call near the deadline may time out although the upstream is well.
            was_long: timeout >= self.network.timeout / 3,
            profile_may_be_served: follows_check || self.is_in_first_interval(now),
        };
        let retry_after = permit.end(call, end);
        match result {
            Ok(response) => Ok(Response {
                retry_after,
                ..response
            }),
            Err(source) => Err(UpstreamError::Transport {
                step: call.step,
                source,
                retry_after,
            }),
        }
    }

    fn request(&self, call: &Call, timeout: Duration) -> Request {
        let max_body = if call.step == Step::Texture {
            MAX_TEXTURE
        } else {
            MAX_JSON
        };
        Request {
            provider: Arc::clone(&self.servers.provider),
            step: call.step,
            any_address: self.servers.hosts.is_operators(&call.url),
            url: call.url.clone(),
            json: call.json(),
            validators: call.validators.clone(),
            timeout,
            max_body,
        }
    }

    /// Returns `true` if another process may have been served any profile within the interval.
    fn is_in_first_interval(&self, now: Instant) -> bool {
        now < self.network.started + self.servers.profile_interval
    }

    /// Returns the time that is left for calls, or the error that no time is left.
    fn time_left(&self, step: Step) -> Result<Duration> {
        let left = self.deadline.saturating_duration_since(self.now());
        if left.is_zero() {
            return Err(UpstreamError::Transport {
                step,
                source: TransportError::Timeout,
                retry_after: None,
            });
        }
        Ok(left)
    }

    /// Returns the limits of an upstream that the provider calls.
    pub(crate) fn limits(&self, upstream: Upstream) -> &UpstreamLimits {
        self.servers.limits(upstream)
    }

    pub(crate) fn now(&self) -> Instant {
        (self.network.clock)()
    }
}

/// Returns the error of a call that was not made because of a limit.
const fn refusal(step: Step, limited: Limited) -> UpstreamError {
    UpstreamError::limited(step, limited.reason, limited.retry_after)
}
