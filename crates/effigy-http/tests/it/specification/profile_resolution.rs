//! Spec, "Profile resolution": which upstream calls a request makes, and in which order.

use crate::support::{Picture, Server, assert_error, assert_picture, head, player as player_view};
use effigy_render::Layers;
use fixtures::{Fault, Step, player};

fn face() -> Picture {
    head(Layers::Base, 128)
}

/// Asks for one head and returns the upstream calls it took.
fn calls_for(server: &Server, input: &str) -> Vec<String> {
    server.upstream.reset_calls();
    let reply = server.get(&format!("/head/{input}"));
    assert_eq!(reply.status, 200, "{input}");
    server.upstream.requests()
}

fn texture(server: &Server, skin: &str) -> String {
    let url = server.upstream.texture_url(skin);
    format!("GET {}", url.strip_prefix(server.upstream.url()).unwrap())
}

#[test]
fn java_calls() {
    let server = Server::start();
    let uuid = player("Gwendolin").uuid().unwrap();
    let session = format!("GET /session/minecraft/profile/{uuid}");
    let knight = texture(&server, "knight");
    let by_name = calls_for(&server, "Gwendolin");
    let identity = "GET /users/profiles/minecraft/Gwendolin".to_owned();
    assert_eq!(by_name, [identity, session.clone(), knight.clone()]);
    // A UUID skips the first call and is sent without dashes.
    let dashed = "523239D6-F395-4D77-8C25-AA3D0DB1E779";
    assert_eq!(calls_for(&server, dashed), [session, knight]);
}

#[test]
fn bedrock_calls() {
    let server = Server::start();
    let skin = "GET /v2/skin/2535468413142004".to_owned();
    let diver = texture(&server, "diver");
    let by_gamertag = calls_for(&server, ".Bluejay");
    let xuid = "GET /v2/xbox/xuid/Bluejay".to_owned();
    assert_eq!(by_gamertag, [xuid, skin.clone(), diver.clone()]);
    // An XUID skips the first call; a Floodgate UUID is one.
    let as_typed = "GET /v2/skin/00002535468413142004".to_owned();
    assert_eq!(
        calls_for(&server, "00002535468413142004"),
        [as_typed, diver.clone()]
    );
    let floodgate = calls_for(&server, "00000000-0000-0000-0009-01febe1ac3f4");
    assert_eq!(floodgate, [skin, diver]);
}

#[test]
fn bedrock_falls_back_to_steve() {
    let server = Server::start();
    let steve = player("Steve").uuid().unwrap();
    let calls = calls_for(&server, ".NoPocketSkin");
    let tail = [
        "GET /users/profiles/minecraft/Steve".to_owned(),
        format!("GET /session/minecraft/profile/{steve}"),
        texture(&server, "neutral"),
    ];
    assert!(calls.ends_with(&tail), "{calls:?}");
    // The response does not show that it is a fallback.
    assert_picture(&server.get("/head/.NoPocketSkin"), face(), "neutral");
}

#[test]
fn without_steve_there_is_no_fallback() {
    let server = Server::start();
    server
        .upstream
        .set_fault(Step::Session, Some(Fault::status(500)));
    let reply = server.get("/head/.NoPocketSkin");
    assert_error(&reply, 500, "Failed to render head");
}

#[test]
fn the_model_belongs_to_the_player() {
    let server = Server::start();
    let body = player_view(Layers::WithOverlay, 128);
    let rows = [
        ("UvSlim", "uv_slim"),
        ("UvClassic", "uv_classic"),
        (".SlimPocket", "gardener"),
    ];
    for (input, skin) in rows {
        assert_picture(&server.get(&format!("/player/{input}/128/hat")), body, skin);
    }
}

#[test]
fn a_java_player_without_a_skin_has_the_game_s_default() {
    let server = Server::start();
    for input in ["Newcomer", "Beginner", "CapeBearer"] {
        let calls = calls_for(&server, input);
        assert_eq!(calls.len(), 3, "{input}: {calls:?}");
        assert!(calls[2].starts_with("GET /texture/"), "{input}: {calls:?}");
        // It is the player's picture, so it is kept.
        let again = server.get(&format!("/head/{input}"));
        assert_eq!(again.header("x-cache"), Some("hit"), "{input}");
    }
}
