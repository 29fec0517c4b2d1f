//! Tests of skins in memory.

use effigy_player::{Model, Uuid};

use super::*;
use crate::chain::ProviderChain;
use crate::error::UpstreamError;
use crate::profile::{Account, Profile};
use crate::providers::local::skin_file::FileChecks;
use crate::source::SkinSource as _;

const CHECKS: FileChecks = FileChecks {
    skin: |_| Ok(Model::Classic),
    cape: |_| Ok(()),
};

fn file(name: &str, content: &str) -> SkinFile {
    SkinFile::new(name, content.as_bytes(), CHECKS).expect(name)
}

/// A Java player with a cape, and two Bedrock players without.
fn source() -> LocalSkins {
    let files = [
        file("Corvina.cape.png", "cape"),
        file("Corvina.slim.png", "wizard"),
        file(".Two Words.png", "diver"),
        file("00002535405317821216.png", "queen"),
    ];
    let mut source = LocalSkins::default();
    assert!(source.insert_files(&files).is_empty());
    source
}

fn profile(source: &LocalSkins, input: &str) -> Result<Profile, UpstreamError> {
    let player = PlayerId::detect(input).expect(input);
    let chain = ProviderChain::in_memory(source.clone());
    chain.profile(&player, chain.deadline())
}

fn texture(source: &LocalSkins, url: &TextureUrl) -> Result<Vec<u8>, UpstreamError> {
    let chain = ProviderChain::in_memory(source.clone());
    chain.texture(url, chain.deadline())
}

#[test]
fn players_are_found_by_every_name_and_number() {
    let source = source();
    let Account::Java(uuid) = profile(&source, "Corvina").expect("known").account else {
        panic!("a Java name");
    };
    for (input, expected) in [
        ("Corvina", "wizard"),
        ("CORVINA", "wizard"),
        (&uuid.to_string(), "wizard"),
        (&uuid.hyphenated(), "wizard"),
        (".Two Words", "diver"),
        (".two_words", "diver"),
        ("00002535405317821216", "queen"),
        ("00000000-0000-0000-0009-01f00d549320", "queen"),
    ] {
        let skin = profile(&source, input).expect(input).skin.expect(input);
        let texture = texture(&source, &skin.texture).expect(input);
        assert_eq!(texture, expected.as_bytes(), "{input}");
        let is_slim = expected == "wizard";
        assert_eq!(
            (skin.model == Model::Slim, skin.is_default),
            (is_slim, false)
        );
    }
}

#[test]
fn a_profile_leads_to_the_files() {
    let source = source();
    let found = profile(&source, "corvina").expect("known");
    assert_eq!(found.name.as_deref(), Some("Corvina"));
    let skin = found.skin.expect("a skin").texture;
    let hash = skin.as_str().strip_prefix("/v1/texture/");
    let hash = hash.and_then(TextureHash::parse).expect("a hash");
    assert_eq!(
        source.texture_by_hash(&hash).expect("its texture"),
        b"wizard"
    );
    let cape = found.cape.expect("a cape");
    assert_eq!(texture(&source, &cape).expect("its cape"), b"cape");
    let bedrock = profile(&source, ".two words").expect("known");
    assert_eq!(bedrock.cape, None);
    assert_eq!(bedrock.account, Account::Bedrock(None));
}

#[test]
fn unknown_players_and_files_are_errors() {
    let source = source();
    let uuid = Uuid::from_u128(7 << 120).to_string();
    for input in [
        "Nobody",
        "Two Words",
        &uuid,
        ".Nobody",
        ".Corvina",
        "00001",
        "0000 text",
    ] {
        let error = profile(&source, input).expect_err(input);
        assert!(!error.is_outage(), "{input}: {error}");
    }
    let zeros = "0".repeat(64);
    let hash = TextureHash::parse(&zeros).expect("a hash");
    let error = ProviderChain::in_memory(source.clone())
        .texture_by_hash(&hash)
        .expect_err("no texture has it");
    assert!(matches!(error, UpstreamError::TextureNotFound { .. }));
    for url in [
        "",
        "cape",
        "http://elsewhere/texture/00",
        &format!("/v1/texture/{zeros}"),
    ] {
        let error = texture(&source, &TextureUrl::new(url)).expect_err(url);
        assert!(matches!(error, UpstreamError::TextureUrl { .. }), "{url}");
    }
}

#[test]
fn a_cape_may_name_the_player_in_another_way() {
    let uuid = "b50ad385829d3141a2167e7d7539ba7f";
    let files = [
        file("Notch.png", "skin"),
        file(&format!("{uuid}.cape.png"), "cape"),
        file("notch.cape.png", "another"),
        file("Nobody.cape.png", "lonely"),
    ];
    let mut source = LocalSkins::default();
    let unused = source.insert_files(&files).into_iter();
    let mut unused: Vec<&str> = unused.map(|(file, _)| file.name.as_str()).collect();
    unused.sort_unstable();
    assert_eq!(unused, ["Nobody.cape.png", "notch.cape.png"]);
    for input in ["Notch", uuid] {
        let cape = profile(&source, input).expect(input).cape.expect(input);
        assert_eq!(texture(&source, &cape).expect(input), b"cape");
    }
}

#[test]
fn ping_succeeds() {
    let chain = ProviderChain::in_memory(source());
    assert!(chain.ping().is_ok());
    assert!(chain.states().is_empty());
}
