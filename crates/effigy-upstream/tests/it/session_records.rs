//! Session profiles: the textures property, the model, and players without a skin.

use effigy_player::Model;
use effigy_upstream::UpstreamError;

use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE, kind, session_with, skin};
use crate::support::resolve::{Origin, Resolve as _, unnamed};

/// The default skin of Notch's UUID.
const NOTCH_DEFAULT: &str =
    "texture/46acd06e8483b176e8ea39fc12fe105eb3a2a4970f5100057e9d84d4b60bdfa7";

fn with_session(session: Answer) -> Canned {
    Canned::with_notch()
        .on(&format!("session/{NOTCH}"), session)
        .on(NOTCH_DEFAULT, Answer::texture("default"))
}

#[test]
fn the_textures_property_and_the_model() {
    for (file, model) in [
        ("session-notch.json", Model::Classic),
        ("session-more-properties.json", Model::Slim),
        ("session-wrapped-base64.json", Model::Classic),
        ("session-unnamed-property.json", Model::Classic),
    ] {
        let upstream = with_session(Answer::file(200, file));
        let resolved = upstream.resolve(NOTCH).expect(file);
        assert_eq!(skin(&resolved), ("Notch".to_owned(), model), "{file}");
        assert_eq!(resolved.origin, Origin::Own, "{file}");
        assert_eq!(upstream.calls()[1..], [NOTCH_TEXTURE], "{file}");
    }
}

#[test]
fn a_slim_player_with_a_cape() {
    let uuid = "853c80ef3c3749fdaa49938b674adae6";
    let texture = "texture/7fd9ba42a7c81eeea22f1524271ae85a8e045ce0af5a6ae16c6406ae917e68b5";
    let session = format!("session/{uuid}");
    let upstream = Canned::new()
        .on(&session, Answer::file(200, "session-slim.json"))
        .on(texture, Answer::texture("slim"));
    let resolved = upstream.resolve(uuid).unwrap();
    assert_eq!(skin(&resolved), ("slim".to_owned(), Model::Slim));
    let (cape, host) = (resolved.cape.unwrap(), "https://textures.minecraft.net/");
    assert!(cape.as_str().starts_with(host), "{cape:?}");
    assert!(resolved.name.is_some());
    assert_eq!(upstream.calls(), [session.as_str(), texture]);
}

#[test]
fn only_the_word_slim_is_slim() {
    for (metadata, model) in [
        (r#"{"model":"slim"}"#, Model::Slim),
        (r#"{"model":"default"}"#, Model::Classic),
        (r#"{"model":"SLIM"}"#, Model::Classic),
        (r#"{"model":1}"#, Model::Classic),
        ("{}", Model::Classic),
        ("[]", Model::Classic),
        ("null", Model::Classic),
    ] {
        let url = "http://textures.minecraft.net/texture/292009a4925b58f02c77dadc3ecef07ea4c7472f64e0fdc32ce5522489362680";
        let skin = format!(r#"{{"url":"{url}","metadata":{metadata}}}"#);
        let textures = format!(r#"{{"textures":{{"SKIN":{skin}}}}}"#);
        let resolved = with_session(session_with(&textures)).resolve(NOTCH);
        assert_eq!(resolved.unwrap().model, model, "{metadata}");
    }
}

#[test]
fn a_player_without_a_skin_has_the_default_skin_of_the_uuid() {
    for textures in [
        r#"{"textures":{}}"#,
        r#"{"textures":[]}"#,
        r#"{"textures":{"SKIN":null}}"#,
        r#"{"textures":{"CAPE":{"url":"http://textures.minecraft.net/texture/cape"}}}"#,
    ] {
        let upstream = with_session(session_with(textures));
        let resolved = upstream.resolve(NOTCH).expect(textures);
        assert_eq!(resolved.origin, Origin::Default, "{textures}");
        assert_eq!(skin(&resolved), ("default".to_owned(), Model::Slim));
        assert_eq!(upstream.calls()[1..], [NOTCH_DEFAULT], "{textures}");
    }
    let upstream = with_session(Answer::ok(r#"{"properties":[]}"#));
    let origin = upstream.resolve(NOTCH).unwrap().origin;
    assert_eq!(origin, Origin::Default, "no property at all");
}

#[test]
fn the_default_skin_of_a_real_profile() {
    let texture = "texture/4c05ab9e07b3505dc3ec11370c3bdce5570ad2fb2b562e9b9dd9cf271f81aa44";
    let upstream = Canned::new()
        .on("identity/Plain", Answer::file(200, "identity-no-skin.json"))
        .on(
            "session/8f59cdb2f5754768b0e62e0b0be19557",
            Answer::file(200, "session-no-skin.json"),
        )
        .on(texture, Answer::texture("Ari"));
    let resolved = upstream.resolve("Plain").unwrap();
    assert_eq!(skin(&resolved), ("Ari".to_owned(), Model::Classic));
    assert_eq!(resolved.origin, Origin::Default);
    assert_eq!(upstream.calls()[2..], [texture]);
}

#[test]
fn the_profile_of_another_player_is_an_outage_of_this_one() {
    let other = r#""id":"853c80ef3c3749fdaa49938b674adae6""#;
    for (id, is_believed) in [
        (other, false),
        (r#""id":"?""#, false),
        (r#""id":"069A79F4-44E9-4726-A5BE-FCA90E38AAF5""#, true),
        (r#""id":7"#, true),
    ] {
        let answer = Answer::ok(format!(r#"{{{id},"properties":[]}}"#));
        let upstream = with_session(answer);
        let resolver = upstream.resolver();
        match resolver.resolve(NOTCH) {
            Ok(resolved) => assert_eq!((resolved.origin, is_believed), (Origin::Default, true)),
            Err(error) => {
                assert!(!is_believed && error.is_outage(), "{id}: {error:?}");
                assert_eq!(kind(&error), "id");
            }
        }
    }
}

#[test]
fn malformed_textures() {
    for (textures, field) in [
        ("{}", "textures"),
        ("[]", "the JSON object"),
        ("<html>", "the JSON object"),
        (r#"{"textures":null}"#, "textures"),
        (r#"{"textures":[1]}"#, "textures"),
        (r#"{"textures":"SKIN"}"#, "textures"),
        (r#"{"textures":{"SKIN":{}}}"#, "textures.SKIN.url"),
        (r#"{"textures":{"SKIN":[]}}"#, "textures.SKIN.url"),
        (r#"{"textures":{"SKIN":{"url":1}}}"#, "textures.SKIN.url"),
    ] {
        let error = with_session(session_with(textures))
            .resolve(NOTCH)
            .unwrap_err();
        assert!(
            matches!(unnamed(&error), UpstreamError::Shape { field: found, .. } if *found == field),
            "{textures}: {error:?}"
        );
    }
}
