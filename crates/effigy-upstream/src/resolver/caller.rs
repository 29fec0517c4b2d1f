//! Calls to the upstreams, within their limits and the time left.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use url::Url;

use super::missing_players::MissingPlayers;
use crate::config::{AllowedHosts, BaseUrl, ConfigError, UpstreamConfig};
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Limits, Outcome, Priority, Upstream};
use crate::transport::{Request, Response, Step, Transport, TransportError};

/// The largest JSON response, in bytes.
const MAX_JSON: usize = 256 * 1024;

/// The largest texture, in bytes.
const MAX_TEXTURE: usize = 1024 * 1024;

/// The longest timeout. Longer ones could overflow an `Instant`.
const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

/// The state that all look-ups share.
pub(super) struct Client {
    transport: Box<dyn Transport>,
    pub(super) config: UpstreamConfig,
    pub(super) hosts: AllowedHosts,
    pub(super) limits: Limits,
    pub(super) missing: MissingPlayers,
    /// The time until which no form of the bulk look-up of names is tried, because none is served.
    bulk_paused_until: Mutex<Option<Instant>>,
    /// Hashes the inputs of calls with a key of its own, so that nobody can choose equal hashes.
    hasher: RandomState,
    pub(super) clock: Box<dyn Fn() -> Instant + Send + Sync>,
}

impl Client {
    pub(super) fn new(
        transport: impl Transport,
        mut config: UpstreamConfig,
    ) -> Result<Self, ConfigError> {
        config.timeout = config.timeout.min(MAX_TIMEOUT);
        config.resolve_timeout = config.resolve_timeout.min(MAX_TIMEOUT);
        Ok(Self {
            transport: Box::new(transport),
            hosts: AllowedHosts::new(&config.endpoints, &config.texture_hosts)?,
            limits: Limits::new(&config),
            missing: MissingPlayers::new(config.missing_player_ttl),
            bulk_paused_until: Mutex::default(),
            hasher: RandomState::new(),
            config,
            clock: Box::new(Instant::now),
        })
    }

    pub(super) fn bulk_is_paused(&self, now: Instant) -> bool {
        let until = self.bulk_paused_until.lock();
        until
            .unwrap_or_else(PoisonError::into_inner)
            .is_some_and(|until| now < until)
    }

    pub(super) fn pause_bulk(&self, until: Instant) {
        let paused = self.bulk_paused_until.lock();
        *paused.unwrap_or_else(PoisonError::into_inner) = Some(until);
    }
}

/// Makes the calls of one look-up. Each step is a method, in the file of its upstream.
pub(super) struct Caller<'a> {
    pub(super) client: &'a Client,
    pub(super) priority: Priority,
    /// `true` if a refusal (403) may be about all calls of this service.
    pub(super) weighs_refusals: bool,
    /// The time limit of one call.
    pub(super) timeout: Duration,
    /// The time at which all calls together must be over.
    pub(super) deadline: Instant,
}

impl Caller<'_> {
    pub(super) fn config(&self) -> &UpstreamConfig {
        &self.client.config
    }

    /// Runs a step of the look-up of a player, unless it found a moment ago that there is no such
    /// player.
    pub(super) fn unless_missing<T>(
        &self,
        step: Step,
        player: &str,
        look_up: impl FnOnce() -> Result<T, UpstreamError>,
    ) -> Result<T, UpstreamError> {
        let missing = &self.client.missing;
        if missing.contains(step, player, self.now()) {
            return Err(UpstreamError::not_found(step, player));
        }
        let outcome = look_up();
        if matches!(outcome, Err(UpstreamError::PlayerNotFound { .. })) {
            missing.insert(step, player, self.now());
        }
        outcome
    }

    /// Fetches the record of a player below `path` of a service.
    pub(super) fn get_record(
        &self,
        upstream: Upstream,
        step: Step,
        base: &BaseUrl,
        path: &str,
        player: &str,
    ) -> Result<Response, UpstreamError> {
        let url = base.join(path, player);
        let url = url.ok_or_else(|| UpstreamError::not_found(step, player))?;
        self.get(upstream, step, url)
    }

    /// Performs a GET and returns the response of any status.
    pub(super) fn get(
        &self,
        upstream: Upstream,
        step: Step,
        url: Url,
    ) -> Result<Response, UpstreamError> {
        let limits = self.client.limits.of(upstream);
        let subject = self.subject(&url, None);
        let response = self.call(upstream, step, url.clone(), None)?;
        let is_refused = |proven| {
            let repeated = self.call(upstream, step, proven, None);
            repeated.is_ok_and(|response| response.status == 403)
        };
        match response.status {
            200 => limits.prove(url),
            403 if self.weighs_refusals && limits.refuses_all(subject, is_refused) => {
                limits.pause(self.now(), LimitReason::Refused, response.retry_after);
            }
            _ => {}
        }
        Ok(response)
    }

    /// Performs a request within the limits: a POST of JSON, or a GET without it.
    pub(super) fn call(
        &self,
        upstream: Upstream,
        step: Step,
        url: Url,
        json: Option<Vec<u8>>,
    ) -> Result<Response, UpstreamError> {
        let failed = |source| UpstreamError::Transport { step, source };
        let time_left = self.deadline.saturating_duration_since(self.now());
        if time_left.is_zero() {
            return Err(failed(TransportError::Timeout));
        }
        let limits = self.client.limits.of(upstream);
        let subject = self.subject(&url, json.as_deref());
        let permit = limits.begin(self.now(), self.priority, subject);
        let permit = permit.map_err(|limited| UpstreamError::Limited {
            step,
            reason: limited.reason,
            retry_after: limited.retry_after,
        })?;
        let timeout = self.timeout.min(time_left);
        let result = self.client.transport.send(&Request {
            step,
            url,
            json,
            timeout,
            max_body: max_body(step),
        });
        permit.end(self.now(), self.outcome(&result, timeout));
        result.map_err(failed)
    }

    /// Returns a number that calls about the same thing share.
    fn subject(&self, url: &Url, json: Option<&[u8]>) -> u64 {
        let hasher = &self.client.hasher;
        hasher.hash_one((url.as_str().to_ascii_lowercase(), json))
    }

    pub(super) fn now(&self) -> Instant {
        (self.client.clock)()
    }

    fn outcome(&self, result: &Result<Response, TransportError>, timeout: Duration) -> Outcome {
        // A call near the deadline may time out although the upstream is well.
        let config = self.config();
        let full_timeout = config.timeout.min(config.resolve_timeout) / 3;
        match result {
            Ok(response) => match response.status {
                403 => Outcome::Refused,
                429 => Outcome::Rejected(response.retry_after),
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
