//! Fetching textures, and from where: the addresses come from outside and are not trusted.

use url::{Host, Url};

use crate::call::Caller;
use crate::texture_record::TextureRecord;
use crate::{ConfigError, Endpoints, Step, Transport, UpstreamConfig, UpstreamError};

/// The domains whose hosts the game itself accepts. The bare domains are not among them.
const GAME_DOMAINS: [&str; 2] = [".minecraft.net", ".mojang.com"];

/// The game's records still say `http:` of this host, which has long spoken TLS.
const UPGRADED_HOST: &str = "textures.minecraft.net";

/// The hosts that textures may come from.
#[derive(Debug, Clone)]
pub(crate) struct TextureHosts(Vec<AllowedHost>);

/// A host, and a port it may be asked on beside those of http and https.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AllowedHost {
    host: Host,
    port: Option<u16>,
}

impl TextureHosts {
    /// The hosts of the four services and the operator's own.
    pub(crate) fn new(config: &UpstreamConfig) -> Result<Self, ConfigError> {
        let Endpoints {
            java_identity,
            java_session,
            bedrock_lookup,
            texture,
        } = &config.endpoints;
        let services = [java_identity, java_session, bedrock_lookup, texture];
        let mut hosts: Vec<AllowedHost> = services
            .into_iter()
            .filter_map(|base| AllowedHost::of(base.as_url()))
            .collect();
        for value in &config.texture_hosts {
            hosts.push(AllowedHost::parse(value)?);
        }
        Ok(Self(hosts))
    }

    /// The address to fetch for the one that a record names.
    pub(crate) fn check(&self, address: &str) -> Result<Url, UpstreamError> {
        self.allowed(address)
            .ok_or_else(|| UpstreamError::TextureUrl {
                url: address.to_owned(),
            })
    }

    fn allowed(&self, address: &str) -> Option<Url> {
        let mut url = Url::parse(address).ok()?;
        let is_http = matches!(url.scheme(), "http" | "https");
        if !is_http || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        let named = AllowedHost::of(&url)?;
        let is_listed = self.0.iter().any(|listed| listed.covers(&named));
        if !is_listed && !named.is_the_games() {
            return None;
        }
        if url.scheme() == "http" && url.port().is_none() && url.host_str() == Some(UPGRADED_HOST) {
            url.set_scheme("https").ok()?;
        }
        url.set_fragment(None);
        Some(url)
    }
}

impl AllowedHost {
    fn of(url: &Url) -> Option<Self> {
        Some(Self {
            host: url.host()?.to_owned(),
            port: url.port(),
        })
    }

    /// Reads `host` or `host:port`.
    fn parse(value: &str) -> Result<Self, ConfigError> {
        let bad = || ConfigError::TextureHost {
            value: value.to_owned(),
        };
        if value.contains(['/', '\\', '?', '#', '@', '*']) || value.contains(char::is_whitespace) {
            return Err(bad());
        }
        let url = Url::parse(&format!("http://{value}/")).map_err(|_| bad())?;
        Self::of(&url).ok_or_else(bad)
    }

    /// Whether a URL of `named` may be fetched because this host is allowed.
    fn covers(&self, named: &Self) -> bool {
        self.host == named.host && (named.port.is_none() || named.port == self.port)
    }

    fn is_the_games(&self) -> bool {
        let Host::Domain(domain) = &self.host else {
            return false;
        };
        let is_below =
            |suffix: &&str| matches!(domain.strip_suffix(*suffix), Some(sub) if !sub.is_empty());
        self.port.is_none() && GAME_DOMAINS.iter().any(is_below)
    }
}

/// Fetches the texture of a record.
pub(crate) fn fetch<T: Transport>(
    caller: &Caller<'_, T>,
    hosts: &TextureHosts,
    record: &TextureRecord,
) -> Result<Vec<u8>, UpstreamError> {
    let step = Step::Texture;
    let response = caller.get(step, hosts.check(&record.url)?)?;
    match response.status {
        200 => Ok(response.body),
        status => Err(UpstreamError::Status { step, status }),
    }
}
