//! The present files of a folder of skins, which take no call.

use std::fs;

use effigy_player::PlayerId;
use effigy_upstream::{LocalProfile, Profile, Profiles as _, ProviderChain};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{config, profile, write};
use crate::support::canned::{Answer, Canned};
use crate::support::resolve::{look_up, renewed};

const NAMES: &str = "https://one.example/api/profiles/minecraft";

fn upstream() -> Canned {
    Canned::with_notch()
        .on("https://one.example/", Answer::ok("{}"))
        .on(NAMES, Answer::ok("[]"))
        .on("*", Answer::status(204))
}

/// A chain in which `FOLDER` stands for the folder.
fn chain_of(upstream: &Canned, folder: &TempDir, providers: &[&str]) -> ProviderChain {
    let path = folder.path().display().to_string();
    let providers: Vec<String> = providers
        .iter()
        .map(|text| text.replace("FOLDER", &path))
        .collect();
    let texts: Vec<&str> = providers.iter().map(String::as_str).collect();
    let chain = upstream.resolver_with(config(&texts));
    for place in 0..chain.provider_count() {
        chain.refresh(place);
    }
    upstream.calls();
    chain
}

fn local(chain: &ProviderChain, input: &str) -> Option<LocalProfile> {
    let player = PlayerId::detect(input).expect(input);
    chain.local(&player)
}

/// The names of the providers that decide before the folder does.
fn earlier(chain: &ProviderChain, input: &str) -> Vec<String> {
    let found = local(chain, input).expect(input);
    let names = found.earlier.iter();
    names.map(|name| name.to_string()).collect()
}

#[test]
fn a_folder_has_its_profiles_at_hand() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "Notch.png", b"mine");
    let upstream = upstream();
    let chain = chain_of(&upstream, &folder, &["folder=FOLDER", "mojang", "geyser"]);
    let found = local(&chain, "nOTCH").expect("it is there");
    assert!(found.earlier.is_empty());
    assert_eq!(profile(&chain, "nOTCH").ok(), Some(found.profile.clone()));
    let skin = found.profile.skin.expect("a skin").texture;
    assert_eq!(skin.file(), Some(&b"mine"[..]));
    assert_eq!(skin.file_sha256(), Some(Sha256::digest(b"mine").into()));
    assert_eq!(local(&chain, "Steve"), None);
    assert_eq!(local(&chain, ".Notch"), None);
    assert!(upstream.calls().is_empty());
    assert_eq!(local(&upstream.resolver(), "Notch"), None);
}

#[test]
fn a_file_appears_changes_and_leaves() {
    let folder = TempDir::new().expect("a folder");
    let chain = chain_of(&upstream(), &folder, &["folder=FOLDER", "mojang"]);
    let sha256 = || {
        chain.refresh(0);
        let skin = local(&chain, "Notch")?.profile.skin.expect("a skin");
        skin.texture.file_sha256()
    };
    assert_eq!(sha256(), None);
    for content in ["one", "two"] {
        write(folder.path(), "Notch.png", content);
        assert_eq!(sha256(), Some(Sha256::digest(content).into()));
    }
    fs::remove_file(folder.path().join("Notch.png")).expect("it");
    assert_eq!(sha256(), None);
}

#[test]
fn the_earlier_providers_are_those_that_could_know_the_player() {
    let folder = TempDir::new().expect("a folder");
    for name in ["Npc.png", ".Tag.png", "players/x.player"] {
        write(folder.path(), name, b"{}");
    }
    let other = TempDir::new().expect("another folder");
    let other = format!("folder={}", other.path().display());
    let providers = [
        "geyser",
        "yggdrasil=one.example",
        other.as_str(),
        "skinsrestorer=FOLDER",
        "skin-url=https://skins.example/{name}.png",
        "folder=FOLDER",
        "mojang",
    ];
    let chain = chain_of(&upstream(), &folder, &providers);
    let by_uuid = ["yggdrasil:one.example", "skinsrestorer"];
    let by_name = [by_uuid[0], by_uuid[1], "skin-url:skins.example"];
    assert_eq!(earlier(&chain, "Npc"), by_name);
    assert_eq!(
        earlier(&chain, "98e928fc-995b-3a85-9b24-f195643b70a2"),
        by_uuid
    );
    assert_eq!(earlier(&chain, ".Tag"), ["geyser"]);
}

