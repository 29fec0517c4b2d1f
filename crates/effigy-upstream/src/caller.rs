//! Calls to the servers of a provider, within their limits and the time left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use url::Url;

use crate::config::{AllowedHosts, BaseUrl, ConfigError, UpstreamConfig};
use crate::error::{Result, UpstreamError};
use crate::limits::{LimitReason, Upstream, UpstreamLimits, limits};
use crate::transport::{Request, Response, Step, Transport, TransportError};

/// The largest JSON response, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// The longest timeout. Longer ones could overflow an `Instant`.
const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

/// The beginning of every PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The transport and the clock, which all look-ups share.
pub(crate) struct Client {
    transport: Box<dyn Transport>,
    /// The time limit of one call.
    pub(crate) timeout: Duration,
    /// The time limit of all calls of one look-up together.
    pub(crate) resolve_timeout: Duration,
    pub(crate) clock: Box<dyn Fn() -> Instant + Send + Sync>,
}

impl Client {
    pub(crate) fn new(transport: impl Transport, config: &UpstreamConfig) -> Self {
        Self {
            transport: Box::new(transport),
            timeout: config.timeout.min(MAX_TIMEOUT),
            resolve_timeout: config.resolve_timeout.min(MAX_TIMEOUT),
            clock: Box::new(Instant::now),
        }
    }
}

/// The servers of a provider.
#[derive(Debug)]
pub(crate) struct Servers {
    /// The provider, by its kind and host.
    pub(crate) provider: Arc<str>,
    /// The hosts that are known from the settings.
    pub(crate) hosts: AllowedHosts,
    pub(crate) limits: Vec<UpstreamLimits>,
}

impl Servers {
    /// Describes the servers at these URLs.
    pub(crate) fn new(
        provider: Arc<str>,
        config: &UpstreamConfig,
        urls: &[Url],
        upstreams: &[Upstream],
    ) -> Result<Self, ConfigError> {
        Ok(Self {
            hosts: AllowedHosts::new(urls, &config.texture_hosts)?,
            limits: limits(&provider, config, upstreams),
            provider,
        })
    }

    /// Returns `true` if the provider calls this upstream.
    pub(crate) fn has(&self, upstream: Upstream) -> bool {
        self.limits.iter().any(|limits| limits.upstream == upstream)
    }

    /// Returns the limits of an upstream that the provider calls.
    pub(crate) fn limits(&self, upstream: Upstream) -> &UpstreamLimits {
        let mut all = self.limits.iter();
        let limits = all.find(|limits| limits.upstream == upstream);
        limits.expect("a provider has limits for each upstream that it calls")
    }
}

/// Makes the calls of one look-up at the servers of one provider.
pub(crate) struct Caller<'a> {
    pub(crate) client: &'a Client,
    pub(crate) servers: &'a Servers,
    /// The time at which all calls together must be over.
    pub(crate) deadline: Instant,
}

impl Caller<'_> {
    /// Fetches the record of a player below `path` of a service.
    pub(crate) fn get_record(
        &self,
        upstream: Upstream,
        step: Step,
        base: &BaseUrl,
        path: &str,
        player: &str,
    ) -> Result<Response> {
        let url = base.join(path, player);
        let url = url.ok_or_else(|| UpstreamError::not_found(step, player))?;
        self.get(upstream, step, url)
    }

    /// Fetches a texture. Only the beginning of the file is checked.
    pub(crate) fn texture(&self, url: Url) -> Result<Vec<u8>> {
        png(self.get(Upstream::Texture, Step::Texture, url)?)
    }

    /// Performs a GET and returns the response of any status.
    pub(crate) fn get(&self, upstream: Upstream, step: Step, url: Url) -> Result<Response> {
        let limits = self.servers.limits(upstream);
        let response = self.call(upstream, step, url.clone(), None)?;
        match response.status {
            200 => limits.refusals.lock().proven = Some(url),
            403 if limits.refusals.lock().refused(&url) => {
                // A request that was answered before tells whether all are refused.
                let proven = limits.refusals.lock().proven.clone();
                let repeated = proven.map(|url| self.call(upstream, step, url, None));
                if repeated.is_none_or(|again| again.is_ok_and(|again| again.status == 403)) {
                    limits.pause(self.now(), LimitReason::Refused, response.retry_after);
                }
            }
            _ => {}
        }
        Ok(response)
    }

    /// Performs a request within the limits: a POST of a Java name, or a GET without one.
    pub(crate) fn call(
        &self,
        upstream: Upstream,
        step: Step,
        url: Url,
        name: Option<&str>,
    ) -> Result<Response> {
        let failed = |source| UpstreamError::Transport { step, source };
        let time_left = self.deadline.saturating_duration_since(self.now());
        if time_left.is_zero() {
            return Err(failed(TransportError::Timeout));
        }
        let limits = self.servers.limits(upstream);
        let permit = limits.begin(self.now());
        let permit = permit.map_err(|limited| UpstreamError::Limited {
            step,
            reason: limited.reason,
            retry_after: limited.retry_after,
        })?;
        let timeout = self.client.timeout.min(time_left);
        let result = self.client.transport.send(&Request {
            provider: Arc::clone(&self.servers.provider),
            step,
            any_address: self.servers.hosts.is_operators(&url),
            url,
            json: name.map(|name| json!([name]).to_string().into()),
            timeout,
            max_body: if step == Step::Texture {
                MAX_TEXTURE
            } else {
                MAX_JSON
            },
        });
        // A call near the deadline may time out although the upstream is well.
        let full_timeout = self.client.timeout.min(self.client.resolve_timeout);
        permit.end(self.now(), &result, timeout >= full_timeout / 3);
        result.map_err(failed)
    }

    pub(crate) fn now(&self) -> Instant {
        (self.client.clock)()
    }
}

/// Returns the body of a response if it begins like a PNG.
pub(crate) fn png(response: Response) -> Result<Vec<u8>> {
    let step = Step::Texture;
    match response.status {
        200 if response.body.starts_with(PNG_SIGNATURE) => Ok(response.body),
        200 => Err(UpstreamError::Decode {
            source: "the file does not begin like a png".into(),
        }),
        status => Err(UpstreamError::Status { step, status }),
    }
}
