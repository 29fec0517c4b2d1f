//! The hosts that textures are fetched from.

use effigy_upstream::{BaseUrl, Endpoints, ProviderChain, UpstreamConfig, UpstreamError};

use crate::support::canned::{Answer, Canned, NOTCH, session_with, textures_with_url};
use crate::support::resolve::{Origin, Resolve as _, unnamed};

/// Resolves a player whose record names `url`, and returns the URL that was fetched.
fn fetched(config: &UpstreamConfig, url: &str) -> Option<String> {
    let base = config.endpoints.java_session.to_string();
    let session = match base.as_str() {
        "https://sessionserver.mojang.com" => format!("session/{NOTCH}"),
        base => format!("{base}/session/minecraft/profile/{NOTCH}"),
    };
    let upstream = Canned::new()
        .on(&session, session_with(&textures_with_url(url)))
        .on("*", Answer::texture("any"));
    match upstream.resolver_with(config.clone()).resolve(NOTCH) {
        Ok(resolved) => {
            assert_eq!(resolved.origin, Origin::Own);
            Some(upstream.requests()[1].url.to_string())
        }
        Err(error) => {
            let UpstreamError::TextureUrl { url: refused } = unnamed(&error) else {
                panic!("{url}: {error:?}");
            };
            assert_eq!(refused, url);
            assert_eq!(upstream.requests().len(), 1, "{url}");
            None
        }
    }
}

#[track_caller]
fn check(config: &UpstreamConfig, rows: &[(&str, Option<&str>)]) {
    for (url, expected) in rows {
        assert_eq!(fetched(config, url).as_deref(), *expected, "{url:?}");
    }
}

fn allowed(url: &str) -> (&str, Option<&str>) {
    (url, Some(url))
}

fn refused(url: &str) -> (&str, Option<&str>) {
    (url, None)
}

#[test]
fn hosts_of_the_game() {
    const ABC: &str = "https://textures.minecraft.net/texture/abc";
    let rows = [
        allowed(ABC),
        ("http://textures.minecraft.net/texture/abc", Some(ABC)),
        ("HTTP://Textures.Minecraft.NET:80/texture/abc#x", Some(ABC)),
        (
            "https://textures.minecraft.net:443/a/../texture/abc",
            Some(ABC),
        ),
        allowed("https://skins.minecraft.net/x?c=d"),
        allowed("http://a.b.minecraft.net/x"),
        allowed("https://launcher.mojang.com/x"),
        allowed("https://api.geysermc.org/x"),
        ("https:textures.minecraft.net/texture/abc", Some(ABC)),
        // The parser drops these characters.
        (" https://textures.minecraft.net/texture/abc\n", Some(ABC)),
        ("https:\\\\textures.minecraft.net\\texture\\abc", Some(ABC)),
        // IDNA maps the ideographic full stop to a dot, so this is the host of the game.
        ("https://textures。minecraft.net/texture/abc", Some(ABC)),
    ];
    check(&UpstreamConfig::default(), &rows);
}

#[test]
fn all_other_urls() {
    let refused = [
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
    ]
    .map(refused);
    check(&UpstreamConfig::default(), &refused);
}

fn own_services() -> UpstreamConfig {
    let base = |value| BaseUrl::parse(value).expect("a base url");
    UpstreamConfig {
        endpoints: Endpoints {
            java_identity: base("http://127.0.0.1:1234/api/"),
            java_session: base("https://Sessions.Example:8443"),
            bedrock_lookup: base("http://[::1]:99/"),
            texture: base("https://skins.example/textures"),
        },
        texture_hosts: vec!["CDN.example".to_owned(), "localhost:2345".to_owned()],
        ..UpstreamConfig::default()
    }
}

#[test]
fn hosts_of_the_services_and_of_the_operator() {
    check(
        &own_services(),
        &[
            allowed("http://127.0.0.1:1234/x"),
            allowed("https://sessions.example:8443/x"),
            allowed("http://sessions.example:8443/x"),
            allowed("http://[::1]:99/x"),
            allowed("http://skins.example/anywhere"),
            allowed("https://cdn.example/x"),
            allowed("http://cdn.example/x"),
            allowed("http://localhost:2345/x"),
            allowed("https://textures.minecraft.net/x"),
            refused("http://127.0.0.1:1235/x"),
            refused("http://127.0.0.1/x"),
            refused("https://sessions.example/x"),
            refused("http://127.0.0.2:1234/x"),
            refused("http://[::1]:1234/x"),
            refused("https://sessions.example:1234/x"),
            refused("https://a.sessions.example:8443/x"),
            refused("https://skins.example:8443/x"),
            refused("https://cdn.example:2345/x"),
            refused("http://localhost:2346/x"),
            refused("https://api.geysermc.org/x"),
        ],
    );
}

#[test]
fn a_texture_host_is_a_host() {
    let new = |value: &str| {
        let config = UpstreamConfig {
            texture_hosts: vec![value.to_owned()],
            ..UpstreamConfig::default()
        };
        ProviderChain::new(Canned::new(), config)
    };
    for value in ["example.com", "example.com:80", "[::1]:80", "127.0.0.1"] {
        assert!(new(value).is_ok(), "{value}");
    }
    let bad = "* *.x.com https://x.com x.com/x user@x.com x.com:99999 x.com:x [::1 a#b";
    for value in bad.split(' ').chain(["", " ", "exa mple.com"]) {
        let error = new(value).expect_err(value).to_string();
        let problem = "is not a host or host:port";
        assert_eq!(error, format!("--texture-host: {value:?} {problem}"));
    }
}

#[test]
fn malformed_base_urls() {
    for (value, problem) in [
        ("", "is not a url"),
        ("api.mojang.com", "is not a url"),
        ("https://", "is not a url"),
        ("https://x:99999", "is not a url"),
        ("localhost:80", "must begin with http:// or https://"),
        ("ftp://x", "must begin with http:// or https://"),
        ("file:///x", "must begin with http:// or https://"),
        ("https://u@x", "must not hold a user name or password"),
        ("https://u:p@x", "must not hold a user name or password"),
        ("https://x?y", "must not have a query or fragment"),
        ("https://x#y", "must not have a query or fragment"),
    ] {
        assert_eq!(BaseUrl::parse(value), Err(problem), "{value}");
    }
}
