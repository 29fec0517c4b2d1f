//! The hosts that textures may come from. Their addresses come from outside and are not trusted.

use url::Url;

use super::{ConfigError, Endpoints, http_url};

/// The domains whose hosts the game itself accepts. The bare domains are not among them.
const GAME_DOMAINS: [&str; 2] = [".minecraft.net", ".mojang.com"];

/// A host that the game's records still name with `http:`, although it serves https.
const UPGRADED_HOST: &str = "textures.minecraft.net";

/// The longest URL of a texture, in bytes.
const MAX_URL: usize = 2_048;

/// The hosts that the textures of a provider may come from.
pub(crate) struct AllowedHosts(Vec<AllowedHost>);

/// A host, and its port if that is not the default port of the scheme.
struct AllowedHost {
    url: Url,
    /// `true` if the operator has set it, so that it may have any address.
    is_operators: bool,
}

impl AllowedHosts {
    /// Allows the hosts of these servers, and the operator's texture hosts.
    pub(crate) fn new(servers: &[Url], texture_hosts: &[String]) -> Result<Self, ConfigError> {
        let public = Endpoints::default().urls();
        let is_public = |url: &Url| public.iter().any(|public| public.host() == url.host());
        let servers = servers.iter().map(|url| AllowedHost {
            is_operators: !is_below_game_domain(url) && !is_public(url),
            url: url.clone(),
        });
        let texture_hosts = texture_hosts.iter().map(|host| AllowedHost::parse(host));
        let hosts = servers.map(Ok).chain(texture_hosts);
        hosts.collect::<Result<_, _>>().map(Self)
    }

    /// Returns `true` if the operator has set the host of a URL.
    pub(crate) fn is_operators(&self, url: &Url) -> bool {
        let mut set = self.0.iter().filter(|host| host.is_operators);
        set.any(|host| host.url.host() == url.host())
    }

    /// Returns the URL to fetch for the one that a record names, or `None` if it is not allowed.
    /// `names_host` knows further hosts of the provider.
    pub(crate) fn check(&self, url: &str, names_host: impl Fn(&Url) -> bool) -> Option<Url> {
        let mut url = http_url(url)
            .ok()
            .filter(|url| url.as_str().len() <= MAX_URL)?;
        let is_of_game = url.port().is_none() && is_below_game_domain(&url);
        let is_listed = self.0.iter().any(|listed| listed.covers(&url));
        if !is_of_game && !is_listed && !names_host(&url) {
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
    /// Parses `host` or `host:port`.
    fn parse(value: &str) -> Result<Self, ConfigError> {
        let bad = || ConfigError::new("--texture-host", value, "is not a host or host:port");
        if value.contains(['/', '\\', '?', '#', '@', '*']) || value.contains(char::is_whitespace) {
            return Err(bad());
        }
        let url = Url::parse(&format!("http://{value}/")).map_err(|_| bad())?;
        let is_operators = true;
        Ok(Self { url, is_operators })
    }

    fn covers(&self, url: &Url) -> bool {
        let is_port = match self.url.port() {
            None => url.port().is_none(),
            port => url.port_or_known_default() == port,
        };
        is_port && self.url.host() == url.host()
    }
}

fn is_below_game_domain(url: &Url) -> bool {
    let domain = url.domain().unwrap_or_default();
    let is_below =
        |suffix: &&str| matches!(domain.strip_suffix(*suffix), Some(sub) if !sub.is_empty());
    GAME_DOMAINS.iter().any(is_below)
}
