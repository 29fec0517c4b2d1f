//! `default=default-skin`: the skin that the game shows for the UUID of a missing player.

use effigy_render::Layers;
use fixtures::{Fault, Step};
use serde_json::Value;

use crate::support::{Server, assert_picture, bust};

/// A UUID that nobody has. Its default skin is slim Ari.
const NOBODYS_UUID: &str = "10000000111122223333444455556667";

/// The hash of a texture that nobody has.
const NO_TEXTURE: &str = "1111111111111111111111111111111111111111111111111111111111111111";

/// Slim Ari.
const ARI: &str = "6ac6ca262d67bcfb3dbc924ba8215a18195497c780058a5749de674217721892";

/// Classic Efe, the default skin of the name "Nobody" on a server without accounts.
const EFE: &str = "daf3d88ccb38f11f74814e92053d92f7728ddb1a7955652a60e30cb27ae6659f";

/// Classic Steve.
const STEVE: &str = "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb";

/// The `Cache-Control` of a player who may exist soon.
const SHORT: &str = "public, max-age=60, stale-while-revalidate=60";

/// Asserts that a path shows the same as the picture of a texture on this model, and says that it
/// is a substitute.
#[track_caller]
fn assert_shows(server: &Server, path: &str, hash: &str, model: &str) {
    let reply = server.ok(&format!("{path}&size=32&default=default-skin"));
    let expected = server.ok(&format!("/v1/texture/{hash}/bust?size=32&model={model}"));
    assert!(reply.body == expected.body, "{path}");
    assert_eq!(reply.header("x-effigy-substitute"), Some("default"));
    assert_eq!(reply.header("cache-control"), Some(SHORT), "{path}");
}

#[test]
fn missing_uuid_has_the_skin_that_the_game_chooses() {
    let path = format!("/v1/bust/{NOBODYS_UUID}?");
    assert_shows(&Server::start(), &path, ARI, "slim");
}

#[test]
fn missing_name_has_the_skin_of_its_offline_uuid() {
    assert_shows(&Server::start(), "/v1/bust/Nobody?", EFE, "classic");
}

#[test]
fn missing_bedrock_player_is_shown_as_steve() {
    let server = Server::start();
    for player in [".Nobody", "00002535400000000"] {
        assert_shows(&server, &format!("/v1/bust/{player}?"), STEVE, "classic");
    }
}

#[test]
fn request_that_names_no_player_shows_steve() {
    let server = Server::start();
    for path in [
        "/v1/bust/?".to_owned(),
        "/v1/bust/{uuid}?".to_owned(),
        "/v1/bust?uuid=".to_owned(),
        format!("/v1/bust/{NO_TEXTURE}?"),
        format!("/v1/texture/{NO_TEXTURE}/bust?"),
    ] {
        assert_shows(&server, &path, STEVE, "classic");
    }
}

#[test]
fn first_player_that_is_named_chooses_the_skin() {
    let server = Server::start();
    let uuid = format!("/v1/bust?texture={NO_TEXTURE}&uuid={NOBODYS_UUID}&name=Nobody");
    assert_shows(&server, &uuid, ARI, "slim");
    let name = format!("/v1/bust?texture={NO_TEXTURE}&uuid=&name=Nobody");
    assert_shows(&server, &name, EFE, "classic");
}

#[test]
fn skin_file_is_the_texture() {
    let server = Server::start();
    let file = server.ok("/v1/skin/Nobody?default=default-skin");
    let texture = server.ok(&format!("/v1/texture/{EFE}"));
    assert!(file.body == texture.body);
}

#[test]
fn each_missing_player_of_a_sheet_has_a_default_skin() {
    let server = Server::start();
    let query = format!("players=Nobody,Gwendolin,{NOBODYS_UUID},.Nobody&default=default-skin");
    let sheet = server.ok(&format!("/v1/sheet?{query}"));
    let of_textures = format!("/v1/sheet?players={EFE},Gwendolin,{ARI},{STEVE}");
    assert!(sheet.body == server.ok(&of_textures).body);
    assert_eq!(sheet.header("cache-control"), Some(SHORT));
    let places = server.ok(&format!("/v1/sheet.json?{query}")).json();
    let players = places["players"].as_array().unwrap();
    let missing: Vec<&Value> = players.iter().map(|place| &place["missing"]).collect();
    assert_eq!(missing, [true, false, true, true]);
}

#[test]
fn outage_of_profiles_shows_the_default_skin_uncached() {
    let server = Server::start_forgetful();
    server.fail(Step::Session);
    let reply = server.ok(&format!(
        "/v1/bust/{NOBODYS_UUID}?size=32&default=default-skin"
    ));
    let expected = server.ok(&format!("/v1/texture/{ARI}/bust?size=32&model=slim"));
    assert!(reply.body == expected.body);
    assert_eq!(reply.header("x-effigy-substitute"), Some("default"));
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
}

#[test]
fn outage_of_textures_shows_the_built_in_skin() {
    let server = Server::start_forgetful();
    server.fail(Step::Texture);
    let reply = server.ok("/v1/bust/Nobody?size=32&default=default-skin");
    assert_picture(&reply, bust(Layers::WithOverlay, 32), "neutral");
    assert_eq!(reply.header("x-effigy-substitute"), Some("fallback"));
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
    let sheet = server.ok("/v1/sheet?players=Nobody&default=default-skin");
    assert_eq!(sheet.header("cache-control"), Some("no-cache"));
}

#[test]
fn service_without_the_texture_shows_the_built_in_skin() {
    let server = Server::start_forgetful();
    let gone = Some(Fault::status(404));
    server.upstream.set_fault(Step::Texture, gone);
    let reply = server.ok("/v1/bust/Nobody?size=32&default=default-skin");
    assert_picture(&reply, bust(Layers::WithOverlay, 32), "neutral");
    assert_eq!(reply.header("x-effigy-substitute"), Some("default"));
}
