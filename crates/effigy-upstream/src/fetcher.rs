//! Requests to the servers of a provider, within their limits and the time left, and the memory of what was not found there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use serde_json::json;
use url::Url;

use crate::config::AllowedHosts;
use crate::error::Result;
use crate::limits::{PROBE_INTERVAL, UpstreamLimits};
use crate::{
    ConfigError, Request, Response, Step, Terms, Transport, TransportError, Upstream,
    UpstreamConfig, UpstreamError,
};

/// The largest JSON response, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// The number of players and textures of a provider that are remembered as not found. It is more than the public services answer
/// in a minute.
const MAX_NOT_FOUND: usize = 10_000;

/// The beginning of every PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The transport and the clock, which all look-ups share.
pub(crate) struct Network {
    pub(crate) transport: Box<dyn Transport>,
    pub(crate) clock: Box<dyn Fn() -> Instant + Send + Sync>,
    /// The time limit of one call.
    pub(crate) timeout: Duration,
}

/// The servers of a provider.
pub(crate) struct Servers {
    /// The provider, by its kind and host.
    pub(crate) provider: Arc<str>,
    /// The hosts that are known from the settings.
    pub(crate) hosts: AllowedHosts,
    pub(crate) limits: Vec<UpstreamLimits>,
    /// The time for which an answer is remembered with which nothing was found.
    ttl: Duration,
    /// The players and textures that were not found, each with the time, for how long it holds, and the outage if it was one.
    nothing_found: Cache<String, (Instant, Duration, Option<Arc<UpstreamError>>)>,
}

impl Servers {
    /// Describes the servers at these URLs.
    pub(crate) fn new(
        provider: Arc<str>,
        config: &UpstreamConfig,
        (urls, upstreams): (Vec<Url>, &[Upstream]),
    ) -> Result<Self, ConfigError> {
        Ok(Self {
            hosts: AllowedHosts::new(&urls, &config.texture_hosts)?,
            limits: UpstreamLimits::for_upstreams(upstreams, &provider, config),
            // Files are read again.
            ttl: config.missing_player_ttl * u32::from(!upstreams.is_empty()),
            nothing_found: Cache::new(MAX_NOT_FOUND),
            provider,
        })
    }

    /// Names the provider in a failure.
    pub(crate) fn failure(&self, source: Arc<UpstreamError>) -> UpstreamError {
        let provider = Arc::clone(&self.provider);
        UpstreamError::Provider { provider, source }
    }
}

/// Fetches from the servers of one provider, for one look-up.
pub(crate) struct Fetcher<'a> {
    pub(crate) network: &'a Network,
    pub(crate) servers: &'a Servers,
    pub(crate) terms: Terms<'a>,
}

impl Fetcher<'_> {
    /// Returns what `find` finds, unless that was nothing a moment ago: everyone shares that who asks meanwhile, so requests
    /// for one thing cannot use up a rate limit. A call that was not made is no answer.
    pub(crate) fn find<V>(
        &self,
        key: String,
        find: impl FnOnce() -> Result<Option<V>>,
    ) -> Result<Option<V>, Arc<UpstreamError>> {
        let nothing_found = &self.servers.nothing_found;
        if let Some((since, ttl, outage)) = nothing_found.get(&key)
            && self.now().saturating_duration_since(since) < ttl
        {
            return outage.map_or(Ok(None), Err);
        }
        let found = find().map_err(Arc::new);
        let (longest, outage) = match &found {
            Ok(None) => (Duration::MAX, None),
            Err(outage) if outage.limit().is_none() => (PROBE_INTERVAL, Some(Arc::clone(outage))),
            _ => return found,
        };
        let ttl = self.servers.ttl.min(longest);
        nothing_found.insert(key, (self.now(), ttl, outage));
        found
    }

    /// Fetches and parses a texture, unless that failed a moment ago, or there was none under this key.
    pub(crate) fn texture(
        &self,
        key: &str,
        url: &Url,
        parse: impl FnOnce(Response) -> Result<Option<Vec<u8>>>,
    ) -> Result<Option<Vec<u8>>> {
        let get = || self.get(Upstream::Texture, Step::Texture, Some(url.clone()));
        let file = self.find(key.to_owned(), || parse(get()?));
        file.map_err(|error| self.servers.failure(error))
    }

    /// Performs a GET and returns the response of any status. What no URL can name does not exist.
    pub(crate) fn get(&self, upstream: Upstream, step: Step, url: Option<Url>) -> Result<Response> {
        let not_found = || Ok(Response::not_found());
        url.map_or_else(not_found, |url| self.call(upstream, step, url, None))
    }

    /// Performs a request within the limits: a POST of a Java name, or a GET without one.
    ///
    /// If several calls have failed in a row, a request that was answered before is repeated first. It tells whether the
    /// upstream fails, or these calls alone.
    pub(crate) fn call(
        &self,
        upstream: Upstream,
        step: Step,
        url: Url,
        name: Option<&str>,
    ) -> Result<Response> {
        let limits = self.limits(upstream);
        if let Some((proven_step, proven)) = limits.proof(&url) {
            let sent = self.send(limits, proven_step, proven, None);
            limits.proved();
            sent?;
        }
        self.send(limits, step, url, name)
    }

    /// Sends a request if the limits permit it. The `retry_after` of the response, or of the error, is that of the limits.
    fn send(
        &self,
        limits: &UpstreamLimits,
        step: Step,
        url: Url,
        name: Option<&str>,
    ) -> Result<Response> {
        let failed = |source, retry_after| UpstreamError::Transport {
            step,
            source,
            retry_after,
        };
        let time_left = self.terms.deadline.saturating_duration_since(self.now());
        if time_left.is_zero() {
            return Err(failed(TransportError::Timeout, None));
        }
        let permit = limits.begin(self.now(), self.terms.payer);
        let permit = permit.map_err(|(reason, wait)| UpstreamError::limited(step, reason, wait))?;
        let timeout = self.network.timeout.min(time_left);
        let proof = name.is_none().then(|| (step, url.clone()));
        let result = self.network.transport.send(&Request {
            provider: Arc::clone(&self.servers.provider),
            step,
            any_address: self.servers.hosts.is_operators(&url),
            url,
            json: name.map(|name| json!([name]).to_string().into()),
            timeout,
            max_body: match step {
                Step::Texture => MAX_TEXTURE,
                _ => MAX_JSON,
            },
        });
        // A call near the deadline may time out although the upstream is well.
        let was_long = timeout >= self.network.timeout / 3;
        let retry_after = permit.end(self.now(), &result, was_long, proof);
        let mut response = result.map_err(|error| failed(error, retry_after))?;
        response.retry_after = retry_after;
        Ok(response)
    }

    /// Returns the limits of an upstream that the provider calls.
    pub(crate) fn limits(&self, upstream: Upstream) -> &UpstreamLimits {
        let mut all = self.servers.limits.iter();
        let limits = all.find(|limits| limits.upstream == upstream);
        limits.expect("a provider has limits for each upstream that it calls")
    }

    pub(crate) fn now(&self) -> Instant {
        (self.network.clock)()
    }
}

/// Returns the body of a response if it begins like a PNG.
pub(crate) fn png(response: Response) -> Result<Vec<u8>> {
    match response.status {
        200 if response.body.starts_with(PNG_SIGNATURE) => Ok(response.body),
        200 => Err(UpstreamError::Decode {
            source: "the file does not begin like a png".into(),
        }),
        _ => Err(response.failure(Step::Texture)),
    }
}
