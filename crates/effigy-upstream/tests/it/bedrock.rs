//! Bedrock players: the calls, their order, and the forms of the records.

use effigy_player::{Model, PlayerId};

use crate::support::canned::{
    Answer, BEDROCK_TEXTURE, Canned, NOTCH_TEXTURE, session_with, skin, textures_with_url,
};
use crate::support::resolve::{Origin, Resolve as _, origin};

const SKIN: &str = "skin/2535432196048835";

fn upstream() -> Canned {
    Canned::new()
        .on("xuid/Tag", Answer::file(200, "xuid-number.json"))
        .on(SKIN, Answer::file(200, "skin-record.json"))
        .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
}

#[test]
fn a_gamertag_takes_three_calls_and_an_xuid_two() {
    for (input, calls) in [
        (".Tag", vec!["xuid/Tag", SKIN, BEDROCK_TEXTURE]),
        (
            "00002535432196048835",
            vec!["skin/00002535432196048835", BEDROCK_TEXTURE],
        ),
        (
            "00000000-0000-0000-0009-01febe1ac3f4",
            vec!["skin/2535468413142004", BEDROCK_TEXTURE],
        ),
    ] {
        let mut upstream = upstream();
        for call in calls.iter().filter(|call| call.starts_with("skin/")) {
            upstream = upstream.on(call, Answer::file(200, "skin-record.json"));
        }
        let resolved = upstream.resolve(input).expect(input);
        assert_eq!(resolved.origin, Origin::Own, "{input}");
        assert_eq!(skin(&resolved), ("Tag".to_owned(), Model::Slim));
        assert_eq!(upstream.calls(), calls, "{input}");
    }
}

#[test]
fn an_xuid_is_a_number_or_a_string() {
    for answer in [
        Answer::file(200, "xuid-number.json"),
        Answer::file(200, "xuid-string.json"),
    ] {
        let upstream = upstream().on("xuid/Tag", answer);
        assert_eq!(upstream.resolve(".Tag").unwrap().origin, Origin::Own);
        assert_eq!(upstream.calls()[1], SKIN);
    }
}

#[test]
fn the_url_comes_first_then_the_value_then_the_hash() {
    for (file, texture, model) in [
        ("skin-record.json", BEDROCK_TEXTURE, Model::Slim),
        ("skin-texture-id.json", BEDROCK_TEXTURE, Model::Slim),
        ("skin-url.json", NOTCH_TEXTURE, Model::Classic),
    ] {
        let upstream = upstream()
            .on(SKIN, Answer::file(200, file))
            .on(NOTCH_TEXTURE, Answer::texture("Tag"));
        let resolved = upstream.resolve(".Tag").expect(file);
        assert_eq!(resolved.origin, Origin::Own, "{file}");
        assert_eq!(resolved.model, model, "{file}");
        assert_eq!(upstream.calls()[2..], [texture], "{file}");
    }
}

#[test]
fn forms_of_the_skin_record() {
    let Answer::Status(_, encoded) = session_with(r#"{"textures":{}}"#) else {
        panic!("a session is a status and a body");
    };
    let encoded = String::from_utf8(encoded).unwrap();
    let no_skin = encoded.split('"').nth(9).expect("the value");
    for (record, expected) in [
        ("{}".to_owned(), Origin::Default),
        (format!(r#"{{"value":"{no_skin}"}}"#), Origin::Default),
        (
            r#"{"skin_url":null,"value":"","texture_id":"abc"}"#.to_owned(),
            Origin::Own,
        ),
        (r#"{"texture_id":".."}"#.to_owned(), Origin::Outage),
        (r#"{"is_steve":true}"#.to_owned(), Origin::Outage),
        (r#"{"value":"?"}"#.to_owned(), Origin::Outage),
        (
            r#"{"skin_url":"file:///etc/passwd"}"#.to_owned(),
            Origin::Outage,
        ),
        ("[]".to_owned(), Origin::Outage),
        ("null".to_owned(), Origin::Outage),
        ("<html>".to_owned(), Origin::Outage),
        (textures_with_url("x"), Origin::Outage),
    ] {
        let upstream = upstream()
            .on(SKIN, Answer::ok(&record))
            .on("texture/abc", Answer::texture("Tag"));
        let resolved = upstream.resolve_any(".Tag");
        assert_eq!(origin(&resolved), expected, "{record}");
    }
}

#[test]
fn underscores_may_have_been_spaces() {
    for (answer, expected) in [
        (Answer::file(200, "xuid-nobody.json"), Origin::Own),
        (Answer::file(503, "xuid-not-in-cache.json"), Origin::Own),
        (Answer::status(404), Origin::Own),
        (Answer::file(503, "overload.json"), Origin::Outage),
        (Answer::Hang, Origin::Outage),
    ] {
        let upstream = upstream().on("xuid/Some_Long_Tag", answer.clone()).on(
            "xuid/Some%20Long%20Tag",
            Answer::file(200, "xuid-string.json"),
        );
        let resolved = upstream.resolve_any(".Some_Long_Tag");
        assert_eq!(origin(&resolved), expected, "{answer:?}");
        let calls = upstream.calls();
        let second = calls.get(1).map(String::as_str);
        let is_found = expected == Origin::Own;
        assert_eq!(
            second,
            is_found.then_some("xuid/Some%20Long%20Tag"),
            "{answer:?}"
        );
    }
}

#[test]
fn the_second_try_is_the_last() {
    let upstream = Canned::new()
        .on("xuid/A_B", Answer::file(200, "xuid-nobody.json"))
        .on("xuid/A%20B", Answer::file(200, "xuid-nobody.json"));
    let resolved = upstream.resolve_any(".A_B");
    assert_eq!(origin(&resolved), Origin::NotFound);
    assert_eq!(upstream.calls(), ["xuid/A_B", "xuid/A%20B"]);
}

#[test]
fn a_gamertag_is_one_segment() {
    for (input, call) in [
        (".Some Player", "xuid/Some%20Player"),
        (".Tag#1234", "xuid/Tag%231234"),
        ("../x", "xuid/.%2Fx"),
        ("0000/../x", "skin/0000%2F..%2Fx"),
    ] {
        let upstream = Canned::new().on(call, Answer::status(400));
        let resolved = upstream.resolve_any(input);
        assert_eq!(origin(&resolved), Origin::NotFound, "{input}");
        assert_eq!(upstream.calls(), [call]);
    }
}

#[test]
fn a_gamertag_of_dots_is_not_found_without_a_call() {
    for input in [".", "..", "...."] {
        let upstream = Canned::new();
        let resolved = upstream.resolve_any(input);
        assert_eq!(origin(&resolved), Origin::NotFound, "{input}");
        assert!(upstream.calls().is_empty(), "{input}");
    }
    let upstream = Canned::new();
    let player = PlayerId::BedrockXuid(String::new());
    let resolved = upstream.resolver().resolve_any(&player);
    assert_eq!(origin(&resolved), Origin::NotFound);
    assert!(upstream.calls().is_empty());
}
