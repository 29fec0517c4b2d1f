//! The fallback rule: which failures lead to the fallback skin, and which to an error.

use effigy_player::{Model, PlayerId};
use effigy_upstream::{SkinOrigin, SkinSource as _, Step, UpstreamError};

use crate::support::canned::{
    Answer, BEDROCK_TEXTURE, Canned, NOTCH, STEVE_CALLS, session_with, skin, texture,
    textures_with_url,
};

const XUID: &str = "xuid/Tag";
const SKIN: &str = "skin/2535432196048835";

fn upstream() -> Canned {
    Canned::new()
        .on(XUID, Answer::file(200, "xuid-number.json"))
        .on(SKIN, Answer::file(200, "skin-record.json"))
        .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
}

/// Returns the cause of a missing fallback.
#[track_caller]
fn fallback_error(error: &UpstreamError) -> &UpstreamError {
    match error {
        UpstreamError::Fallback { source } => source,
        error => panic!("{error:?}"),
    }
}

/// Makes one call for a Bedrock player fail, and checks that the fallback is shown.
#[track_caller]
fn check(call: &str, rows: &[(Answer, SkinOrigin)]) {
    for (answer, origin) in rows {
        let upstream = upstream().on(call, answer.clone());
        let resolved = upstream.resolve(".Tag").expect(call);
        assert_eq!(resolved.origin, *origin, "{call} {answer:?}");
        assert_eq!(skin(&resolved), ("Steve".to_owned(), Model::Classic));
        assert_eq!(resolved.texture, texture("Steve"));
        let calls = upstream.calls();
        let own: Vec<&str> = [XUID, SKIN, BEDROCK_TEXTURE]
            .into_iter()
            .take_while(|own| *own != call)
            .chain([call])
            .collect();
        assert_eq!(calls[..own.len()], own, "{call} {answer:?}");
        assert_eq!(calls[own.len()..], STEVE_CALLS, "{call} {answer:?}");
    }
}

