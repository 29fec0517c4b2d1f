//! Bedrock players: the calls, their order, the forms of the records, and each failure.

use effigy_player::Model;
use effigy_upstream::Account;

use crate::support::canned::{Answer, BEDROCK_TEXTURE, Canned, NOTCH_TEXTURE, skin};
use crate::support::resolve::Origin::{self, Default, NotFound, Outage, Own};
use crate::support::resolve::origin;

const XUID: &str = "xuid/Tag";
const SKIN: &str = "skin/2535432196048835";

fn upstream() -> Canned {
    Canned::new()
        .on(XUID, Answer::record("xuid-number"))
        .on(SKIN, Answer::record("skin-record"))
        .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
}

#[test]
fn a_gamertag_takes_three_calls() {
    let upstream = upstream().on("xuid/tag", Answer::record("xuid-number"));
    let resolved = upstream.resolve(".tag").expect("known");
    assert_eq!(resolved.origin, Own);
    assert_eq!(resolved.name.as_deref(), Some("tag"));
    let xuid = "2535432196048835".to_owned();
    assert_eq!(resolved.account, Account::Bedrock(Some(xuid)));
    assert_eq!(skin(&resolved), ("Tag".to_owned(), Model::Slim));
    assert_eq!(upstream.calls(), ["xuid/tag", SKIN, BEDROCK_TEXTURE]);
}

/// Floodgate's UUID of a Bedrock player is the XUID in hexadecimal digits.
#[test]
fn an_xuid_takes_two_calls() {
    for (input, xuid) in [
        ("00002535432196048835", "00002535432196048835"),
        ("00000000-0000-0000-0009-01febe1ac3f4", "2535468413142004"),
    ] {
        let skin_call = format!("skin/{xuid}");
        let upstream = upstream().on(&skin_call, Answer::record("skin-record"));
        let resolved = upstream.resolve(input).expect(input);
        assert_eq!(resolved.origin, Own, "{input}");
        assert_eq!(resolved.name, None);
        let account = Account::Bedrock(Some(xuid.to_owned()));
        assert_eq!(resolved.account, account);
        assert_eq!(upstream.calls(), [&skin_call, BEDROCK_TEXTURE], "{input}");
    }
}

#[test]
fn nobody_has_the_xuid_0() {
    let upstream = upstream();
    for input in ["0000", "00000000-0000-0000-0000-000000000000"] {
        assert_eq!(origin(&upstream.resolve_any(input)), NotFound, "{input}");
    }
    assert!(upstream.calls().is_empty());
}

#[test]
fn the_url_comes_first_then_the_value_then_the_hash() {
    let by_id = Answer::record("skin-texture-id");
    let hash = r#"{"skin_url":null,"value":"","texture_id":"abc"}"#;
    for (record, texture, model) in [
        (Answer::record("skin-record"), BEDROCK_TEXTURE, Model::Slim),
        (by_id, BEDROCK_TEXTURE, Model::Slim),
        (Answer::record("skin-url"), NOTCH_TEXTURE, Model::Classic),
        (Answer::ok(hash), "texture/abc", Model::Classic),
    ] {
        let upstream = upstream()
            .on(SKIN, record)
            .on(texture, Answer::texture("Tag"));
        let resolved = upstream.resolve(".Tag").expect(texture);
        assert_eq!((resolved.origin, resolved.model), (Own, model), "{texture}");
        assert_eq!(upstream.calls()[2..], [texture]);
    }
}

#[test]
fn underscores_may_have_been_spaces() {
    let found = || Answer::record("xuid-string");
    let nobody = || Answer::record("xuid-nobody");
    let not_in_cache = Answer::file(503, "xuid-not-in-cache.json");
    // The second try is the last.
    for (answer, second, expected, calls) in [
        (nobody(), found(), Own, 4),
        (not_in_cache, found(), Own, 4),
        (Answer::status(404), found(), Own, 4),
        (nobody(), nobody(), NotFound, 2),
        (Answer::file(503, "overload.json"), found(), Outage, 1),
        (Answer::Hang, found(), Outage, 1),
    ] {
        let upstream = upstream()
            .on("xuid/Some_Long_Tag", answer.clone())
            .on("xuid/Some%20Long%20Tag", second);
        let resolved = upstream.resolve_any(".Some_Long_Tag");
        assert_eq!(origin(&resolved), expected, "{answer:?}");
        assert_eq!(upstream.calls().len(), calls, "{answer:?}");
    }
}

#[test]
fn a_gamertag_is_one_segment() {
    for (input, call) in [
        (".Some Player", "xuid/Some%20Player"),
        ("../x", "xuid/.%2Fx"),
        ("0000/../x", "skin/0000%2F..%2Fx"),
        (".", ""),
        ("....", ""),
    ] {
        let upstream = Canned::new().on(call, Answer::status(400));
        let resolved = upstream.resolve_any(input);
        assert_eq!(origin(&resolved), NotFound, "{input}");
        let mut expected = Vec::new();
        // No URL can name a segment of dots.
        if !call.is_empty() {
            expected.push(call);
        }
        assert_eq!(upstream.calls(), expected, "{input}");
    }
}

/// Makes one call for a Bedrock player fail, and checks the outcome. No call is made after it.
/// `faults` tests the failures of connections.
#[track_caller]
fn check(call: &str, rows: &[(Answer, Origin)]) {
    for (answer, expected) in rows {
        let upstream = upstream().on(call, answer.clone());
        let resolved = upstream.resolve_any(".Tag");
        assert_eq!(origin(&resolved), *expected, "{call} {answer:?}");
        let own: Vec<&str> = [XUID, SKIN, BEDROCK_TEXTURE]
            .into_iter()
            .take_while(|own| *own != call)
            .chain([call])
            .collect();
        assert_eq!(upstream.calls(), own, "{call} {answer:?}");
    }
}

#[test]
fn each_answer_about_a_gamertag_has_its_outcome() {
    check(
        XUID,
        &[
            (Answer::record("xuid-nobody"), NotFound),
            (Answer::ok(r#"{"xuid":null}"#), NotFound),
            (Answer::file(503, "xuid-not-in-cache.json"), NotFound),
            (Answer::file(400, "xuid-malformed.json"), NotFound),
            (Answer::status(404), NotFound),
            (Answer::file(503, "overload.json"), Outage),
            (Answer::file(500, "xuid-not-in-cache.json"), Outage),
            (Answer::ok("[]"), Outage),
            (Answer::ok(r#"{"xuid":""}"#), Outage),
            (Answer::ok(r#"{"xuid":"../x"}"#), Outage),
            (Answer::ok(r#"{"xuid":-1}"#), Outage),
        ],
    );
}

#[test]
fn each_answer_about_a_bedrock_skin_has_its_outcome() {
    check(
        SKIN,
        &[
            (Answer::record("skin-none"), Default),
            // Textures without a skin.
            (Answer::ok(r#"{"value":"eyJ0ZXh0dXJlcyI6e319"}"#), Default),
            (Answer::file(400, "skin-malformed-xuid.json"), NotFound),
            (Answer::status(404), NotFound),
            (Answer::file(503, "overload.json"), Outage),
            (Answer::ok("[]"), Outage),
            (Answer::ok(r#"{"hash":"x","is_steve":true}"#), Outage),
            (Answer::ok(r#"{"value":"?"}"#), Outage),
            (Answer::ok(r#"{"texture_id":".."}"#), Outage),
            (Answer::ok(r#"{"skin_url":"file:///etc/passwd"}"#), Outage),
        ],
    );
}
