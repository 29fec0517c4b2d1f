//! Requests to the servers of a provider, within their limits and the time left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use url::Url;

use crate::call::Call;
use crate::error::Result;
use crate::limits::{Admission, CallEnd, Limited, Permit, UpstreamLimits};
use crate::servers::Servers;
use crate::{LookUp, Request, Response, Step, Transport, TransportError, Upstream, UpstreamError};

/// The largest JSON response, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// The transport and the clock, which all look-ups share.
pub(crate) struct Network {
    pub(crate) transport: Box<dyn Transport>,
    pub(crate) clock: Box<dyn Fn() -> Instant + Send + Sync>,
    /// The time limit of one call.
    pub(crate) timeout: Duration,
}

/// Fetches from the servers of one provider, for one look-up.
pub(crate) struct Fetcher<'a> {
    pub(crate) network: &'a Network,
    pub(crate) servers: &'a Servers,
    pub(crate) look_up: &'a LookUp,
    /// The time at which the calls must be over: that of the look-up, or earlier to leave time for
    /// other providers.
    pub(crate) deadline: Instant,
}

impl Fetcher<'_> {
    /// Returns what `find` finds, unless that was nothing a moment ago: everyone shares that who
    /// asks meanwhile, so requests for one thing cannot use up a rate limit.
    pub(crate) fn find<V>(
        &self,
        key: String,
        find: impl FnOnce() -> Result<Option<V>>,
    ) -> Result<Option<V>, Arc<UpstreamError>> {
        if let Some(remembered) = self.servers.remembered(&key, self.now()) {
            return remembered.map(|()| None);
        }
        let found = find().map_err(Arc::new);
        match &found {
            Ok(Some(_)) => {}
            Ok(None) => self.servers.remember_missing(key, self.now()),
            Err(outage) => self.servers.remember_outage(key, outage, self.now()),
        }
        found
    }

    /// Fetches and parses a texture, unless that failed a moment ago, or there was none under this
    /// key.
    pub(crate) fn texture(
        &self,
        key: &str,
        url: &Url,
        parse: impl FnOnce(Response) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Vec<u8>>> {
        let fetch = || {
            let response = self.get(Upstream::Texture, Step::Texture, Some(url.clone()))?;
            parse(response)
        };
        let file = self.find(key.to_owned(), fetch);
        file.map_err(|error| self.servers.failure(error))
    }

    /// Performs a GET and returns the response of any status. What no URL can name does not exist.
    pub(crate) fn get(&self, upstream: Upstream, step: Step, url: Option<Url>) -> Result<Response> {
        match url {
            Some(url) => self.call(upstream, &Call::get(step, url)),
            None => Ok(Response::not_found()),
        }
    }

    /// Performs a call within the limits, after a probe if one is due.
    pub(crate) fn call(&self, upstream: Upstream, call: &Call) -> Result<Response> {
        let limits = self.servers.limits(upstream);
        let limited = |limited| refusal(call.step, limited);
        let mut time_left = self.time_left(call.step)?;
        let permit = match limits.admit(self.now(), call).map_err(limited)? {
            Admission::Call(permit) => permit,
            Admission::ProbeFirst(permit, probe) => {
                // The limits know what it has told.
                drop(self.send(permit, &probe, time_left));
                time_left = self.time_left(call.step)?;
                limits.admit_after_probe(self.now()).map_err(limited)?
            }
        };
        self.look_up.count_call(limits.id);
        self.send(permit, call, time_left)
    }

    /// Sends the request of a call. The `retry_after` of the response, or of the error, is that of
    /// the limits.
    fn send(&self, permit: Permit<'_>, call: &Call, time_left: Duration) -> Result<Response> {
        let timeout = self.network.timeout.min(time_left);
        let max_body = if call.step == Step::Texture {
            MAX_TEXTURE
        } else {
            MAX_JSON
        };
        let result = self.network.transport.send(&Request {
            provider: Arc::clone(&self.servers.provider),
            step: call.step,
            any_address: self.servers.hosts.is_operators(&call.url),
            url: call.url.clone(),
            json: call.json(),
            timeout,
            max_body,
        });
        let end = CallEnd {
            now: self.now(),
            result: &result,
            // A call near the deadline may time out although the upstream is well.
            was_long: timeout >= self.network.timeout / 3,
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

    /// Returns the time that is left for calls, or the error that there is none.
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

/// Returns the error of a call that a limit has refused.
const fn refusal(step: Step, limited: Limited) -> UpstreamError {
    UpstreamError::limited(step, limited.reason, limited.retry_after)
}
