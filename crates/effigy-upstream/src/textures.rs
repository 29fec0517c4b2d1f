//! Fetching textures, and from where: the addresses come from outside and are not trusted.

use effigy_player::Model;
use url::{Host, Url};

use crate::call::Caller;
use crate::texture_record::TextureRecord;
use crate::{
    BaseUrl, ConfigError, Endpoints, Step, Transport, Upstream, UpstreamConfig, UpstreamError,
};

/// The domains whose hosts the game itself accepts. The bare domains are not among them.
const GAME_DOMAINS: [&str; 2] = [".minecraft.net", ".mojang.com"];

/// The game's records still say `http:` of this host, which has long spoken TLS.
const UPGRADED_HOST: &str = "textures.minecraft.net";

/// The beginning of every PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The hosts that textures may come from.
#[derive(Debug, Clone)]
pub(crate) struct TextureHosts(Vec<AllowedHost>);

/// A host, and the port it may be asked on where that is not the one of http or https.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AllowedHost {
    host: Host,
    port: Option<u16>,
}

impl TextureHosts {
    /// The hosts of the four services and the operator's own.
    pub(crate) fn new(config: &UpstreamConfig) -> Result<Self, ConfigError> {
        let mut hosts: Vec<AllowedHost> = services(&config.endpoints)
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

    /// The same, or nothing where textures are not fetched from there.
    pub(crate) fn allowed(&self, address: &str) -> Option<Url> {
        let mut url = Url::parse(address).ok()?;
        let is_http = matches!(url.scheme(), "http" | "https");
        if !is_http || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        let is_listed = self.0.iter().any(|listed| listed.covers(&url));
        if !is_listed && !AllowedHost::of(&url)?.is_the_games() {
            return None;
        }
        if url.scheme() == "http" && url.port().is_none() && url.host_str() == Some(UPGRADED_HOST) {
            url.set_scheme("https").ok()?;
        }
        url.set_fragment(None);
        Some(url)
    }
}

/// The hosts that are the operator's own, and may have any address: those of the services that are
/// not the public ones, and the texture hosts.
pub(crate) fn own_hosts(config: &UpstreamConfig) -> Result<Vec<String>, ConfigError> {
    let public = TextureHosts::new(&UpstreamConfig::default())?;
    let is_public = |host: &AllowedHost| {
        let is_it = |public: &AllowedHost| public.host == host.host;
        public.0.iter().any(is_it) || host.is_below_the_games()
    };
    let services = services(&config.endpoints);
    let services = services
        .into_iter()
        .filter_map(|base| AllowedHost::of(base.as_url()));
    let mut hosts: Vec<AllowedHost> = services.filter(|host| !is_public(host)).collect();
    for value in &config.texture_hosts {
        hosts.push(AllowedHost::parse(value)?);
    }
    Ok(hosts.into_iter().map(|own| own.host.to_string()).collect())
}

const fn services(endpoints: &Endpoints) -> [&BaseUrl; 4] {
    let Endpoints {
        java_identity,
        java_session,
        bedrock_lookup,
        texture,
    } = endpoints;
    [java_identity, java_session, bedrock_lookup, texture]
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

    /// Whether a URL may be fetched because this host is allowed.
    fn covers(&self, url: &Url) -> bool {
        let is_port = match self.port {
            None => url.port().is_none(),
            port => url.port_or_known_default() == port,
        };
        is_port && url.host().is_some_and(|host| host.to_owned() == self.host)
    }

    /// Whether a URL of this host and port may be fetched because they are the game's.
    fn is_the_games(&self) -> bool {
        self.port.is_none() && self.is_below_the_games()
    }

    fn is_below_the_games(&self) -> bool {
        let Host::Domain(domain) = &self.host else {
            return false;
        };
        let is_below =
            |suffix: &&str| matches!(domain.strip_suffix(*suffix), Some(sub) if !sub.is_empty());
        GAME_DOMAINS.iter().any(is_below)
    }
}

/// A texture and its model.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    /// The file as the upstream sent it, which at least begins like a PNG.
    pub(crate) bytes: Vec<u8>,
    /// The player's model.
    pub(crate) model: Model,
}

/// Fetches the texture of a record.
pub(crate) fn fetch<T: Transport>(
    caller: &Caller<'_, T>,
    hosts: &TextureHosts,
    record: &TextureRecord,
) -> Result<Texture, UpstreamError> {
    let step = Step::Texture;
    let response = caller.get(Upstream::Texture, step, hosts.check(&record.url)?)?;
    match response.status {
        200 if !response.body.starts_with(PNG_SIGNATURE) => {
            let source = "the file does not begin like a png".into();
            Err(UpstreamError::Decode { source })
        }
        200 => Ok(Texture {
            bytes: response.body,
            model: record.model,
        }),
        status => Err(UpstreamError::Status { step, status }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_operators_own_hosts_may_have_any_address() {
        let base = |value| BaseUrl::parse("test", value).expect("a base url");
        let mut config = UpstreamConfig::default();
        assert_eq!(own_hosts(&config).unwrap(), [""; 0]);
        config.endpoints = Endpoints {
            java_identity: base("http://LocalHost:1234/api"),
            java_session: base("https://sessionserver.mojang.com/again"),
            bedrock_lookup: base("http://[::1]:99"),
            texture: base("https://skins.minecraft.net"),
        };
        config.texture_hosts = vec!["CDN.example:81".to_owned(), "10.0.0.1".to_owned()];
        let own = own_hosts(&config).unwrap();
        assert_eq!(own, ["localhost", "[::1]", "cdn.example", "10.0.0.1"]);
        // Said in so many words, even this one is.
        config.texture_hosts = vec!["textures.minecraft.net".to_owned()];
        let own = own_hosts(&config).unwrap();
        assert_eq!(own, ["localhost", "[::1]", "textures.minecraft.net"]);
    }
}
