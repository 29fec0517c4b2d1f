//! Profiles of each kind of player, and textures by their URL.

use std::time::Duration;

use effigy_player::{Model, PlayerId, Uuid};
use effigy_upstream::{
    Account, Profile, ProfileSkin, SkinSource as _, TextureHash, TextureUrl, UpstreamError,
};
use fixtures::{Fault, Step, player};

use crate::support::canned::{Canned, NOTCH, kind, session_with, textures_with_url};
use crate::support::resolve::unnamed;
use crate::support::world::World;

fn profile(world: &World, input: &str) -> Result<Profile, UpstreamError> {
    let resolver = world.resolver(world.config());
    resolver.profile(
        &PlayerId::detect(input).expect(input),
        resolver.deadline().into(),
    )
}

#[test]
fn accounts_and_names() {
    let world = World::start();
    let uuid = |name: &str| player(name).uuid().and_then(Uuid::parse).unwrap();
    let java = |name| (Account::Java(uuid(name)), Some(name));
    let xuid = |name: &str| player(name).xuid().unwrap().to_string();
    let bedrock = |name| (Account::Bedrock(Some(xuid(name))), Some(name));
    let slim_knight = uuid("SlimKnight").to_string();
    let by_number = format!("0000{}", xuid("Bluejay"));
    let as_typed = (bedrock("Bluejay").0, Some("bluejay"));
    let unnamed = (Account::Bedrock(Some(by_number.clone())), None);
    let (classic, slim) = (Some(Model::Classic), Some(Model::Slim));
    for (input, (account, name), model, has_cape) in [
        ("gwendolin", java("Gwendolin"), classic, false),
        ("Reynard", java("Reynard"), slim, false),
        ("CORVINA", java("Corvina"), classic, true),
        (&slim_knight, java("SlimKnight"), slim, false),
        (".bluejay", as_typed, classic, false),
        (".IdForm", bedrock("IdForm"), slim, false),
        (".NoPocketSkin", bedrock("NoPocketSkin"), None, false),
        (&by_number, unnamed, classic, false),
    ] {
        let profile = profile(&world, input).unwrap();
        assert_eq!((profile.account, profile.name.as_deref()), (account, name));
        if let Some(skin) = &profile.skin {
            let url = skin.texture.as_str();
            assert!(
                url.starts_with(world.fake.url()) && !skin.is_default,
                "{url}"
            );
        }
        let found = profile.skin.and_then(|skin| skin.model);
        assert_eq!(
            (found, profile.cape.is_some()),
            (model, has_cape),
            "{input}"
        );
    }
    assert_eq!(world.fake.calls(Step::Texture), 0);
}

/// Returns the profile of a player with these textures.
fn profile_with(textures: &str) -> Result<Profile, UpstreamError> {
    let session = format!("session/{NOTCH}");
    let upstream = Canned::new().on(&session, session_with(textures));
    let player = PlayerId::detect(NOTCH).expect("a uuid");
    let resolver = upstream.resolver();
    resolver.profile(&player, resolver.deadline().into())
}

#[test]
fn urls_are_checked() {
    let with_url = |url| profile_with(&textures_with_url(url));
    let skin = with_url("http://textures.minecraft.net/texture/abc")
        .unwrap()
        .skin;
    let expected = ProfileSkin {
        texture: TextureUrl::new("https://textures.minecraft.net/texture/abc"),
        model: Some(Model::Classic),
        is_default: false,
    };
    assert_eq!(skin, Some(expected));
    let refused = with_url("http://evil.example/texture/abc").unwrap_err();
    assert!(matches!(
        unnamed(&refused),
        UpstreamError::TextureUrl { .. }
    ));

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
fn textures_by_hash_and_by_url() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    let found = profile(&world, "Corvina").unwrap();
    let (cape, skin) = (found.cape.unwrap(), found.skin.unwrap().texture);
    let by_url = |url: &TextureUrl| resolver.texture(url, resolver.deadline().into());
    assert_eq!(by_url(&cape).unwrap(), fixtures::cape());
    let hash = skin.as_str().rsplit('/').next();
    let hash = TextureHash::parse(hash.unwrap()).unwrap();
    let texture = resolver
        .texture_by_hash(&hash, resolver.deadline().into())
        .unwrap();
    assert_eq!(texture, by_url(&skin).unwrap());

    let nowhere = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let error = resolver
        .texture_by_hash(&nowhere, resolver.deadline().into())
        .unwrap_err();
    assert!(matches!(error, UpstreamError::TextureNotFound { .. }));
    assert!(!error.is_outage());
    let elsewhere = by_url(&TextureUrl::new("http://evil.example/abc"));
    assert!(matches!(elsewhere, Err(UpstreamError::TextureUrl { .. })));
    for (fault, expected) in [
        (Fault::status(503), "503"),
        (Fault::WrongPng, "decode"),
        (Fault::NotJson, "decode"),
    ] {
        world.fake.set_fault(Step::Texture, Some(fault));
        let errors = [
            by_url(&cape),
            resolver.texture_by_hash(&hash, resolver.deadline().into()),
        ];
        for error in errors.map(Result::unwrap_err) {
            assert_eq!(kind(&error), expected);
            assert!(error.is_outage());
        }
        // Until then, they are remembered.
        *world.clock.lock().unwrap() += Duration::from_secs(2);
    }
}
