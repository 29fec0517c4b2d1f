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
fn a_gamertag_takes_three_calls_and_an_xuid_two() {
    let (xuid, by_floodgate) = ("00002535432196048835", "2535468413142004");
    let skin_of = |xuid| format!("skin/{xuid}");
    for (input, calls, account, name) in [
        (
            ".tag",
            vec!["xuid/tag", SKIN],
            "2535432196048835",
            Some("tag"),
        ),
        (xuid, vec![&*skin_of(xuid)], xuid, None),
        (
            "00000000-0000-0000-0009-01febe1ac3f4",
            vec![&*skin_of(by_floodgate)],
            by_floodgate,
            None,
        ),
    ] {
        let mut upstream = upstream().on("xuid/tag", Answer::record("xuid-number"));
        for call in calls.iter().filter(|call| call.starts_with("skin/")) {
            upstream = upstream.on(call, Answer::record("skin-record"));
        }
        let resolved = upstream.resolve(input).expect(input);
        assert_eq!(resolved.origin, Own, "{input}");
        assert_eq!(resolved.name.as_deref(), name);
        assert_eq!(resolved.account, Account::Bedrock(Some(account.into())));
        assert_eq!(skin(&resolved), ("Tag".to_owned(), Model::Slim));
        let calls = [calls, vec![BEDROCK_TEXTURE]].concat();
        assert_eq!(upstream.calls(), calls, "{input}");
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
        // No URL can name one of dots.
        let called = (!call.is_empty()).then_some(call);
        assert!(upstream.calls().iter().eq(called), "{input}");
    }
}

/// Makes one call for a Bedrock player fail, and checks the outcome. No call is made after it.
/// Other failures are those of `faults`.
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
fn when_the_gamertag_look_up_fails() {
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
fn when_the_skin_record_fails() {
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
