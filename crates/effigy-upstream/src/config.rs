//! The settings: the addresses of the upstreams, their timeouts and their limits.

mod endpoints;
mod hosts;
mod rate;

use std::{borrow::Cow, num::NonZeroU32, time::Duration};

use crate::FileChecks;

pub use endpoints::{BaseUrl, Endpoints};
pub(crate) use endpoints::{UNRESERVED, http_url};
pub(crate) use hosts::AllowedHosts;
pub use rate::{Rate, RateLimits};

/// The settings of a chain of providers and its transport.
#[derive(Debug, Clone)]
pub struct UpstreamConfig {
    /// The providers in the order in which they are asked: `mojang`, `geyser`, `folder=PATH`, `yggdrasil=URL`,
    /// `skinsrestorer=PATH` or `skin-url=URL`. By default `mojang` and `geyser`.
    pub providers: Vec<String>,
    /// The decoders of files of folders and sites. By default, files are not decoded, and all of them count as
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
