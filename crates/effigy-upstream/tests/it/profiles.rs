//! Profiles of each kind of player, and textures by their URL.

use effigy_player::{Model, PlayerId, Uuid};
use effigy_upstream::{
    Account, Profile, ProfileSkin, SkinSource as _, TextureHash, TextureUrl, UpstreamError,
};
use fixtures::{Fault, Step, player};

use crate::support::canned::{Canned, NOTCH, kind, session_with, textures_with_url};
use crate::support::world::World;

fn profile(world: &World, input: &str) -> Result<Profile, UpstreamError> {
    let resolver = world.resolver(world.config());
    resolver.profile(&PlayerId::detect(input).expect(input), resolver.deadline())
}

#[test]
fn java_players() {
    let world = World::start();
    for (input, name, model, has_cape) in [
        ("gwendolin", "Gwendolin", Model::Classic, false),
        ("Reynard", "Reynard", Model::Slim, false),
        ("CORVINA", "Corvina", Model::Classic, true),
        (
            player("SlimKnight").uuid().unwrap(),
            "SlimKnight",
            Model::Slim,
            false,
        ),
    ] {
        let profile = profile(&world, input).unwrap();
        let uuid = player(name).uuid().and_then(Uuid::parse).unwrap();
        assert_eq!(profile.account, Account::Java(uuid), "{input}");
        assert_eq!(profile.name.as_deref(), Some(name));
        let skin = profile.skin.unwrap();
        assert_eq!((skin.model, skin.is_default), (model, false), "{input}");
        let url = skin.texture.as_str();
        assert!(url.starts_with(world.fake.url()), "{url}");
        assert_eq!(profile.cape.is_some(), has_cape, "{input}");
    }
    assert_eq!(world.fake.calls(Step::Texture), 0);
}

#[test]
fn a_player_without_a_skin_has_a_default_skin() {
    let world = World::start();
    for (name, has_cape) in [("Newcomer", false), ("CapeBearer", true)] {
        let profile = profile(&world, name).unwrap();
        assert!(profile.skin.unwrap().is_default, "{name}");
        assert_eq!(profile.cape.is_some(), has_cape, "{name}");
    }
}

#[test]
fn bedrock_players() {
    let world = World::start();
    let xuid = |name: &str| player(name).xuid().unwrap().to_string();
    let by_number = format!("0000{}", xuid("Bluejay"));
    for (input, name, number, has_skin) in [
        (".bluejay", Some("bluejay"), xuid("Bluejay"), true),
        (".IdForm", Some("IdForm"), xuid("IdForm"), true),
        (
            ".NoPocketSkin",
            Some("NoPocketSkin"),
            xuid("NoPocketSkin"),
            false,
        ),
        (&by_number, None, by_number.clone(), true),
    ] {
        let profile = profile(&world, input).unwrap();
        assert_eq!(profile.account, Account::Bedrock(Some(number)), "{input}");
        assert_eq!(profile.name.as_deref(), name, "{input}");
        assert_eq!(profile.skin.is_some(), has_skin, "{input}");
        assert_eq!(profile.cape, None);
    }
}

#[test]
fn unknown_players_and_outages() {
    let world = World::start();
    for input in ["Nobody", ".Nobody", "10000000111122223333444455556666"] {
        assert!(!profile(&world, input).unwrap_err().is_outage(), "{input}");
    }
    for (step, input) in [
        (Step::Identity, "Gwendolin"),
        (Step::Session, "Gwendolin"),
        (Step::Xuid, ".Bluejay"),
        (Step::BedrockSkin, ".Bluejay"),
    ] {
        world.fake.set_fault(step, Some(Fault::status(500)));
        assert!(profile(&world, input).unwrap_err().is_outage(), "{input}");
        world.fake.set_fault(step, None);
    }
}

/// Returns the profile of a player with these textures.
fn profile_with(textures: &str) -> Result<Profile, UpstreamError> {
    let session = format!("session/{NOTCH}");
    let upstream = Canned::new().on(&session, session_with(textures));
    let player = PlayerId::detect(NOTCH).expect("a uuid");
    let resolver = upstream.resolver();
    resolver.profile(&player, resolver.deadline())
}

#[test]
fn urls_are_checked() {
    let with_url = |url| profile_with(&textures_with_url(url));
    let skin = with_url("http://textures.minecraft.net/texture/abc")
        .unwrap()
        .skin;
    let expected = ProfileSkin {
        texture: TextureUrl::new("https://textures.minecraft.net/texture/abc"),
        model: Model::Classic,
        is_default: false,
    };
    assert_eq!(skin, Some(expected));
    let refused = with_url("http://evil.example/texture/abc").unwrap_err();
    assert!(matches!(refused, UpstreamError::TextureUrl { .. }));

    let host = "http://textures.minecraft.net/texture/abc";
    for (cape, expected) in [
        (
            format!(r#"{{"url":"{host}"}}"#),
            Some("https://textures.minecraft.net/texture/abc"),
        ),
        (r#"{"url":"http://evil.example/abc"}"#.to_owned(), None),
        (r#"{"url":"file:///etc/passwd"}"#.to_owned(), None),
        (r#"{"url":7}"#.to_owned(), None),
        ("{}".to_owned(), None),
        ("null".to_owned(), None),
    ] {
        let textures = format!(r#"{{"textures":{{"SKIN":{{"url":"{host}"}},"CAPE":{cape}}}}}"#);
        let profile = profile_with(&textures).expect(&cape);
        assert_eq!(profile.cape, expected.map(TextureUrl::new), "{cape}");
    }
}

#[test]
fn textures_by_hash() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    let skin = profile(&world, "Gwendolin").unwrap().skin.unwrap();
    let hash = skin.texture.as_str().rsplit('/').next();
    let hash = TextureHash::parse(hash.unwrap()).unwrap();
    let texture = resolver.texture_by_hash(&hash).unwrap();
    assert_eq!(texture, fixtures::skin("knight").png);
    let nowhere = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let error = resolver.texture_by_hash(&nowhere).unwrap_err();
    assert!(matches!(error, UpstreamError::TextureNotFound { .. }));
    assert!(!error.is_outage());
    world
        .fake
        .set_fault(Step::Texture, Some(Fault::status(503)));
    let error = resolver.texture_by_hash(&hash).unwrap_err();
    assert!(error.is_outage(), "{error:?}");
}

#[test]
fn capes_are_pngs_from_allowed_hosts() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    let url = profile(&world, "Corvina").unwrap().cape.unwrap();
    assert_eq!(
        resolver.texture(&url, resolver.deadline()).unwrap(),
        fixtures::cape()
    );
    let elsewhere = TextureUrl::new("http://evil.example/abc");
    let elsewhere = resolver
        .texture(&elsewhere, resolver.deadline())
        .unwrap_err();
    assert!(matches!(elsewhere, UpstreamError::TextureUrl { .. }));
    for fault in [Fault::WrongPng, Fault::NotJson] {
        world.fake.set_fault(Step::Texture, Some(fault));
        let error = resolver.texture(&url, resolver.deadline()).unwrap_err();
        assert_eq!(kind(&error), "decode");
    }
}
