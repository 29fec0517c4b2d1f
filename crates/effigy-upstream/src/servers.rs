//! The servers of a provider: their hosts, their limits, and the memory of players and textures
//! that were not found there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use url::Url;

use crate::config::AllowedHosts;
use crate::error::Result;
use crate::limits::{PROBE_INTERVAL, UpstreamLimits};
use crate::{ConfigError, Upstream, UpstreamConfig, UpstreamError};

/// The number of players and textures of a provider that are remembered as not found. It is more
/// than the public services answer in a minute.
const MAX_NOT_FOUND: usize = 10_000;

/// The servers of a provider.
pub(crate) struct Servers {
    /// The provider, by its kind and host.
    pub(crate) provider: Arc<str>,
    /// The hosts that are known from the settings.
    pub(crate) hosts: AllowedHosts,
    pub(crate) limits: Vec<UpstreamLimits>,
    /// The time within which one profile is checked at most once.
    pub(crate) profile_interval: Duration,
    /// The time for which the answer "not found" is reused.
    ttl: Duration,
    not_found: Cache<String, NotFound>,
}

/// A player or a texture that was not found a moment ago.
#[derive(Debug, Clone)]
struct NotFound {
    since: Instant,
    ttl: Duration,
    /// The error, or `None` if the answer is that it does not exist.
    outage: Option<Arc<UpstreamError>>,
}

/// The last answer about a player or a texture, if it is young enough to be reused.
pub(crate) enum LastAnswer {
    /// No answer is remembered, or something was found.
    Unknown,
    /// There is no such player or texture.
    Missing,
    /// The look-up failed.
    Outage(Arc<UpstreamError>),
}

impl Servers {
    /// Describes the servers at these URLs.
    pub(crate) fn new(
        provider: Arc<str>,
        config: &UpstreamConfig,
        urls: &[Url],
        limits: Vec<UpstreamLimits>,
        profile_interval: Duration,
    ) -> Result<Self, ConfigError> {
        // Files are read again.
        let ttl = if limits.is_empty() {
            Duration::ZERO
        } else {
            config.missing_player_ttl
        };
        Ok(Self {
            hosts: AllowedHosts::new(urls, &config.texture_hosts)?,
            limits,
            profile_interval,
            ttl,
            not_found: Cache::new(MAX_NOT_FOUND),
            provider,
        })
    }

    /// Returns the limits of an upstream that the provider calls.
    pub(crate) fn limits(&self, upstream: Upstream) -> &UpstreamLimits {
        let mut all = self.limits.iter();
        let limits = all.find(|limits| limits.upstream == upstream);
        limits.expect("a provider has limits for each upstream that it calls")
    }

    /// Names the provider in a failure.
    pub(crate) fn failure(&self, source: Arc<UpstreamError>) -> UpstreamError {
        let provider = Arc::clone(&self.provider);
        UpstreamError::Provider { provider, source }
    }

    /// Returns the last answer under a key.
    pub(crate) fn last_answer(&self, key: &str, now: Instant) -> LastAnswer {
        let Some(last) = self.not_found.get(key) else {
            return LastAnswer::Unknown;
        };
        if now.saturating_duration_since(last.since) >= last.ttl {
            return LastAnswer::Unknown;
        }
        match last.outage {
            Some(outage) => LastAnswer::Outage(outage),
            None => LastAnswer::Missing,
        }
    }

    /// Remembers that there is nothing under a key.
    pub(crate) fn remember_missing(&self, key: String, now: Instant) {
        let missing = NotFound {
            since: now,
            ttl: self.ttl,
            outage: None,
        };
        self.not_found.insert(key, missing);
    }

    /// Forgets that nothing was found under a key.
    pub(crate) fn forget(&self, key: &str) {
        self.not_found.remove(key);
    }

    /// Remembers an outage until the upstream may have recovered. An error of a limit is not
    /// remembered, because no call was made.
    pub(crate) fn remember_outage(&self, key: String, outage: &Arc<UpstreamError>, now: Instant) {
        if outage.limit().is_some() {
            return;
        }
        let failed = NotFound {
            since: now,
            ttl: self.ttl.min(PROBE_INTERVAL),
            outage: Some(Arc::clone(outage)),
        };
        self.not_found.insert(key, failed);
    }
}
