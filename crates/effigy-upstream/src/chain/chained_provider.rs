//! A provider of a chain, with its servers and its last ping.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::fetcher::Fetcher;
use crate::limits::{News, UpstreamLimits};
use crate::providers::Provider;
use crate::servers::Servers;
use crate::{Ping, Step, Upstream, UpstreamError};

/// A provider with its servers.
pub(super) struct ChainedProvider {
    pub(super) provider: Box<dyn Provider>,
    pub(super) servers: Servers,
    last_ping: Mutex<Option<LastPing>>,
}

/// A ping, and the time at which it ended.
#[derive(Debug, Clone)]
struct LastPing {
    ping: Ping,
    ended: Instant,
}

impl ChainedProvider {
    pub(super) fn new(provider: Box<dyn Provider>, servers: Servers) -> Self {
        Self {
            provider,
            servers,
            last_ping: Mutex::default(),
        }
    }

    pub(super) fn name(&self) -> &Arc<str> {
        &self.servers.provider
    }

    /// Returns `true` if the provider calls servers. Others read files.
    pub(super) fn makes_calls(&self) -> bool {
        !self.servers.limits.is_empty()
    }

    /// Returns `true` if the provider has textures of its own. Others name textures of the game.
    pub(super) fn has_textures(&self) -> bool {
        let mut limits = self.servers.limits.iter();
        limits.any(|limits| limits.upstream == Upstream::Texture)
    }

    /// Returns the answer to a ping if one is due, and otherwise the last answer, updated by the
    /// calls since.
    pub(super) fn ping(&self, fetcher: &Fetcher) -> Ping {
        let last = self.last_or_new_ping(fetcher);
        let now = fetcher.now();
        let mut ping = last.ping;
        ping.age = now.saturating_duration_since(last.ended);
        match self.identity_news(last.ended, now) {
            News::Answered if ping.answer.is_err() => {
                ping.answer = Ok(());
                ping.response_time = Duration::ZERO;
            }
            News::Limited(limited) => {
                let error =
                    UpstreamError::limited(Step::Identity, limited.reason, limited.retry_after);
                ping.answer = Err(Arc::new(error));
            }
            News::Answered | News::Nothing => {}
        }
        ping
    }

    /// Returns the news of the look-ups of Java names. If there are two forms of the look-up, it is
    /// enough that one of them was answered.
    fn identity_news(&self, then: Instant, now: Instant) -> News {
        let mut first_limited = None;
        for limits in self.identity_limits() {
            match limits.news_since(then, now) {
                News::Answered => return News::Answered,
                News::Limited(limited) => first_limited = first_limited.or(Some(limited)),
                News::Nothing => {}
            }
        }
        match first_limited {
            Some(limited) => News::Limited(limited),
            None => News::Nothing,
        }
    }

    /// Returns the last ping, or a new one if the last is too old. Concurrent callers share it.
    fn last_or_new_ping(&self, fetcher: &Fetcher) -> LastPing {
        let interval = self.identity_limits().map(UpstreamLimits::ping_interval);
        let interval = interval.max().unwrap_or_default();
        let mut last = self.last_ping.lock();
        let started = fetcher.now();
        if let Some(known) = &*last
            && started.saturating_duration_since(known.ended) < interval
        {
            return known.clone();
        }
        let answer = self.provider.ping(fetcher).map_err(Arc::new);
        let ended = fetcher.now();
        let ping = Ping {
            provider: Arc::clone(self.name()),
            answer,
            response_time: ended.saturating_duration_since(started),
            age: Duration::ZERO,
        };
        let new = LastPing { ping, ended };
        *last = Some(new.clone());
        new
    }

    /// Returns the limits of the upstreams that look up Java names.
    fn identity_limits(&self) -> impl Iterator<Item = &UpstreamLimits> {
        self.servers.limits.iter().filter(|limits| {
            matches!(
                limits.upstream,
                Upstream::IdentityLegacy | Upstream::IdentityCurrent | Upstream::Profiles
            )
        })
    }
}
