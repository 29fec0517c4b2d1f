//! Every fault at every step of a look-up.

use crate::support::canned::{Answer, BEDROCK_TEXTURE, Canned, NOTCH, NOTCH_TEXTURE, kind};

const SKIN: &str = "skin/2535432196048835";

#[test]
fn each_fault_of_each_call_has_its_outcome() {
    let session = &*format!("session/{NOTCH}");
    let steps = [
        ("Notch", "identity/Notch"),
        ("Notch", session),
        ("Notch", NOTCH_TEXTURE),
        (".Tag", "xuid/Tag"),
        (".Tag", SKIN),
        (".Tag", BEDROCK_TEXTURE),
    ];
    let late = "no complete response in time";
    let refused = "there is no connection";
    let broken = "the connection failed";
    let large = "the response is larger than 262144 bytes";
    let larger = "the response is larger than 1048576 bytes";
    // The outcome for calls that return JSON, and for textures.
    let rows = [
        (Answer::Hang, late, late),
        (Answer::Reset, broken, broken),
        (Answer::Refused, refused, refused),
        (Answer::TooLarge, large, larger),
        (Answer::ok("<html>"), "no object", "an HTML page"),
        (Answer::ok(""), "no object", "an empty file"),
        (Answer::status(204), "not found", "204"),
        (Answer::file(400, "rate-limited.html"), "400", "400"),
        (Answer::file(404, "gone.html"), "404", "404"),
        (Answer::status(302), "302", "302"),
        (Answer::status(401), "401", "401"),
        (Answer::status(403), "403", "403"),
        (Answer::status(410), "410", "410"),
        (Answer::status(429), "429", "429"),
        (Answer::status(500), "500", "500"),
        (Answer::status(503), "503", "503"),
    ];
    for (input, call) in steps {
        for (answer, json, texture) in &rows {
            let is_texture = call.starts_with("texture/");
            let expected = *if is_texture { texture } else { json };
            let upstream = Canned::with_notch()
                .on("xuid/Tag", Answer::record("xuid-number"))
                .on(SKIN, Answer::record("skin-record"))
                .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
                // The other form of the look-up fails too.
                .on("current/Notch", answer.clone())
                .on(call, answer.clone());
            let error = upstream.resolve(input).expect_err(call);
            assert_eq!(kind(&error), expected, "{call} {answer:?}");
            assert_eq!(error.is_outage(), expected != "not found", "{call}");
        }
    }
}