#[test]
fn a_texture_that_does_not_decode_is_replaced_like_a_missing_one() {
    const DEFAULT: &str =
        "texture/46acd06e8483b176e8ea39fc12fe105eb3a2a4970f5100057e9d84d4b60bdfa7";
    let no_skin = session_with(r#"{"textures":{}}"#);
    let default_skin = Canned::new()
        .on(&format!("session/{NOTCH}"), no_skin)
        .on(DEFAULT, Answer::texture("default"));
    let no_bedrock_skin = upstream().on(SKIN, Answer::file(200, "skin-none.json"));
    for (upstream, input, broken, expected) in [
        (Canned::with_notch(), NOTCH, "Notch", None),
        (default_skin, NOTCH, "default", Some(SkinOrigin::Outage)),
        (upstream(), ".Tag", "Tag", Some(SkinOrigin::Outage)),
        // The fallback itself is tried once.
        (no_bedrock_skin, ".Tag", "Steve", None),
    ] {
        let player = PlayerId::detect(input).expect(input);
        let resolved = upstream.resolver().resolve_checked(&player, &|found| {
            let is_broken = skin(found).0 == broken;
            if is_broken {
                Err("broken".into())
            } else {
                Ok(())
            }
        });
        match (resolved, expected) {
            (Ok(resolved), Some(origin)) => {
                assert_eq!(resolved.origin, origin, "{broken}");
                assert_eq!(resolved.texture, texture("Steve"), "{broken}");
            }
            (Err(UpstreamError::Decode { .. }), None) => {}
            (resolved, _) => panic!("{broken}: {resolved:?}"),
        }
    }
}

#[test]
fn when_the_gamertag_look_up_fails() {
    check(
        XUID,
        &[
            (
                Answer::file(200, "xuid-nobody.json"),
                SkinOrigin::PlayerNotFound,
            ),
            (Answer::ok(r#"{"xuid":null}"#), SkinOrigin::PlayerNotFound),
            (
                Answer::file(503, "xuid-not-in-cache.json"),
                SkinOrigin::PlayerNotFound,
            ),
            (
                Answer::file(400, "xuid-malformed.json"),
                SkinOrigin::PlayerNotFound,
            ),
            (Answer::status(404), SkinOrigin::PlayerNotFound),
            (Answer::file(404, "gone.json"), SkinOrigin::PlayerNotFound),
            (Answer::file(404, "gone.html"), SkinOrigin::Outage),
            (Answer::file(400, "rate-limited.html"), SkinOrigin::Outage),
            (Answer::status(204), SkinOrigin::PlayerNotFound),
            (Answer::file(503, "overload.json"), SkinOrigin::Outage),
            (Answer::status(503), SkinOrigin::Outage),
            (
                Answer::file(500, "xuid-not-in-cache.json"),
                SkinOrigin::Outage,
            ),
            (Answer::status(302), SkinOrigin::Outage),
            (Answer::status(401), SkinOrigin::Outage),
            (Answer::file(403, "rate-limited.html"), SkinOrigin::Outage),
            (Answer::file(429, "rate-limited.html"), SkinOrigin::Outage),
            (Answer::file(200, "rate-limited.html"), SkinOrigin::Outage),
            (Answer::ok("[]"), SkinOrigin::Outage),
            (Answer::ok(r#"{"xuid":""}"#), SkinOrigin::Outage),
            (Answer::ok(r#"{"xuid":"../x"}"#), SkinOrigin::Outage),
            (Answer::ok(r#"{"xuid":-1}"#), SkinOrigin::Outage),
            (Answer::ok(r#"{"xuid":1.5}"#), SkinOrigin::Outage),
            (Answer::ok(r#"{"xuid":[1]}"#), SkinOrigin::Outage),
            (Answer::Hang, SkinOrigin::Outage),
            (Answer::Reset, SkinOrigin::Outage),
            (Answer::TooLarge, SkinOrigin::Outage),
        ],
    );
}

#[test]
fn when_the_skin_record_fails() {
    check(
        SKIN,
        &[
            (Answer::file(200, "skin-none.json"), SkinOrigin::DefaultSkin),
            (
                Answer::file(400, "skin-malformed-xuid.json"),
                SkinOrigin::PlayerNotFound,
            ),
            (Answer::status(404), SkinOrigin::PlayerNotFound),
            (Answer::file(404, "gone.html"), SkinOrigin::Outage),
            (Answer::file(503, "overload.json"), SkinOrigin::Outage),
            (Answer::status(500), SkinOrigin::Outage),
            (Answer::status(403), SkinOrigin::Outage),
            (Answer::status(429), SkinOrigin::Outage),
            (Answer::ok("[]"), SkinOrigin::Outage),
            (Answer::ok("<html>"), SkinOrigin::Outage),
            (Answer::ok(r#"{"hash":"x"}"#), SkinOrigin::Outage),
            (
                Answer::ok(r#"{"skin_url":"https://textures.minecraft.net.evil.com/x"}"#),
                SkinOrigin::Outage,
            ),
            (Answer::Hang, SkinOrigin::Outage),
            (Answer::Reset, SkinOrigin::Outage),
            (Answer::TooLarge, SkinOrigin::Outage),
        ],
    );
}

#[test]
fn when_the_texture_fails() {
    check(
        BEDROCK_TEXTURE,
        &[
            (Answer::status(404), SkinOrigin::Outage),
            (Answer::status(500), SkinOrigin::Outage),
            (Answer::status(302), SkinOrigin::Outage),
            (Answer::ok("broken"), SkinOrigin::Outage),
            (Answer::Hang, SkinOrigin::Outage),
            (Answer::Reset, SkinOrigin::Outage),
            (Answer::TooLarge, SkinOrigin::Outage),
        ],
    );
}

#[test]
fn a_rejection_by_the_texture_host_leaves_no_fallback() {
    let upstream = upstream().on(BEDROCK_TEXTURE, Answer::status(429));
    let error = upstream.resolve(".Tag").unwrap_err();
    assert!(
        matches!(
            fallback_error(&error),
            UpstreamError::Limited {
                step: Step::Texture,
                ..
            }
        ),
        "{error:?}"
    );
}

#[test]
fn when_the_fallback_fails_too() {
    let steps = [Step::Identity, Step::Session, Step::Texture];
    for (call, step) in STEVE_CALLS.into_iter().zip(steps) {
        let upstream = upstream()
            .on(XUID, Answer::file(200, "xuid-nobody.json"))
            .on(call, Answer::status(500));
        let error = upstream.resolve(".Tag").unwrap_err();
        assert!(
            matches!(
                fallback_error(&error),
                UpstreamError::Status { step: failed, status: 500 } if *failed == step
            ),
            "{error:?}"
        );
    }
}

#[test]
fn a_missing_fallback_player_is_an_outage() {
    for (own, steve) in [
        (Answer::status(500), Answer::status(204)),
        (Answer::file(200, "xuid-nobody.json"), Answer::status(204)),
    ] {
        let upstream = upstream().on(XUID, own).on(STEVE_CALLS[0], steve);
        let error = upstream.resolve(".Tag").unwrap_err();
        let cause = fallback_error(&error);
        assert!(
            matches!(cause, UpstreamError::PlayerNotFound { .. }),
            "{error:?}"
        );
        assert!(error.is_outage());
        assert_eq!(error.to_string(), "no fallback skin");
    }
}

#[test]
fn when_the_fallback_player_has_no_skin() {
    let texture = "texture/d5c4ee5ce20aed9e33e866c66caa37178606234b3721084bf01d13320fb2eb3f";
    let steve = Answer::ok(r#"{"id":"c06f89064c8a49119c29ea1dbd1aab82","name":"Steve"}"#);
    for (answer, found) in [
        (Answer::texture("default"), true),
        (Answer::status(500), false),
    ] {
        let upstream = upstream()
            .on(SKIN, Answer::file(200, "skin-none.json"))
            .on("identity/Steve", steve.clone())
            .on(
                "session/c06f89064c8a49119c29ea1dbd1aab82",
                session_with(r#"{"textures":{}}"#),
            )
            .on(texture, answer);
        let resolved = upstream.resolve(".Tag");
        assert_eq!(resolved.is_ok(), found);
        if let Ok(resolved) = resolved {
            assert_eq!(resolved.origin, SkinOrigin::DefaultSkin);
            assert_eq!(skin(&resolved), ("default".to_owned(), Model::Slim));
        }
        assert_eq!(upstream.calls().len(), 5, "the fallback is tried once");
    }
}

#[test]
fn the_fallback_replaces_a_default_skin_that_is_not_available() {
    let texture = "texture/46acd06e8483b176e8ea39fc12fe105eb3a2a4970f5100057e9d84d4b60bdfa7";
    let session = format!("session/{NOTCH}");
    for answer in [
        Answer::status(404),
        Answer::status(500),
        Answer::ok("broken"),
        Answer::Hang,
        Answer::Reset,
    ] {
        let upstream = Canned::new()
            .on(&session, session_with(r#"{"textures":{}}"#))
            .on(texture, answer.clone());
        let resolved = upstream.resolve(NOTCH).unwrap();
        assert_eq!(resolved.origin, SkinOrigin::Outage, "{answer:?}");
        assert_eq!(skin(&resolved), ("Steve".to_owned(), Model::Classic));
        let calls = upstream.calls();
        assert_eq!(calls[..2], [session.as_str(), texture]);
        assert_eq!(calls[2..], STEVE_CALLS);
    }
}

#[test]
fn there_is_no_fallback_for_a_java_player() {
    let session = format!("session/{NOTCH}");
    let upstream = Canned::new().on(
        &session,
        session_with(&textures_with_url("https://evil.com/x")),
    );
    let error = upstream.resolve(NOTCH).unwrap_err();
    assert!(
        matches!(&error, UpstreamError::TextureUrl { url } if url == "https://evil.com/x"),
        "{error:?}"
    );
    assert_eq!(upstream.calls(), [session]);
}
