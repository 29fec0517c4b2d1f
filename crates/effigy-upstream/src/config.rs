//! The settings: the addresses of the upstreams, their timeouts and their limits.

mod hosts;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::FileChecks;

pub(crate) use hosts::AllowedHosts;

/// The unreserved characters of RFC 3986, which stay as they are.
pub(crate) const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The longest period. Longer ones could overflow an `Instant`, and the nanoseconds of many of them
/// 64 bits.
const MAX_PERIOD: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// The settings of a chain of providers and its transport.
#[derive(Debug, Clone)]
pub struct UpstreamConfig {
    /// The providers in the order in which they are asked: `mojang`, `geyser`, `folder=PATH`,
    /// `yggdrasil=URL`, `skinsrestorer=PATH`, `skinrestorer=PATH` or `skin-url=URL`. By default,
    /// `mojang` and `geyser`.
    pub providers: Vec<String>,
    /// The decoders of the files of folders. By default, files are not decoded, and each counts as
    /// a classic skin.
    pub checks: FileChecks,
    /// The addresses of the services.
    pub endpoints: Endpoints,
    /// The time limit of one call, 10 s by default. All calls of one look-up together have twice
    /// this time.
    pub timeout: Duration,
    /// Further hosts that the textures of every provider may come from, each `host` or `host:port`.
    pub texture_hosts: Vec<String>,
    /// The maximum rate of calls to each service.
    pub rate_limits: RateLimits,
    /// The time for which the answer "no such player" is reused. 60 s by default.
    pub missing_player_ttl: Duration,
    /// The shortest time between two calls for the same profile, in place of each provider's own.
    pub profile_interval: Option<Duration>,
}

impl Default for UpstreamConfig {
    fn default() -> Self {
        Self {
            providers: ["mojang", "geyser"].map(str::to_owned).to_vec(),
            checks: FileChecks::NONE,
            endpoints: Endpoints::default(),
            timeout: Duration::from_secs(10),
            texture_hosts: Vec::new(),
            rate_limits: RateLimits::default(),
            missing_player_ttl: Duration::from_secs(60),
            profile_interval: None,
        }
    }
}

/// A setting that cannot be used. The operator is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A provider of an unknown kind, or with a target that its kind cannot use.
    #[error("{provider:?} {problem}")]
    Provider {
        /// The provider, as the operator has written it.
        provider: String,
        /// The mistake.
        problem: String,
    },
    /// A folder of skins that cannot be read, or is too large.
    #[error("the folder {path:?} {problem}")]
    SkinFolder {
        /// The folder.
        path: PathBuf,
        /// The reason why it cannot be used.
        problem: String,
    },
    /// A texture host that is not a host.
    #[error("{host:?} is not a host or host:port")]
    TextureHost {
        /// The text in place of a host.
        host: String,
    },
    /// A contact that cannot be sent in a header.
    #[error("{contact:?} may only have printable ASCII characters")]
    Contact {
        /// The contact.
        contact: String,
    },
}

/// An amount of something in a period, for example 600 calls in 10 minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    amount: u32,
    period: Duration,
}

impl Rate {
    /// A rate of `amount` in each `period`. Returns `None` if either is zero. A period longer than
    /// a year is shortened to a year.
    #[must_use]
    pub const fn new(amount: u32, period: Duration) -> Option<Self> {
        if amount == 0 || period.is_zero() {
            return None;
        }
        if period.as_secs() > MAX_PERIOD.as_secs() {
            return Some(Self {
                amount,
                period: MAX_PERIOD,
            });
        }
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

/// The rate limits of the services. All calls of a period may be made at once.
///
/// A limit that is not set has a default: slightly below the limit of the public service if that is
/// called, and no limit for any other service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RateLimits {
    /// Java name to UUID. The public service accepts 600 calls in 10 minutes. The host of the
    /// current form of the look-up has a limit of its own, about 200 in 2 minutes.
    pub identity: Option<Rate>,
    /// Java UUID to session profile. The public service accepts about 400 calls in 10 s.
    pub session: Option<Rate>,
    /// Both Bedrock look-ups together. The limit of the public service is not known, and its
    /// clients share it.
    pub bedrock: Option<Rate>,
}

/// The address of a service: http or https, optionally with a path before the service's own paths.
/// It ends with a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(pub(crate) Url);

impl BaseUrl {
    /// Parses a base URL. A slash at its end makes no difference.
    ///
    /// # Errors
    ///
    /// The mistake, if the text is anything but an http or https URL of a host, a port and a path.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut url = http_url(text)?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err("must not have a query or fragment");
        }
        url.set_path(&format!("{}/", url.path().trim_end_matches('/')));
        Ok(Self(url))
    }

    /// Returns the URL of `path`, which is encoded already.
    pub(crate) fn below(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}{path}", self.0.path()));
        url
    }

    /// Returns the URL of `text`, encoded as exactly one segment, below `path`. Returns `None` if
    /// the text is empty or only dots: URL parsers drop such segments in any encoding.
    pub(crate) fn join(&self, path: &str, text: &str) -> Option<Url> {
        let is_dots = text.bytes().all(|byte| byte == b'.');
        if is_dots {
            return None;
        }
        let segment = utf8_percent_encode(text, UNRESERVED);
        Some(self.below(&format!("{path}/{segment}")))
    }
}

/// Parses a URL that may have a query, or returns the mistake in it.
pub(crate) fn http_url(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text.trim()).map_err(|_| "is not a url")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("must begin with http:// or https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not hold a user name or password");
    }
    Ok(url)
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.as_str().trim_end_matches('/'))
    }
}

/// The addresses of the four services. The default addresses are the public ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoints {
    /// Java name to UUID.
    pub java_identity: BaseUrl,
    /// Java UUID to session profile.
    pub java_session: BaseUrl,
    /// Bedrock gamertag to XUID, and XUID to skin record.
    pub bedrock_lookup: BaseUrl,
    /// Textures by their hash.
    pub texture: BaseUrl,
}

impl Endpoints {
    /// Returns `true` if a service is the public one.
    pub(crate) fn is_public(&self, service: fn(&Self) -> &BaseUrl) -> bool {
        service(self) == service(&Self::default())
    }

    pub(crate) fn urls(&self) -> Vec<Url> {
        vec![
            self.java_identity.0.clone(),
            self.java_session.0.clone(),
            self.bedrock_lookup.0.clone(),
            self.texture.0.clone(),
        ]
    }
}

impl Default for Endpoints {
    fn default() -> Self {
        let public = |value| BaseUrl::parse(value).expect("the public urls are valid");
        Self {
            java_identity: public("https://api.mojang.com"),
            java_session: public("https://sessionserver.mojang.com"),
            bedrock_lookup: public("https://api.geysermc.org"),
            texture: public("https://textures.minecraft.net"),
        }
    }
}

#[cfg(test)]
mod tests;
