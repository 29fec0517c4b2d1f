//! The hosts that textures may come from. The URLs of textures come from outside and are not
//! trusted.

use url::Url;

use super::{ConfigError, Endpoints, http_url};

/// The ends of the names of hosts that the game itself accepts. The bare domains are not accepted.
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
        let mut hosts = Vec::new();
        for url in servers {
            hosts.push(AllowedHost {
                url: url.clone(),
                is_operators: !is_below_game_domain(url) && !is_public_service(url),
            });
        }
        for host in texture_hosts {
            hosts.push(AllowedHost::parse(host)?);
        }
        Ok(Self(hosts))
    }

    /// Returns `true` if the operator has set the host of a URL.
    pub(crate) fn is_operators(&self, url: &Url) -> bool {
        let mut set = self.0.iter().filter(|host| host.is_operators);
        set.any(|host| host.url.host() == url.host())
    }

    /// Returns the URL to fetch for the one that a record names, or `None` if it is not allowed.
    /// `names_host` knows further hosts of the provider.
    pub(crate) fn check(&self, url: &str, names_host: impl Fn(&Url) -> bool) -> Option<Url> {
        let mut parsed = http_url(url).ok()?;
        if parsed.as_str().len() > MAX_URL {
            return None;
        }
        let has_default_port = parsed.port().is_none();
        let is_of_game = has_default_port && is_below_game_domain(&parsed);
        let is_listed = self.0.iter().any(|listed| listed.covers(&parsed));
        if !is_of_game && !is_listed && !names_host(&parsed) {
            return None;
        }
        let is_upgraded = has_default_port && parsed.host_str() == Some(UPGRADED_HOST);
        if is_upgraded && parsed.scheme() == "http" {
            parsed.set_scheme("https").ok()?;
        }
        parsed.set_fragment(None);
        Some(parsed)
    }
}

impl AllowedHost {
    /// Parses `host` or `host:port`.
    fn parse(value: &str) -> Result<Self, ConfigError> {
        let bad = || ConfigError::TextureHost {
            host: value.to_owned(),
        };
        if value.contains(['/', '\\', '?', '#', '@', '*']) || value.contains(char::is_whitespace) {
            return Err(bad());
        }
        let url = Url::parse(&format!("http://{value}/")).map_err(|_| bad())?;
        Ok(Self {
            url,
            is_operators: true,
        })
    }

    /// Returns `true` if a URL has this host and port.
    fn covers(&self, url: &Url) -> bool {
        if self.url.host() != url.host() {
            return false;
        }
        match self.url.port() {
            None => url.port().is_none(),
            port => url.port_or_known_default() == port,
        }
    }
}

/// Returns `true` if a URL is on a host of the public services.
fn is_public_service(url: &Url) -> bool {
    let services = Endpoints::default().urls();
    services.iter().any(|service| service.host() == url.host())
}

