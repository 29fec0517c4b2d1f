//! The hosts of textures: each provider has its own, which do not count for other providers.

use effigy_upstream::{ProviderChain, TextureUrl, UpstreamConfig};
use serde_json::json;

use super::{config, file, outcome, profile};
use crate::support::canned::{Answer, Canned, session_with, textures_with_url};

const UUID: &str = "a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1";

/// The calls for the profile at each server.
const FIRST: &str = concat!(
    "https://one.example:8443/api/sessionserver/session/minecraft/profile/",
    "a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1",
);
const SECOND: &str =
    "http://two.internal/sessionserver/session/minecraft/profile/a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1";

/// Two servers, with these rules of `skinDomains`.
fn servers(domains: &[&str]) -> (Canned, UpstreamConfig) {
    let metadata = json!({ "skinDomains": domains }).to_string();
    let other = r#"{"skinDomains":["cdn.two.example"]}"#;
    let upstream = Canned::new()
        .on("https://one.example:8443/api/", Answer::ok(metadata))
        .on("http://two.internal/", Answer::ok(other))
        .on("*", Answer::texture("any"));
    let specs = [
        "yggdrasil=https://one.example:8443/api",
        "yggdrasil=http://two.internal",
    ];
    (upstream, config(&specs))
}

/// Returns whether the first server may name a URL.
fn is_allowed(domains: &[&str], url: &str) -> bool {
    let (upstream, config) = servers(domains);
    let upstream = upstream
        .on(FIRST, session_with(&textures_with_url(url)))
        .on(SECOND, Answer::status(204));
    let chain = upstream.resolver_with(config);
    match outcome(&chain, UUID).as_str() {
        "? classic" => true,
        "a url that is not allowed" => false,
        other => panic!("{url}: {other}"),
    }
}

#[test]
fn a_server_may_name_its_hosts_and_the_games() {
    let domains = ["skins.example", ".cdn.example"];
    for (url, expected) in [
        ("https://one.example:8443/x", true),
        ("https://one.example/x", true),
        ("http://one.example:8443/x", true),
        ("https://one.example:444/x", false),
        ("https://a.one.example/x", false),
        ("https://skins.example/x", true),
        ("http://skins.example/x", true),
        ("https://skins.example:8443/x", true),
        ("https://skins.example:22/x", false),
        ("https://a.skins.example/x", false),
        ("https://a.cdn.example/x", true),
        ("https://cdn.example/x", false),
        ("https://textures.minecraft.net/x", true),
        ("https://a.mojang.com/x", true),
        // The hosts of another provider, and of the services of the specification.
        ("http://two.internal/x", false),
        ("https://cdn.two.example/x", false),
        ("https://api.geysermc.org/x", false),
        ("http://127.0.0.1/x", false),
        ("http://localhost:8443/x", false),
    ] {
        assert_eq!(is_allowed(&domains, url), expected, "{url}");
    }
}

/// A server that names the host of another provider must not open the local network.
#[test]
fn only_hosts_of_the_operator_may_have_any_address() {
    let (upstream, mut config) = servers(&["two.internal", "skins.example"]);
    config.texture_hosts = vec!["cdn.example:81".to_owned()];
    for (url, any_address) in [
        ("https://one.example:8443/x", true),
        ("http://cdn.example:81/x", true),
        ("https://skins.example/x", false),
        ("http://two.internal/x", false),
        ("https://textures.minecraft.net/x", false),
    ] {
        let answer = session_with(&textures_with_url(url));
        let upstream = upstream.clone().on(FIRST, answer);
        let chain = upstream.resolver_with(config.clone());
        assert_eq!(outcome(&chain, UUID), "? classic", "{url}");
        let requests = upstream.requests();
        let found = requests.iter().map(|call| call.any_address);
        assert!(found.eq([true, true, any_address]), "{url}");
    }
}

#[test]
fn a_texture_is_known_by_its_whole_url() {
    let (upstream, config) = servers(&[]);
    let textures = |url| session_with(&textures_with_url(url));
    let upstream = upstream
        .on(FIRST, textures("https://one.example/same"))
        .on(SECOND, textures("http://two.internal/same"));
    let texture_of = |chain: &ProviderChain| {
        let found = profile(chain, UUID).expect("known");
        found.skin.expect("a skin").texture
    };
    let one = texture_of(&upstream.resolver_with(config.clone()));
    let second_only = upstream.on(FIRST, Answer::status(204));
    let chain = second_only.resolver_with(config);
    let two = texture_of(&chain);
    assert_ne!(one, two);
    // Without its provider, the same URL is another texture: other providers may not name it.
    let unowned = TextureUrl::new(two.as_str());
    assert_ne!(unowned, two);
    assert!(file(&chain, &two).is_ok());
    assert!(file(&chain, &unowned).is_err());
}
