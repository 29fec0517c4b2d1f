//! Spec, "Profile resolution": which upstream calls a request makes, and in which order.

use crate::support::{Server, assert_picture, head, player as player_view};
use effigy_render::Layers;
use fixtures::player;

#[test]
fn the_calls_and_their_order() {
    let server = Server::start();
    let texture = |skin: &str| {
        let url = server.upstream.texture_url(skin);
        url.strip_prefix(server.upstream.url()).unwrap().to_owned()
    };
    let [knight, diver, neutral] = ["knight", "diver", "neutral"].map(texture);
    let [gwendolin, steve] = ["Gwendolin", "Steve"].map(|name| player(name).uuid().unwrap());
    let (name, uuid) = ("/users/profiles/minecraft", "/session/minecraft/profile");
    let (gamertag, xuid) = ("/v2/xbox/xuid", "/v2/skin");
    for (input, skin, calls) in [
        (
            "Gwendolin",
            "knight",
            format!("{name}/Gwendolin {uuid}/{gwendolin} {knight}"),
        ),
        // A UUID skips the first call and is sent without dashes.
        (
            "523239D6-F395-4D77-8C25-AA3D0DB1E779",
            "knight",
            format!("{uuid}/{gwendolin} {knight}"),
        ),
        (
            ".Bluejay",
            "diver",
            format!("{gamertag}/Bluejay {xuid}/2535468413142004 {diver}"),
        ),
        // An XUID skips the first call and is sent as it was typed; a Floodgate UUID is one.
        (
            "00002535468413142004",
            "diver",
            format!("{xuid}/00002535468413142004 {diver}"),
        ),
        (
            "00000000-0000-0000-0009-01febe1ac3f4",
            "diver",
            format!("{xuid}/2535468413142004 {diver}"),
        ),
        // The fallback, which the response does not show.
        (
            ".NoPocketSkin",
            "neutral",
            format!(
                "{gamertag}/NoPocketSkin {xuid}/2535405370948043 \
                 {name}/Steve {uuid}/{steve} {neutral}"
            ),
        ),
    ] {
        server.upstream.reset_calls();
        let reply = server.get(&format!("/head/{input}"));
        assert_picture(&reply, head(Layers::Base, 128), skin);
        let requests = server.upstream.requests().join(" ");
        assert_eq!(requests.replace("GET ", ""), calls, "{input}");
    }
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
