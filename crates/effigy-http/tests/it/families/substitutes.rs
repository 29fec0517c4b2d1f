//! The players whom the URLs of other services show instead of one who is missing, has no skin, or
//! is not available.

use effigy_render::Layers;
use fixtures::{Fault, Step};

use crate::support::{
    Picture, Server, assert_error, assert_picture, bust, combo, head, skin_of, uuid_of,
};

const BASE: Layers = Layers::Base;
const WORN: Layers = Layers::WithOverlay;

/// The UUID of nobody. Its hash code is even, so Steve is shown for it.
const NOBODYS_UUID: &str = "10000000111122223333444455556666";

/// Asserts that Crafatar's path for a skin shows this one, at a miss and at a hit.
#[track_caller]
fn assert_crafatar_skin(server: &Server, uuid: &str, default: &str, shown: &str) {
    for _ in 0..2 {
        let reply = server.get(&format!("/crafatar/skins/{uuid}?default={default}"));
        assert_picture(&reply, Picture::Skin, shown);
    }
}

#[test]
fn crafatar_shows_the_default_for_a_missing_player() {
    let server = Server::start();
    let default = uuid_of("Gwendolin");
    assert_crafatar_skin(&server, NOBODYS_UUID, default, "knight");
}

#[test]
fn crafatar_shows_the_default_for_a_player_without_a_skin() {
    let server = Server::start();
    let newcomer = uuid_of("Newcomer");
    let alex = skin_of("MHF_Alex");
    assert_crafatar_skin(&server, newcomer, "MHF_Alex", alex);
    assert_crafatar_skin(&server, newcomer, uuid_of("Gwendolin"), "knight");
    let face = format!("/crafatar/avatars/{newcomer}?size=64&default=alex");
    assert_picture(&server.get(&face), head(BASE, 64), alex);
}

#[test]
fn crafatar_shows_no_default_for_a_player_with_a_skin() {
    let server = Server::start();
    assert_crafatar_skin(&server, uuid_of("Hazel"), "MHF_Alex", skin_of("Hazel"));
}

#[test]
fn crafatar_shows_steve_for_a_default_that_is_missing() {
    let server = Server::start();
    let steve = skin_of("MHF_Steve");
    assert_crafatar_skin(&server, uuid_of("Newcomer"), NOBODYS_UUID, steve);
    let another_nobody = "20000000111122223333444455556666";
    assert_crafatar_skin(&server, NOBODYS_UUID, another_nobody, steve);
    // A UUID of a server in offline mode is nobody's.
    let offline = "20000000111132223333444455556666";
    assert_crafatar_skin(&server, NOBODYS_UUID, offline, steve);
}

#[test]
fn crafatar_shows_the_games_skin_if_no_default_helps() {
    let server = Server::start();
    let newcomer = uuid_of("Newcomer");
    let of_game = server.ok(&format!("/skin/{newcomer}"));
    for (uuid, query) in [
        // The default has set no skin.
        (NOBODYS_UUID, format!("?default={newcomer}")),
        (newcomer, String::new()),
        (newcomer, "?default=404".to_owned()),
    ] {
        let reply = server.ok(&format!("/crafatar/skins/{uuid}{query}"));
        assert!(reply.body == of_game.body, "{uuid}{query}");
    }
}

/// Minotar and Crafatar do so. The picture is not kept, since the file may be replaced.
#[test]
fn a_player_without_a_usable_texture_is_shown_as_steve() {
    for fault in [
        Fault::WrongPng,
        Fault::NotJson,
        Fault::status(403),
        Fault::status(404),
    ] {
        let server = Server::start_forgetful();
        server.upstream.set_fault(Step::Texture, Some(fault));
        let uuid = uuid_of("Gwendolin");
        for path in [
            "/minotar/helm/Gwendolin/64",
            &format!("/crafatar/avatars/{uuid}?size=64"),
        ] {
            let reply = server.ok(path);
            assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        }
    }
}

/// The paths under `/v1/` say what the upstream sent instead.
#[test]
fn a_texture_that_is_not_usable_is_an_error_under_v1() {
    for (fault, sent) in [
        (Fault::WrongPng, "a JPEG image"),
        (Fault::NotJson, "an HTML page"),
        (Fault::status(403), "status 403"),
        (Fault::status(404), "status 404"),
    ] {
        let server = Server::start_forgetful();
        server.upstream.set_fault(Step::Texture, Some(fault));
        let message = format!("Mojang sent {sent} in place of the texture");
        assert_error(&server.get("/v1/face/Gwendolin"), 502, &message);
    }
}

/// Bedrock's service says that there is no such player, or nothing. Steve is shown in either case,
/// as far as he is known.
#[test]
fn a_bedrock_player_is_shown_as_steve_in_an_outage() {
    let server = Server::start();
    for (step, gamertag) in [(Step::Identity, ".Nobody"), (Step::Xuid, ".Bluejay")] {
        server.fail(step);
        for (path, picture) in [
            ("/minotar/bust/{}/64", bust(BASE, 64)),
            ("/mc-heads/combo/{}/64", combo(WORN, 64)),
            ("/minotar/helm/{}/64", head(WORN, 64)),
        ] {
            let reply = server.get(&path.replace("{}", gamertag));
            assert_picture(&reply, picture, "neutral");
            assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        }
        server.mend(step);
    }
}
