//! Spec, "Profile resolution": which upstream calls a request makes, and in which order.

use crate::support::{Server, assert_picture, head, player as player_view};
use effigy_render::Layers;
use fixtures::player;

#[test]
fn the_calls_and_their_order() {
    let server = Server::start();
    let [gwendolin, steve] = ["Gwendolin", "Steve"].map(|name| player(name).uuid().unwrap());
    let by_name = format!("name/Gwendolin uuid/{gwendolin} texture");
    let by_uuid = format!("uuid/{gwendolin} texture");
    let (typed, by_xuid) = ("00002535468413142004", "xuid/2535468413142004 texture");
    let by_gamertag = "gamertag/Bluejay xuid/2535468413142004 texture";
    let fallback = "gamertag/NoPocketSkin xuid/2535405370948043 name/Steve uuid/{} texture";
    let fallback = fallback.replace("{}", steve);
    for (input, skin, calls) in [
        ("Gwendolin", "knight", &*by_name),
        // A UUID skips the first call and is sent without dashes.
        ("523239D6-F395-4D77-8C25-AA3D0DB1E779", "knight", &by_uuid),
        (".Bluejay", "diver", by_gamertag),
        // An XUID skips the first call and is sent as it was typed; a Floodgate UUID is one.
        (typed, "diver", &format!("xuid/{typed} texture")),
        ("00000000-0000-0000-0009-01febe1ac3f4", "diver", by_xuid),
        // Steve, which the response does not show.
        (".NoPocketSkin", "neutral", &fallback),
    ] {
        server.upstream.reset_calls();
        let reply = server.get(&format!("/head/{input}"));
        assert_picture(&reply, head(Layers::Base, 128), skin);
        let texture = server.upstream.texture_url(skin);
        let calls = calls
            .replace("xuid/", "/v2/skin/")
            .replace("gamertag/", "/v2/xbox/xuid/")
            .replace("uuid/", "/session/minecraft/profile/")
            .replace("name/", "/users/profiles/minecraft/")
            .replace("texture", &texture.replace(server.upstream.url(), ""));
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
