//! Failures of each call for a Bedrock player: whether there is no such player, or an outage.

use effigy_upstream::UpstreamError;

use crate::support::canned::{
    Answer, BEDROCK_TEXTURE, Canned, NOTCH, session_with, textures_with_url,
};
use crate::support::resolve::{Origin, origin};

const XUID: &str = "xuid/Tag";
const SKIN: &str = "skin/2535432196048835";

fn upstream() -> Canned {
    Canned::new()
        .on(XUID, Answer::file(200, "xuid-number.json"))
        .on(SKIN, Answer::file(200, "skin-record.json"))
        .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
}

/// Makes one call for a Bedrock player fail, and checks the outcome. No call is made after it.
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
            (Answer::file(200, "xuid-nobody.json"), Origin::NotFound),
            (Answer::ok(r#"{"xuid":null}"#), Origin::NotFound),
            (
                Answer::file(503, "xuid-not-in-cache.json"),
                Origin::NotFound,
            ),
            (Answer::file(400, "xuid-malformed.json"), Origin::NotFound),
            (Answer::status(404), Origin::NotFound),
            (Answer::file(404, "gone.json"), Origin::NotFound),
            (Answer::file(404, "gone.html"), Origin::Outage),
            (Answer::file(400, "rate-limited.html"), Origin::Outage),
            (Answer::status(204), Origin::NotFound),
            (Answer::file(503, "overload.json"), Origin::Outage),
            (Answer::status(503), Origin::Outage),
            (Answer::file(500, "xuid-not-in-cache.json"), Origin::Outage),
            (Answer::status(302), Origin::Outage),
            (Answer::status(401), Origin::Outage),
            (Answer::file(403, "rate-limited.html"), Origin::Outage),
            (Answer::file(429, "rate-limited.html"), Origin::Outage),
            (Answer::file(200, "rate-limited.html"), Origin::Outage),
            (Answer::ok("[]"), Origin::Outage),
            (Answer::ok(r#"{"xuid":""}"#), Origin::Outage),
            (Answer::ok(r#"{"xuid":"../x"}"#), Origin::Outage),
            (Answer::ok(r#"{"xuid":-1}"#), Origin::Outage),
            (Answer::ok(r#"{"xuid":1.5}"#), Origin::Outage),
            (Answer::ok(r#"{"xuid":[1]}"#), Origin::Outage),
            (Answer::Hang, Origin::Outage),
            (Answer::Reset, Origin::Outage),
            (Answer::TooLarge, Origin::Outage),
        ],
    );
}

#[test]
fn when_the_skin_record_fails() {
    check(
        SKIN,
        &[
            (Answer::file(200, "skin-none.json"), Origin::Default),
            (
                Answer::file(400, "skin-malformed-xuid.json"),
                Origin::NotFound,
            ),
            (Answer::status(404), Origin::NotFound),
            (Answer::file(404, "gone.html"), Origin::Outage),
            (Answer::file(503, "overload.json"), Origin::Outage),
            (Answer::status(500), Origin::Outage),
            (Answer::status(403), Origin::Outage),
            (Answer::status(429), Origin::Outage),
            (Answer::ok("[]"), Origin::Outage),
            (Answer::ok("<html>"), Origin::Outage),
            (Answer::ok(r#"{"hash":"x"}"#), Origin::Outage),
            (
                Answer::ok(r#"{"skin_url":"https://textures.minecraft.net.evil.com/x"}"#),
                Origin::Outage,
            ),
            (Answer::Hang, Origin::Outage),
            (Answer::Reset, Origin::Outage),
            (Answer::TooLarge, Origin::Outage),
        ],
    );
}

#[test]
fn when_the_texture_fails() {
    check(
        BEDROCK_TEXTURE,
        &[
            (Answer::status(404), Origin::Outage),
            (Answer::status(500), Origin::Outage),
            (Answer::status(302), Origin::Outage),
            (Answer::ok("broken"), Origin::Outage),
            (Answer::Hang, Origin::Outage),
            (Answer::Reset, Origin::Outage),
            (Answer::TooLarge, Origin::Outage),
        ],
    );
}

#[test]
fn a_texture_url_that_is_not_allowed_is_not_fetched() {
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