#[test]
fn the_first_of_two_folders_has_the_player() {
    let first = TempDir::new().expect("a folder");
    let second = TempDir::new().expect("another folder");
    write(first.path(), "Notch.png", b"first");
    write(second.path(), "Notch.png", b"second");
    let behind = format!("folder={}", second.path().display());
    let chain = chain_of(&upstream(), &first, &["folder=FOLDER", "mojang", &behind]);
    let found = local(&chain, "Notch").expect("both have it");
    assert_eq!(&*found.profile.provider, "folder");
    fs::remove_file(first.path().join("Notch.png")).expect("it");
    chain.refresh(0);
    let later = local(&chain, "Notch").expect("the second one has it");
    assert_eq!(&*later.profile.provider, "folder#3");
    assert_eq!(earlier(&chain, "Notch"), ["mojang"]);
}

/// Looks a player up again, and returns the provider with the calls.
fn renewal(upstream: &Canned, chain: &ProviderChain, known: &Profile) -> (String, usize) {
    let found = renewed(chain, known, "Notch").expect("known");
    (found.provider.to_string(), upstream.calls().len())
}

#[test]
fn a_folder_in_front_takes_a_known_player_over() {
    let folder = TempDir::new().expect("a folder");
    let upstream = upstream();
    let chain = chain_of(&upstream, &folder, &["folder=FOLDER", "mojang", "geyser"]);
    let known = profile(&chain, "Notch").expect("known to Mojang");
    upstream.calls();
    assert_eq!(renewal(&upstream, &chain, &known), ("mojang".into(), 1));
    write(folder.path(), "Notch.png", b"mine");
    chain.refresh(0);
    assert_eq!(renewal(&upstream, &chain, &known), ("folder".into(), 0));
    let local = profile(&chain, "Notch").expect("it is there");
    fs::remove_file(folder.path().join("Notch.png")).expect("it");
    chain.refresh(0);
    assert_eq!(renewal(&upstream, &chain, &known), ("mojang".into(), 1));
    // The folder's player is looked up from scratch.
    assert_eq!(renewal(&upstream, &chain, &local), ("mojang".into(), 2));
}

#[test]
fn without_another_provider_a_file_that_left_is_no_player() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "Notch.png", b"mine");
    let chain = chain_of(&upstream(), &folder, &["folder=FOLDER", "geyser"]);
    let known = profile(&chain, "Notch").expect("it is there");
    fs::remove_file(folder.path().join("Notch.png")).expect("it");
    chain.refresh(0);
    let error = renewed(&chain, &known, "Notch").expect_err("it is gone");
    assert!(!error.is_outage(), "{error}");
}

#[test]
fn a_folder_in_between_comes_after_the_earlier_server() {
    let folder = TempDir::new().expect("a folder");
    let upstream = upstream();
    let providers = ["yggdrasil=one.example", "folder=FOLDER", "mojang"];
    let chain = chain_of(&upstream, &folder, &providers);
    let known = profile(&chain, "Notch").expect("known to Mojang");
    write(folder.path(), "Notch.png", b"mine");
    chain.refresh(1);
    upstream.calls();
    // The server has just said that it does not know the name.
    assert_eq!(renewal(&upstream, &chain, &known), ("folder".into(), 0));
    // A failure of the server does not make another player certain.
    let upstream = upstream.on(NAMES, Answer::status(500));
    let player = PlayerId::detect("Notch").expect("a name");
    let anew = look_up(&chain).asking_anew();
    let found = chain.renewed(&known, &player, &anew).expect("the folder's");
    assert_eq!((&*found.provider, found.is_certain), ("folder", false));
    assert_eq!(upstream.calls(), [NAMES]);
}
