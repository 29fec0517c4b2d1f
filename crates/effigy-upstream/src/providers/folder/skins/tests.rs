//! Tests of skins in memory.

use effigy_player::{Model, Uuid};

use super::*;
use crate::chain::ProviderChain;
use crate::error::UpstreamError;
use crate::providers::folder::skin_file::FileChecks;
use crate::source::SkinSource as _;
use crate::source::{Account, Profile};

const CHECKS: FileChecks = FileChecks {
    skin: |_| Ok(Model::Classic),
    cape: |_| Ok(()),
};

/// A Java player with a cape, and two Bedrock players without.
const FILES: [(&str, &str); 4] = [
    ("Corvina.cape.png", "cape"),
    ("Corvina.slim.png", "wizard"),
    (".Two Words.png", "diver"),
    ("00002535405317821216.png", "queen"),
];

fn chain(files: &[(&str, &str)]) -> ProviderChain {
    let files = files.iter().copied();
    ProviderChain::in_memory(
        files.map(|(name, content)| (name.into(), content.into())),
        CHECKS,
    )
}

/// Returns the sentences about the files that are not used.
fn problems(names: &[&str]) -> Vec<String> {
    let files = names
        .iter()
        .map(|name| (PathBuf::from(name), Ok(name.as_bytes().to_vec())));
    let (_, problems) = LocalSkins::new(files, CHECKS);
    problems.into_iter().collect()
}

fn profile(chain: &ProviderChain, input: &str) -> Result<Profile, UpstreamError> {
    let player = PlayerId::detect(input).expect(input);
    chain.profile(&player, chain.deadline())
}

fn texture(chain: &ProviderChain, url: &TextureUrl) -> Result<Vec<u8>, UpstreamError> {
    chain.texture(url, chain.deadline())
}

#[test]
fn players_are_found_by_every_name_and_number() {
    let source = chain(&FILES);
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
    let source = chain(&FILES);
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
    let source = chain(&FILES);
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
    let error = source
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
    let cape = format!("{uuid}.cape.png");
    let names = ["Notch.png", &cape, "notch.cape.png", "Nobody.cape.png"];
    let lonely = ["Nobody.cape.png", "notch.cape.png"];
    let lonely = lonely.map(|name| format!("{name:?} is not used: there is no skin for this cape"));
    assert_eq!(problems(&names), lonely);
    let source = chain(&names.map(|name| (name, name)));
    for input in ["Notch", uuid] {
        let cape = profile(&source, input).expect(input).cape.expect(input);
        let file = texture(&source, &cape).expect(input);
        assert_eq!(String::from_utf8_lossy(&file), format!("{uuid}.cape.png"));
    }
}

#[test]
fn of_two_files_for_one_player_the_first_counts() {
    let names = [
        "B50AD385829d3141a2167e7d7539ba7f.png",
        "Notch.png",
        "notch.png",
        "Npc.cape.png",
        "npc.cape.png",
        "NPC.png",
    ];
    let expected = [
        r#""Notch.png" is not used: "B50AD385829d3141a2167e7d7539ba7f.png" is for the same player"#,
        r#""npc.cape.png" is not used: "Npc.cape.png" is for the same player"#,
    ];
    assert_eq!(problems(&names), expected);
    let source = chain(&names.map(|name| (name, name)));
    let skin = profile(&source, "notch")
        .expect("known")
        .skin
        .expect("a skin");
    assert_eq!(
        texture(&source, &skin.texture).expect("its file"),
        b"notch.png"
    );
}

#[test]
fn ping_succeeds() {
    let chain = chain(&FILES);
    assert!(chain.ping().is_ok());
    assert!(chain.states().is_empty());
}
