//! Tests of skins in memory.

use effigy_player::Model;

use super::*;
use crate::chain::ProviderChain;
use crate::error::UpstreamError;
use crate::providers::folder::skin_file::FileChecks;
use crate::source::SkinSource as _;

const CHECKS: FileChecks = FileChecks {
    skin: |_| Ok(Model::Classic),
    cape: |_| Ok(()),
};

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
    chain.profile(&player, chain.deadline().into())
}

fn texture(chain: &ProviderChain, url: &TextureUrl) -> Result<Vec<u8>, UpstreamError> {
    chain.texture(url, chain.deadline().into())
}

#[test]
fn unknown_players_and_files_are_errors() {
    let source = chain(&[(".Two Words.png", "diver")]);
    for input in ["Nobody", "Two Words", ".Nobody", "00001", "0000 text"] {
        let error = profile(&source, input).expect_err(input);
        assert!(!error.is_outage(), "{input}: {error}");
    }
    let zeros = "0".repeat(64);
    let hash = TextureHash::parse(&zeros).expect("a hash");
    let error = source
        .texture_by_hash(&hash, source.deadline().into())
        .expect_err("unknown");
    assert!(matches!(error, UpstreamError::TextureNotFound { .. }));
    let path = format!("/v1/texture/{zeros}");
    for url in ["", "cape", "http://elsewhere/texture/00", &path] {
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
