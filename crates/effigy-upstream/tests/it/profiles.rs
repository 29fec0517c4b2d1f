//! Profiles of each kind of player, and textures by their URL.

use std::time::Duration;

use effigy_player::{Model, Uuid};
use effigy_upstream::{Account, TextureUrl, UpstreamError};
use fixtures::{Fault, Step, player};

use crate::support::canned::{Canned, NOTCH, kind, session_with};
use crate::support::resolve::{file, file_of_hash, profile};
use crate::support::world::World;

#[test]
fn accounts_and_names() {
    let world = World::start();
    let resolver = world.resolver(world.config());
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
        let profile = profile(&resolver, input).unwrap();
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

#[test]
fn the_url_of_a_cape_is_checked_and_does_not_cost_the_skin() {
    let skin = r#"{"url":"http://textures.minecraft.net/texture/abc"}"#;
    let allowed = TextureUrl::new("https://textures.minecraft.net/x");
    for (cape, is_allowed) in [
        (r#"{"url":"http://textures.minecraft.net/x"}"#, true),
        (r#"{"url":"http://evil.example/x"}"#, false),
        (r#"{"url":7}"#, false),
        ("{}", false),
        ("null", false),
    ] {
        let textures = format!(r#"{{"textures":{{"SKIN":{skin},"CAPE":{cape}}}}}"#);
        let session = format!("session/{NOTCH}");
        let upstream = Canned::new().on(&session, session_with(&textures));
        let profile = profile(&upstream.resolver(), NOTCH).expect(cape);
        assert_eq!(profile.cape, is_allowed.then(|| allowed.clone()), "{cape}");
    }
}

#[test]
fn textures_by_hash_and_by_url() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    let found = profile(&resolver, "Corvina").unwrap();
    let (cape, skin) = (found.cape.unwrap(), found.skin.unwrap().texture);
    assert_eq!(file(&resolver, &cape).unwrap(), fixtures::cape());
    let hash = skin.as_str().rsplit('/').next().unwrap();
    let texture = file_of_hash(&resolver, hash).unwrap();
    assert_eq!(texture, file(&resolver, &skin).unwrap());

    let error = file_of_hash(&resolver, &"ab".repeat(32)).unwrap_err();
    assert!(matches!(error, UpstreamError::TextureNotFound { .. }));
    assert!(!error.is_outage());
    for url in ["", "cape", "/v1/texture/00", "http://evil.example/abc"] {
        let elsewhere = file(&resolver, &TextureUrl::new(url));
        let is_refused = matches!(elsewhere, Err(UpstreamError::TextureUrl { .. }));
        assert!(is_refused, "{url}");
    }
    for (fault, expected) in [(Fault::status(503), "503"), (Fault::WrongPng, "decode")] {
        world.fake.set_fault(Step::Texture, Some(fault));
        let errors = [file(&resolver, &cape), file_of_hash(&resolver, hash)];
        for error in errors.map(Result::unwrap_err) {
            assert_eq!(kind(&error), expected);
            assert!(error.is_outage());
        }
        // Until then, they are remembered.
        *world.clock.lock().unwrap() += Duration::from_secs(2);
    }
}
