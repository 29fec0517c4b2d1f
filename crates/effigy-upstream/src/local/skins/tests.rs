//! Tests of skins in memory.

use effigy_player::{Model, Uuid};

use super::*;
use crate::profile::Account;

const BASE: &str = "http://localhost/texture";

fn skin(texture: &str, model: Model) -> LocalSkin {
    LocalSkin {
        texture: LocalTexture::new(texture.as_bytes()),
        model,
    }
}

/// A Java player with a cape and a Bedrock player without.
fn source() -> LocalSkins {
    let mut source = LocalSkins::new(BASE).with_fallback(skin("steve", Model::Classic));
    source.insert(LocalPlayer {
        name: Some("Corvina".to_owned()),
        account: Account::Java(Uuid::from_u128(7 << 120)),
        skin: skin("wizard", Model::Slim),
        cape: Some(LocalTexture::new(*b"cape")),
    });
    source.insert(LocalPlayer {
        name: Some("Two Words".to_owned()),
        account: Account::Bedrock(Some("2535405317821216".to_owned())),
        skin: skin("diver", Model::Classic),
        cape: None,
    });
    source
}

fn player(input: &str) -> PlayerId {
    PlayerId::detect(input).expect(input)
}

#[test]
fn players_are_found_by_every_name_and_number() {
    let source = source();
    let uuid = Uuid::from_u128(7 << 120);
    for (input, texture) in [
        ("Corvina", "wizard"),
        ("CORVINA", "wizard"),
        (&uuid.to_string(), "wizard"),
        (&uuid.hyphenated(), "wizard"),
        (".Two Words", "diver"),
        (".two_words", "diver"),
        ("00002535405317821216", "diver"),
        ("00000000-0000-0000-0009-01f00d549320", "diver"),
    ] {
        let resolved = source.resolve(&player(input)).expect(input);
        assert_eq!(resolved.texture, texture.as_bytes(), "{input}");
    }
    let resolved = source.resolve(&player("corvina")).expect("known");
    assert_eq!(
        (resolved.model, resolved.origin),
        (Model::Slim, SkinOrigin::Own)
    );
}

#[test]
fn unknown_java_players_are_errors_and_bedrock_players_get_the_fallback() {
    let source = source();
    for input in ["Nobody", "Two Words", "069a79f444e94726a5befca90e38aaf5"] {
        let error = source.resolve(&player(input)).expect_err(input);
        assert!(!error.is_outage(), "{input}: {error}");
    }
    for input in [".Nobody", ".Corvina", "00001", "0000 text"] {
        let resolved = source.resolve(&player(input)).expect(input);
        assert_eq!(resolved.texture, b"steve", "{input}");
        assert_eq!(resolved.origin, SkinOrigin::PlayerNotFound, "{input}");
    }
}

#[test]
fn a_texture_that_does_not_decode_is_replaced_for_bedrock_players() {
    let source = source();
    let check = |found: &ResolvedSkin| match &*found.texture {
        b"steve" => Ok(()),
        _ => Err("broken".into()),
    };
    let resolve = |input| source.resolve_checked(&player(input), &check);
    let replaced = resolve(".Two Words").expect("the fallback");
    assert_eq!(replaced.origin, SkinOrigin::Outage);
    let error = resolve("Corvina").expect_err("no fallback");
    assert!(matches!(error, UpstreamError::Decode { .. }), "{error:?}");
}

#[test]
fn a_profile_leads_to_the_files() {
    let source = source();
    let profile = source.profile(&player("corvina")).expect("known");
    assert_eq!(profile.name.as_deref(), Some("Corvina"));
    let skin = profile.skin.expect("a skin");
    let hash = skin.url.strip_prefix("http://localhost/texture/");
    let hash = hash.and_then(TextureHash::parse).expect("a hash");
    assert_eq!(source.texture(&hash).expect("its texture"), b"wizard");
    let cape = profile.cape.expect("a cape");
    assert_eq!(source.cape(&cape).expect("its cape"), b"cape");
    let bedrock = source.profile(&player(".two words")).expect("known");
    assert_eq!(bedrock.cape, None);
}

#[test]
fn unknown_players_and_files_are_errors() {
    let source = source();
    for input in ["Nobody", ".Nobody", "00001"] {
        let error = source.profile(&player(input)).expect_err(input);
        assert!(!error.is_outage(), "{input}: {error}");
    }
    let hash = TextureHash::parse(&"0".repeat(64)).expect("a hash");
    let error = source.texture(&hash).expect_err("no texture has it");
    assert!(matches!(error, UpstreamError::TextureNotFound { .. }));
    for url in ["", "cape", "http://elsewhere/texture/00"] {
        source.cape(url).expect_err(url);
    }
}

#[test]
fn ping_succeeds() {
    assert!(source().ping().is_ok());
    assert!(source().states().is_empty());
}
