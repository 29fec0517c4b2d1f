//! Java players: the calls, their order, and the meaning of session profiles.

use effigy_player::{Model, PlayerId, Uuid};
use effigy_upstream::{Account, Profiles as _, TextureUrl};

use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE, kind, session_with, skin};
use crate::support::resolve::{Origin, look_up, profile};

#[test]
fn a_name_takes_three_calls_and_a_uuid_two() {
    let session = format!("session/{NOTCH}");
    let by_uuid = vec![&*session, NOTCH_TEXTURE];
    for (input, calls) in [
        ("nOTCH", vec!["identity/nOTCH", &session, NOTCH_TEXTURE]),
        ("Notch", vec!["identity/Notch", &session, NOTCH_TEXTURE]),
        (NOTCH, by_uuid.clone()),
        ("069A79F4-44E9-4726-A5BE-FCA90E38AAF5", by_uuid),
    ] {
        let identity = Answer::record("identity-notch");
        let account = Account::Java(Uuid::parse(NOTCH).expect("a uuid"));
        let upstream = Canned::with_notch().on("identity/nOTCH", identity);
        let resolved = upstream.resolve(input).unwrap();
        assert_eq!(resolved.origin, Origin::Own, "{input}");
        // As the player writes it.
        assert_eq!(resolved.name.as_deref(), Some("Notch"));
        assert_eq!(resolved.account, account);
        assert_eq!(skin(&resolved), ("Notch".to_owned(), Model::Classic));
        assert_eq!(upstream.calls(), calls, "{input}");
    }
}

#[test]
fn names_that_no_account_has_take_no_call() {
    let too_long = "x".repeat(26);
    for name in [
        &too_long, "a/b", "名", "é", "a\tb", "a+b", "a@b", "$x", "\0", "x'--", ".", "..", "...", "",
    ] {
        let upstream = Canned::new();
        let player = PlayerId::JavaName(name.to_owned());
        let resolver = upstream.resolver();
        let error = resolver.profile(&player, &look_up(&resolver));
        let error = error.unwrap_err();
        assert_eq!(kind(&error), "not found", "{name:?}");
        assert!(upstream.calls().is_empty(), "{name:?}");
    }
    let longest = "x".repeat(25);
    for (name, sent) in [
        (longest.as_str(), longest.as_str()),
        ("a.b-c_d", "a.b-c_d"),
        ("Old Name", "Old%20Name"),
    ] {
        let call = format!("identity/{sent}");
        let upstream = Canned::new().on(&call, Answer::status(404));
        assert!(upstream.resolve(name).is_err());
        assert_eq!(upstream.calls(), [call]);
    }
}

/// The default skin of Notch's UUID.
const NOTCH_DEFAULT: &str =
    "texture/46acd06e8483b176e8ea39fc12fe105eb3a2a4970f5100057e9d84d4b60bdfa7";

fn with_session(session: Answer) -> Canned {
    Canned::with_notch()
        .on(&format!("session/{NOTCH}"), session)
        .on(NOTCH_DEFAULT, Answer::texture("default"))
}

