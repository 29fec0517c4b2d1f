//! The hosts that textures may come from. Their addresses come from outside and are not trusted.

use url::{Host, Url};

use super::endpoints::Endpoints;
use super::error::ConfigError;

/// The domains whose hosts the game itself accepts. The bare domains are not among them.
const GAME_DOMAINS: [&str; 2] = [".minecraft.net", ".mojang.com"];

/// A host that the game's records still name with `http:`, although it serves https.
const UPGRADED_HOST: &str = "textures.minecraft.net";

/// The hosts that textures may come from.
#[derive(Debug, Clone)]
pub(crate) struct AllowedHosts(Vec<AllowedHost>);

/// A host, and its port if that is not the default port of the scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AllowedHost {
    host: Host,
    port: Option<u16>,
}

impl AllowedHosts {
    /// Allows the hosts of the four services and the operator's texture hosts.
    pub(crate) fn new(
        endpoints: &Endpoints,
        texture_hosts: &[String],
    ) -> Result<Self, ConfigError> {
        let mut hosts = service_hosts(endpoints);
        hosts.extend(parse_all(texture_hosts)?);
        Ok(Self(hosts))
    }

    /// Returns the names of the hosts that the operator has set, which may have any address: the
    /// services that are not the public ones, and the texture hosts.
    pub(crate) fn operators(
        endpoints: &Endpoints,
        texture_hosts: &[String],
    ) -> Result<Vec<String>, ConfigError> {
        let public = service_hosts(&Endpoints::default());
        let mut hosts = service_hosts(endpoints);
        hosts.retain(|host| {
            !host.is_below_game_domain() && public.iter().all(|public| public.host != host.host)
        });
        hosts.extend(parse_all(texture_hosts)?);
        Ok(hosts.iter().map(|host| host.host.to_string()).collect())
    }

    /// Returns the URL to fetch for the one that a record names, or `None` if it is not allowed.
    pub(crate) fn check(&self, url: &str) -> Option<Url> {
        let mut url = Url::parse(url).ok()?;
        let is_http = matches!(url.scheme(), "http" | "https");
        if !is_http || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        let host = AllowedHost::of(&url)?;
        let is_of_game = host.port.is_none() && host.is_below_game_domain();
        if !is_of_game && !self.0.iter().any(|listed| listed.covers(&url)) {
            return None;
        }
        if url.scheme() == "http" && url.port().is_none() && url.host_str() == Some(UPGRADED_HOST) {
            url.set_scheme("https").ok()?;
        }
        url.set_fragment(None);
        Some(url)
    }
}

fn service_hosts(endpoints: &Endpoints) -> Vec<AllowedHost> {
    let hosts = endpoints.all().map(|base| AllowedHost::of(&base.0));
    hosts.into_iter().flatten().collect()
}

fn parse_all(hosts: &[String]) -> Result<Vec<AllowedHost>, ConfigError> {
    hosts.iter().map(|host| AllowedHost::parse(host)).collect()
}

impl AllowedHost {
    fn of(url: &Url) -> Option<Self> {
        Some(Self {
            host: url.host()?.to_owned(),
            port: url.port(),
        })
    }

    /// Parses `host` or `host:port`.
    fn parse(value: &str) -> Result<Self, ConfigError> {
        let bad = || ConfigError::new("texture host", value, "is not a host or host:port");
        if value.contains(['/', '\\', '?', '#', '@', '*']) || value.contains(char::is_whitespace) {
            return Err(bad());
        }
        let url = Url::parse(&format!("http://{value}/")).map_err(|_| bad())?;
        Self::of(&url).ok_or_else(bad)
    }

    fn covers(&self, url: &Url) -> bool {
        let is_port = match self.port {
            None => url.port().is_none(),
            port => url.port_or_known_default() == port,
        };
        is_port && url.host().is_some_and(|host| host.to_owned() == self.host)
    }

    fn is_below_game_domain(&self) -> bool {
        let Host::Domain(domain) = &self.host else {
            return false;
        };
        let is_below =
            |suffix: &&str| matches!(domain.strip_suffix(*suffix), Some(sub) if !sub.is_empty());
        GAME_DOMAINS.iter().any(is_below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::BaseUrl;

    #[test]
    fn only_the_operators_hosts_may_have_any_address() {
        let base = |value| BaseUrl::parse("test", value).expect("a base url");
        let operators = |endpoints: &Endpoints, texture_hosts: &[&str]| {
            let texture_hosts: Vec<String> =
                texture_hosts.iter().map(ToString::to_string).collect();
            AllowedHosts::operators(endpoints, &texture_hosts).unwrap()
        };
        assert_eq!(operators(&Endpoints::default(), &[]), [""; 0]);
        let endpoints = Endpoints {
            java_identity: base("http://LocalHost:1234/api"),
            java_session: base("https://sessionserver.mojang.com/again"),
            bedrock_lookup: base("http://[::1]:99"),
            texture: base("https://skins.minecraft.net"),
        };
        assert_eq!(
            operators(&endpoints, &["CDN.example:81", "10.0.0.1"]),
            ["localhost", "[::1]", "cdn.example", "10.0.0.1"]
        );
        // A public host that the operator lists is one of them.
        assert_eq!(
            operators(&endpoints, &["textures.minecraft.net"]),
            ["localhost", "[::1]", "textures.minecraft.net"]
        );
    }
}
