//! The fingerprint of a chain, and the intervals of its profiles.

use std::collections::HashSet;
use std::time::Duration;

use effigy_upstream::{BaseUrl, Endpoints, Profiles as _, ProviderChain, Rate, UpstreamConfig};
use tempfile::TempDir;

use super::{CHECKS, config, write};
use crate::support::canned::{Answer, Canned};

fn fingerprint_of(config: UpstreamConfig) -> String {
    Canned::new().resolver_with(config).fingerprint()
}

fn fingerprint(providers: &[&str]) -> String {
    fingerprint_of(config(providers))
}

#[test]
fn the_fingerprint_is_the_same_on_every_machine() {
    // A change of this text makes all stored records useless.
    assert_eq!(fingerprint(&["mojang", "geyser"]), "8562b583e5e6fc7a");
}

#[test]
fn chains_of_other_providers_have_other_fingerprints() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "players/x.player", "{}");
    let folder = folder.path().display();
    let skins = format!("folder={folder}");
    let restorer = format!("skinsrestorer={folder}");
    let chains: [&[&str]; 14] = [
        &[],
        &["mojang"],
        &["geyser"],
        &["mojang", "geyser"],
        &["geyser", "mojang"],
        &["mojang", "mojang"],
        &["yggdrasil=one.example"],
        &["yggdrasil=http://one.example"],
        &["yggdrasil=one.example/api"],
        &["skin-url=https://one.example/{name}.png"],
        &["skin-url=https://one.example/{uuid}.png"],
        &[&skins, "mojang"],
        &["mojang", &skins],
        &[&restorer, "mojang"],
    ];
    let fingerprints: HashSet<String> = chains.iter().map(|chain| fingerprint(chain)).collect();
    assert_eq!(fingerprints.len(), chains.len());
    for fingerprint in fingerprints {
        assert_eq!(fingerprint.len(), 16);
    }
}

#[test]
fn other_services_have_another_fingerprint() {
    let other = BaseUrl::parse("http://127.0.0.1:1").expect("a base url");
    let changes: [fn(&mut Endpoints, BaseUrl); 4] = [
        |endpoints, base| endpoints.java_identity = base,
        |endpoints, base| endpoints.java_session = base,
        |endpoints, base| endpoints.bedrock_lookup = base,
        |endpoints, base| endpoints.texture = base,
    ];
    let mut fingerprints = HashSet::from([fingerprint_of(UpstreamConfig::default())]);
    for change in changes {
        let mut config = UpstreamConfig::default();
        change(&mut config.endpoints, other.clone());
        fingerprints.insert(fingerprint_of(config));
    }
    assert_eq!(fingerprints.len(), 5);
}

#[test]
fn limits_and_paths_do_not_change_the_fingerprint() {
    let folder = TempDir::new().expect("a folder");
    let other = TempDir::new().expect("another folder");
    let spec = format!("folder={}", folder.path().display());
    let chain = Canned::new().resolver_with(config(&[&spec, "mojang"]));
    let before = chain.fingerprint();
    write(folder.path(), "Notch.png", b"mine");
    chain.refresh(0);
    assert_eq!(chain.fingerprint(), before);
    let elsewhere = format!("folder={}", other.path().display());
    assert_eq!(fingerprint(&[&elsewhere, "mojang"]), before);
    let mut settings = config(&[&spec, "mojang"]);
    settings.timeout = Duration::from_secs(1);
    settings.missing_player_ttl = Duration::ZERO;
    settings.rate_limits.session = Rate::new(1, Duration::from_secs(1));
    settings.texture_hosts = vec!["cdn.example".to_owned()];
    assert_eq!(fingerprint_of(settings), before);
}

#[test]
fn spelling_and_metadata_do_not_change_the_fingerprint() {
    let upstream = Canned::new().on("https://one.example/", Answer::ok("{}"));
    let chain = upstream.resolver_with(config(&["yggdrasil=one.example"]));
    let before = chain.fingerprint();
    chain.refresh(0);
    assert_eq!(upstream.calls().len(), 1);
    assert_eq!(chain.fingerprint(), before);
    let spelled = fingerprint(&["yggdrasil=HTTPS://One.Example:443/"]);
    assert_eq!(spelled, before);
}

#[test]
fn a_profile_is_checked_once_per_interval_of_its_provider() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "players/x.player", "{}");
    let folder = folder.path().display();
    let chain = Canned::new().resolver_with(config(&[
        "mojang",
        "geyser",
        &format!("folder={folder}"),
        &format!("skinsrestorer={folder}"),
        "yggdrasil=ely.by",
        "yggdrasil=https://account.ely.by/api/authlib-injector",
        "yggdrasil=notely.by",
        "skin-url=http://skinsystem.ely.by/skins/{name}.png",
        "skin-url=https://skins.example/{name}.png",
    ]));
    for (provider, seconds) in [
        ("mojang", 60),
        ("geyser", 60),
        ("folder", 0),
        ("skinsrestorer", 0),
        ("yggdrasil:ely.by", 60),
        ("yggdrasil:account.ely.by", 60),
        ("yggdrasil:notely.by", 5),
        ("skin-url:skinsystem.ely.by", 60),
        ("skin-url:skins.example", 5),
        ("yggdrasil:of.yore", 0),
        ("", 0),
    ] {
        let interval = chain.profile_interval(provider);
        assert_eq!(interval, Duration::from_secs(seconds), "{provider}");
    }
    let memory = ProviderChain::in_memory([], CHECKS);
    assert_eq!(memory.profile_interval("memory"), Duration::ZERO);
}

#[test]
fn the_interval_of_a_service_depends_on_its_own_url() {
    let base = BaseUrl::parse("http://127.0.0.1:1").expect("a base url");
    let mut own_session = UpstreamConfig::default();
    own_session.endpoints.java_session = base.clone();
    let mut own_bedrock = UpstreamConfig::default();
    own_bedrock.endpoints.bedrock_lookup = base;
    for (config, mojang, geyser) in [(own_session, 5, 60), (own_bedrock, 60, 5)] {
        let chain = Canned::new().resolver_with(config);
        let intervals = ["mojang", "geyser"].map(|name| chain.profile_interval(name).as_secs());
        assert_eq!(intervals, [mojang, geyser]);
    }
}