#[test]
fn every_form_of_a_session_profile_is_read() {
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
fn a_session_profile_has_the_model_and_the_cape() {
    let uuid = "853c80ef3c3749fdaa49938b674adae6";
    let texture = "texture/7fd9ba42a7c81eeea22f1524271ae85a8e045ce0af5a6ae16c6406ae917e68b5";
    let session = format!("session/{uuid}");
    let upstream = Canned::new()
        .on(&session, Answer::record("session-slim"))
        .on(texture, Answer::texture("slim"));
    let resolved = upstream.resolve(uuid).unwrap();
    assert_eq!(skin(&resolved), ("slim".to_owned(), Model::Slim));
    let cape = resolved.cape.expect("a cape");
    let host = "https://textures.minecraft.net/";
    assert!(cape.as_str().starts_with(host), "{cape:?}");
    assert!(resolved.name.is_some());
    assert_eq!(upstream.calls(), [session.as_str(), texture]);
}

#[test]
fn a_session_tells_of_old_and_banned_accounts() {
    let session =
        |fields: &str| Answer::ok(format!(r#"{{"name":"Notch","properties":[]{fields}}}"#));
    let long = "X".repeat(65);
    for (fields, legacy, actions) in [
        ("", false, vec![]),
        (r#","legacy":true"#, true, vec![]),
        (r#","legacy":1,"profileActions":7"#, false, vec![]),
        (r#","profileActions":[]"#, false, vec![]),
        (
            r#","profileActions":["FORCED_NAME_CHANGE","USING_BANNED_SKIN"]"#,
            false,
            vec!["FORCED_NAME_CHANGE", "USING_BANNED_SKIN"],
        ),
        (
            &format!(r#","profileActions":["A",{{}},"{long}",null]"#),
            false,
            vec!["A"],
        ),
        (
            &format!(r#","profileActions":["A"{}]"#, r#","A""#.repeat(16)),
            false,
            vec!["A"; 16],
        ),
    ] {
        let chain = with_session(session(fields)).resolver();
        let found = profile(&chain, NOTCH).expect(fields);
        assert_eq!(found.legacy, legacy, "{fields}");
        assert_eq!(found.profile_actions, actions, "{fields}");
    }
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
        let url = format!("http://textures.minecraft.net/{NOTCH_TEXTURE}");
        let skin = format!(r#"{{"url":"{url}","metadata":{metadata}}}"#);
        let textures = format!(r#"{{"textures":{{"SKIN":{skin}}}}}"#);
        let resolved = with_session(session_with(&textures)).resolve(NOTCH);
        assert_eq!(resolved.unwrap().model, model, "{metadata}");
    }
}

#[test]
fn a_player_without_a_skin_has_the_default_skin_of_the_uuid() {
    for answer in [
        session_with(r#"{"textures":{}}"#),
        session_with(r#"{"textures":[]}"#),
        session_with(r#"{"textures":{"SKIN":null}}"#),
        session_with(r#"{"textures":{"CAPE":{"url":"http://textures.minecraft.net/x"}}}"#),
        Answer::ok(r#"{"properties":[]}"#),
        // The id may have dashes. A malformed one is ignored.
        Answer::ok(r#"{"id":"069A79F4-44E9-4726-A5BE-FCA90E38AAF5","properties":[]}"#),
        Answer::ok(r#"{"id":7,"properties":[]}"#),
    ] {
        let upstream = with_session(answer.clone());
        let resolved = upstream.resolve(NOTCH).expect("a default skin");
        assert_eq!(resolved.origin, Origin::Default, "{answer:?}");
        assert_eq!(skin(&resolved), ("default".to_owned(), Model::Slim));
        assert_eq!(upstream.calls()[1..], [NOTCH_DEFAULT], "{answer:?}");
    }
}

#[test]
fn the_url_of_a_cape_is_checked_and_does_not_cost_the_skin() {
    let skin = format!(r#"{{"url":"http://textures.minecraft.net/{NOTCH_TEXTURE}"}}"#);
    let allowed = TextureUrl::new("https://textures.minecraft.net/x");
    for (cape, is_allowed) in [
        (r#"{"url":"http://textures.minecraft.net/x"}"#, true),
        (r#"{"url":"http://evil.example/x"}"#, false),
        (r#"{"url":7}"#, false),
        ("{}", false),
        ("null", false),
    ] {
        let textures = format!(r#"{{"textures":{{"SKIN":{skin},"CAPE":{cape}}}}}"#);
        let resolved = with_session(session_with(&textures)).resolve(NOTCH);
        let found = resolved.expect(cape).cape;
        assert_eq!(found, is_allowed.then(|| allowed.clone()), "{cape}");
    }
}

/// `faults` tests the failures of connections.
#[test]
fn a_session_without_a_usable_record_is_an_error() {
    let properties = |properties: &str| Answer::ok(format!(r#"{{"properties":{properties}}}"#));
    let value = |value| properties(&format!(r#"[{{"name":"textures","value":{value}}}]"#));
    let textures = |textures: &str| session_with(&format!(r#"{{"textures":{textures}}}"#));
    let other = Answer::ok(r#"{"id":"853c80ef3c3749fdaa49938b674adae6","properties":[]}"#);
    let malformed = Answer::file(400, "session-malformed-uuid.json");
    let session = &*format!("session/{NOTCH}");
    for (answer, expected) in [
        (Answer::status(404), "not found"),
        (Answer::status(400), "not found"),
        (malformed, "not found"),
        (Answer::ok("[]"), "no object"),
        // The profile of another player is an outage of this one.
        (other, "id"),
        (Answer::ok(r#"{"id":"?","properties":[]}"#), "id"),
        (Answer::ok("{}"), "properties"),
        (properties("{}"), "properties"),
        (properties("[1]"), "properties.value"),
        (value("1"), "properties.value"),
        (value(r#""?""#), "the base64 of the textures"),
        (session_with("[]"), "no object"),
        (session_with("<html>"), "no object"),
        (session_with("{}"), "textures"),
        (textures("null"), "textures"),
        (textures("[1]"), "textures"),
        (textures(r#""SKIN""#), "textures"),
        (textures(r#"{"SKIN":{}}"#), "textures.SKIN.url"),
        (textures(r#"{"SKIN":[]}"#), "textures.SKIN.url"),
        (textures(r#"{"SKIN":{"url":1}}"#), "textures.SKIN.url"),
    ] {
        let upstream = Canned::with_notch().on(session, answer.clone());
        let error = upstream.resolve("Notch").expect_err(expected);
        assert_eq!(kind(&error), expected, "{answer:?}");
        assert_eq!(error.is_outage(), expected != "not found", "{answer:?}");
        // Nothing is called after the failure.
        assert_eq!(upstream.calls(), ["identity/Notch", session]);
    }
}