fn is_below_game_domain(url: &Url) -> bool {
    let host = url.domain().unwrap_or_default();
    GAME_DOMAINS
        .iter()
        .any(|domain| host.len() > domain.len() && host.ends_with(domain))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::BaseUrl;

    proptest! {
        /// Whatever a record names: the host of the URL to fetch is one of the game's.
        #[test]
        fn any_text_leads_to_a_host_of_the_game_or_nowhere(
            beginning in prop::sample::select(vec![
                "", "https:", "https://", "http://textures.minecraft.net", "//", "file://",
                "https://textures.minecraft.net:443@", "https://a.mojang.com/",
            ]),
            rest in r"[a-z@:/\\?#.\[\]%。 \t]{0,24}|.{0,24}",
            end in prop::sample::select(vec!["", ".minecraft.net/x", "@textures.minecraft.net"]),
        ) {
            let text = format!("{beginning}{rest}{end}");
            if let Some(url) = fetched(&text) {
                let parsed = Url::parse(&url).expect("it was checked");
                let host = parsed.host_str().expect("a host");
                let is_public = Endpoints::default()
                    .urls()
                    .iter()
                    .any(|service| service.host_str() == Some(host));
                let is_of_game = host.ends_with(".minecraft.net") || host.ends_with(".mojang.com");
                prop_assert!(is_public || is_of_game, "{text:?}: {url}");
                prop_assert!(parsed.username().is_empty() && parsed.password().is_none());
            }
        }
    }

    /// Returns the URL to fetch for this one, of the hosts of the public services.
    fn fetched(url: &str) -> Option<String> {
        let hosts = AllowedHosts::new(&Endpoints::default().urls(), &[]).expect("no hosts");
        let url = hosts.check(url, |_| false)?;
        assert!(!hosts.is_operators(&url), "{url}");
        Some(url.into())
    }

    #[test]
    fn hosts_of_the_game_are_allowed() {
        let abc = "https://textures.minecraft.net/texture/abc";
        for url in [
            abc,
            "http://textures.minecraft.net/texture/abc",
            "HTTP://Textures.Minecraft.NET:80/texture/abc#x",
            "https://textures.minecraft.net:443/a/../texture/abc",
            "https:textures.minecraft.net/texture/abc",
            // The parser drops these characters.
            " https://textures.minecraft.net/texture/abc\n",
            "https:\\\\textures.minecraft.net\\texture\\abc",
            // IDNA maps the ideographic full stop to a dot, so this is the host of the game.
            "https://textures。minecraft.net/texture/abc",
        ] {
            assert_eq!(fetched(url).as_deref(), Some(abc), "{url:?}");
        }
        for url in [
            "https://skins.minecraft.net/x?c=d",
            "http://a.b.minecraft.net/x",
            "https://launcher.mojang.com/x",
            "https://api.geysermc.org/x",
        ] {
            assert_eq!(fetched(url).as_deref(), Some(url));
        }
    }

    #[test]
    fn urls_of_all_other_hosts_are_refused() {
        for url in [
            "",
            "/texture/abc",
            "//textures.minecraft.net/x",
            "textures.minecraft.net/texture/abc",
            "https://",
            "https://evil.com/x",
            "https://2130706433/x",
            "https://[::1]/x",
            "https://[::ffff:127.0.0.1]/x",
            "http://169.254.169.254/latest/meta-data",
            "https://geysermc.org/x",
            "https://cdn.geysermc.org/x",
            "http://textures.minecraft.net.evil.com/x",
            "http://textures.minecraft.net@evil.com/x",
            "http://evil.com#textures.minecraft.net",
            "http://evil.com?textures.minecraft.net",
            "http://evil.com\\.minecraft.net/x",
            "http://evil.com\t/.minecraft.net/x",
            "https://evilminecraft.net/x",
            "https://minecraft.net/x",
            "https://mojang.com/x",
            "https://.minecraft.net/x",
            "https://textures.minecraft.net./x",
            "https://textures.minecraft。net.evil.com/x",
            "https://user@textures.minecraft.net/x",
            "https://user:password@textures.minecraft.net/x",
            "https://textures.minecraft.net:8443/x",
            "http://textures.minecraft.net:443/x",
            "https://textures.minecraft.net:99999/x",
            "https://textures.mınecraft.net/x",
            "file:///etc/passwd",
            "file://textures.minecraft.net/x",
            "ftp://textures.minecraft.net/x",
            "javascript:alert(1)",
        ] {
            assert_eq!(fetched(url), None, "{url:?}");
        }
        let of_length = |length| fetched(&format!("{:a<length$}", "https://api.mojang.com/"));
        assert!(of_length(2_048).is_some() && of_length(2_049).is_none());
    }

    /// Each URL, if it is allowed, with `true` if its host may have any address.
    #[test]
    fn hosts_of_services_and_of_the_operator_are_allowed() {
        let base = |value| BaseUrl::parse(value).expect("a base url");
        let endpoints = Endpoints {
            java_identity: base("http://127.0.0.1:1234/api/"),
            java_session: base("https://Sessions.Example:8443"),
            bedrock_lookup: base("http://[::1]:99/"),
            texture: base("https://skins.minecraft.net/textures"),
        };
        // The last one is a public host that the operator lists.
        let listed = ["CDN.example", "localhost:2345", "api.geysermc.org"].map(str::to_owned);
        let hosts = AllowedHosts::new(&endpoints.urls(), &listed).expect("good hosts");
        for (url, expected) in [
            ("http://127.0.0.1:1234/x", Some(true)),
            ("https://sessions.example:8443/x", Some(true)),
            ("http://sessions.example:8443/x", Some(true)),
            ("http://[::1]:99/x", Some(true)),
            ("https://skins.minecraft.net/x", Some(false)),
            ("https://cdn.example/x", Some(true)),
            ("http://cdn.example/x", Some(true)),
            ("http://localhost:2345/x", Some(true)),
            ("https://textures.minecraft.net/x", Some(false)),
            ("http://127.0.0.1:1235/x", None),
            ("http://127.0.0.1/x", None),
            ("https://sessions.example/x", None),
            ("http://127.0.0.2:1234/x", None),
            ("http://[::1]:1234/x", None),
            ("https://sessions.example:1234/x", None),
            ("https://a.sessions.example:8443/x", None),
            ("https://cdn.example:2345/x", None),
            ("http://localhost:2346/x", None),
            ("https://api.geysermc.org/x", Some(true)),
            ("https://api.mojang.com/x", Some(false)),
        ] {
            let checked = hosts.check(url, |_| false);
            let is_operators = checked.map(|fetched| hosts.is_operators(&fetched));
            assert_eq!(is_operators, expected, "{url}");
        }
    }

    #[test]
    fn a_texture_host_is_a_host() {
        let new = |value: &str| AllowedHosts::new(&[], &[value.to_owned()]).map(drop);
        for value in ["example.com", "example.com:80", "[::1]:80", "127.0.0.1"] {
            assert!(new(value).is_ok(), "{value}");
        }
        let bad = "* *.x.com https://x.com x.com/x user@x.com x.com:99999 x.com:x [::1 a#b";
        for value in bad.split(' ').chain(["", " ", "exa mple.com"]) {
            let error = new(value).expect_err(value).to_string();
            let problem = "is not a host or host:port";
            assert_eq!(error, format!("{value:?} {problem}"));
        }
    }
}
