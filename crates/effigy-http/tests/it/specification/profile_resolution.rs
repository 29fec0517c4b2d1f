//! Spec, "Profile resolution": the upstream calls of a request, and their order.

use effigy_render::Layers;

use crate::support::{Server, assert_picture, head, player, uuid_of};

/// Asserts that a request makes these calls in this order, and then one for the texture of the
/// skin, which the picture shows.
#[track_caller]
fn assert_calls(input: &str, skin: &str, calls: &[&str]) {
    let server = Server::start();
    let reply = server.get(&format!("/head/{input}"));
    assert_picture(&reply, head(Layers::Base, 128), skin);

    let texture = server.upstream.texture_url(skin);
    let texture = texture.replace(server.upstream.url(), "");
    let mut expected: Vec<String> = calls.iter().map(|path| format!("GET {path}")).collect();
    expected.push(format!("GET {texture}"));
    assert_eq!(server.upstream.requests(), expected, "{input}");
}

#[test]
fn a_java_name_takes_a_call_for_its_uuid_first() {
    let profile = format!("/session/minecraft/profile/{}", uuid_of("Gwendolin"));
    let calls = ["/users/profiles/minecraft/Gwendolin", &profile];
    assert_calls("Gwendolin", "knight", &calls);
}

#[test]
fn a_java_uuid_is_sent_without_dashes() {
    let profile = format!("/session/minecraft/profile/{}", uuid_of("Gwendolin"));
    let dashed = "523239D6-F395-4D77-8C25-AA3D0DB1E779";
    assert_calls(dashed, "knight", &[&profile]);
}

#[test]
fn a_gamertag_takes_a_call_for_its_xuid_first() {
    let calls = ["/v2/xbox/xuid/Bluejay", "/v2/skin/2535468413142004"];
    assert_calls(".Bluejay", "diver", &calls);
}

#[test]
fn an_xuid_is_sent_as_it_was_typed() {
    let calls = ["/v2/skin/00002535468413142004"];
    assert_calls("00002535468413142004", "diver", &calls);
}

#[test]
fn a_floodgate_uuid_is_an_xuid() {
    let floodgate = "00000000-0000-0000-0009-01febe1ac3f4";
    assert_calls(floodgate, "diver", &["/v2/skin/2535468413142004"]);
}

#[test]
fn a_bedrock_player_without_a_skin_takes_the_calls_for_steve() {
    let steve = format!("/session/minecraft/profile/{}", uuid_of("Steve"));
    let calls = [
        "/v2/xbox/xuid/NoPocketSkin",
        "/v2/skin/2535405370948043",
        "/users/profiles/minecraft/Steve",
        &steve,
    ];
    assert_calls(".NoPocketSkin", "neutral", &calls);
}

#[test]
fn the_model_belongs_to_the_player() {
    let server = Server::start();
    let body = player(Layers::WithOverlay, 128);
    let rows = [
        ("UvSlim", "uv_slim"),
        ("UvClassic", "uv_classic"),
        (".SlimPocket", "gardener"),
    ];
    for (input, skin) in rows {
        assert_picture(&server.get(&format!("/player/{input}/128/hat")), body, skin);
    }
}
