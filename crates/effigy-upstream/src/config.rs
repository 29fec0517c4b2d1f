//! The settings: the addresses of the upstreams, their timeouts and their limits.

mod endpoints;
mod hosts;

use std::{borrow::Cow, num::NonZeroU32, time::Duration};

use crate::FileChecks;

pub use endpoints::{BaseUrl, Endpoints};
pub(crate) use endpoints::{UNRESERVED, http_url};
pub(crate) use hosts::AllowedHosts;

/// The longest period. Longer ones could overflow an `Instant`, and the nanoseconds of many of them 64 bits.
const MAX_PERIOD: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// The settings of a chain of providers and its transport.
#[derive(Debug, Clone)]
pub struct UpstreamConfig {
    /// The providers in the order in which they are asked: `mojang`, `geyser`, `folder=PATH`, `yggdrasil=URL`,
    /// `skinsrestorer=PATH` or `skin-url=URL`. By default `mojang` and `geyser`.
    pub providers: Vec<String>,
    /// The decoders of the files of folders. By default, files are not decoded, and all of them count as
    /// classic skins.
    pub checks: FileChecks,
    /// The addresses of the services.
    pub endpoints: Endpoints,
    /// The time limit of one call. 10 s by default.
    pub timeout: Duration,
    /// The time limit of all calls of one look-up together. 20 s by default.
    pub resolve_timeout: Duration,
    /// An address or URL of the operator, for [`UreqTransport::new`](crate::UreqTransport::new).
    pub contact: Option<String>,
    /// Further hosts that the textures of every provider may come from, each `host` or `host:port`.
    pub texture_hosts: Vec<String>,
    /// The maximum rate of calls to each service.
    pub rate_limits: RateLimits,
    /// The time for which an answer that there is no such player is reused. 60 s by default.
    pub missing_player_ttl: Duration,
    /// The maximum number of concurrent calls to one upstream. Further calls fail at once.
    ///
    /// 128 by default: a page of a hundred heads asks for all of them together, and at a tenth of a
    /// second per answer this is a higher rate than any public service accepts.
    pub concurrency: NonZeroU32,
}

impl Default for UpstreamConfig {
    fn default() -> Self {
        Self {
            providers: ["mojang", "geyser"].map(str::to_owned).to_vec(),
            checks: FileChecks::NONE,
            endpoints: Endpoints::default(),
            timeout: Duration::from_secs(10),
            resolve_timeout: Duration::from_secs(20),
            contact: None,
            texture_hosts: Vec::new(),
            rate_limits: RateLimits::default(),
            missing_player_ttl: Duration::from_secs(60),
            concurrency: NonZeroU32::new(128).expect("128 is not zero"),
        }
    }
}

/// A setting that cannot be used. The operator is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {value:?} {problem}")]
pub struct ConfigError {
    /// The setting.
    pub setting: &'static str,
    /// Its value.
    pub value: String,
    /// The mistake in the value.
    pub problem: Cow<'static, str>,
}

impl ConfigError {
    pub(crate) fn new(
        setting: &'static str,
        value: &str,
        problem: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            setting,
            value: value.to_owned(),
            problem: problem.into(),
        }
    }
}

/// An amount of something in a period, for example 600 calls in 10 minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    amount: u32,
    period: Duration,
}

impl Rate {
    /// A rate of `amount` in each `period`. Returns `None` if either is zero. A period longer than a year is
    /// shortened to a year.
    #[must_use]
    pub const fn new(amount: u32, period: Duration) -> Option<Self> {
        if amount == 0 || period.is_zero() {
            return None;
        }
        let is_longer = period.as_secs() > MAX_PERIOD.as_secs();
        let period = if is_longer { MAX_PERIOD } else { period };
        Some(Self { amount, period })
    }

    /// The amount.
    #[must_use]
    pub const fn amount(self) -> u32 {
        self.amount
    }

    /// The period.
    #[must_use]
    pub const fn period(self) -> Duration {
        self.period
    }
}

/// The rate limits of the services: all calls may be made at once; then none for the length of the period.
///
/// A limit that is not set has a default: slightly below what the public service accepts if that is
/// the one called, and none for any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RateLimits {
    /// Java name to UUID. The public service accepts 600 calls in 10 minutes. The host of the
    /// current form of the look-up has a limit of its own, about 200 in 2 minutes.
    pub identity: Option<Rate>,
    /// Java UUID to session profile. The public service accepts about 400 calls in 10 s.
    pub session: Option<Rate>,
    /// Both Bedrock look-ups together. The limit of the public service is not known, and all of its
    /// clients share it.
    pub bedrock: Option<Rate>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_an_amount_and_a_period() {
        let second = Duration::from_secs(1);
        assert!(Rate::new(0, second).is_none());
        assert!(Rate::new(1, Duration::ZERO).is_none());
        let longest = Rate::new(1, MAX_PERIOD + second);
        assert_eq!(longest.map(Rate::period), Some(MAX_PERIOD));
    }
}
