//! The URLs of services whose users move here, as their clients write them.

use crate::support::{Picture, Server, assert_error, assert_picture, bust, combo, head, skin_of};
use effigy_render::Layers;
use fixtures::{Fault, Step, player};

const BASE: Layers = Layers::Base;
const WORN: Layers = Layers::WithOverlay;

#[test]
fn dashed_uuids_are_redirected() {
    let server = Server::start();
    let dashed = server.get("/minotar/helm/523239d6-f395-4d77-8c25-aa3d0db1e779/64?t=1");
    assert_eq!((dashed.status, dashed.body.len()), (301, 0));
    // Whatever path a proxy puts in front of it.
    let location = Some("./../523239d6f3954d778c25aa3d0db1e779/64?t=1");
    assert_eq!(dashed.header("location"), location);
}

#[test]
fn crafatar_shows_the_default_for_a_player_without_a_skin() {
    let server = Server::start();
    let uuid = |name: &str| player(name).uuid().unwrap();
    let (newcomer, nobody) = (uuid("Newcomer"), "10000000111122223333444455556666");
    let own = server.ok(&format!("/skin/{newcomer}"));
    // Steve, by the hash code, if the default does not exist either.
    let (alex, steve) = (skin_of("MHF_Alex"), skin_of("MHF_Steve"));
    let rows = [
        (newcomer, "MHF_Alex", alex),
        (newcomer, uuid("Gwendolin"), "knight"),
        (newcomer, nobody, steve),
        (nobody, uuid("Gwendolin"), "knight"),
        (nobody, "20000000111122223333444455556666", steve),
        // A UUID of a server in offline mode is nobody's.
        (nobody, "20000000111132223333444455556666", steve),
        (uuid("Hazel"), "MHF_Alex", skin_of("Hazel")),
    ];
    for (player, default, shown) in rows {
        for _ in 0..2 {
            let reply = server.get(&format!("/crafatar/skins/{player}?default={default}"));
            assert_picture(&reply, Picture::Skin, shown);
        }
    }
    let face = format!("/crafatar/avatars/{newcomer}?size=64&default=alex");
    assert_picture(&server.get(&face), head(BASE, 64), alex);
    // Whoever is shown as the default may have set none.
    for (player, query) in [
        (nobody, format!("?default={newcomer}")),
        (newcomer, String::new()),
        (newcomer, "?default=404".to_owned()),
    ] {
        let reply = server.ok(&format!("/crafatar/skins/{player}{query}"));
        assert!(reply.body == own.body, "{player}{query}");
    }
}

/// As Minotar and Crafatar do. Nothing of it is kept, since the file may be replaced.
#[test]
fn a_player_without_a_usable_texture_is_shown_as_steve() {
    let faults = [
        (
            Fault::WrongPng,
            "Mojang sent a JPEG image in place of the texture",
        ),
        (
            Fault::NotJson,
            "Mojang sent an HTML page in place of the texture",
        ),
        (
            Fault::status(403),
            "Mojang sent status 403 in place of the texture",
        ),
        (
            Fault::status(404),
            "Mojang sent status 404 in place of the texture",
        ),
    ];
    for (fault, message) in faults {
        let server = Server::start_forgetful();
        server.upstream.set_fault(Step::Texture, Some(fault));
        let uuid = player("Gwendolin").uuid().unwrap();
        for path in [
            "/minotar/helm/Gwendolin/64".to_owned(),
            format!("/crafatar/avatars/{uuid}?size=64"),
        ] {
            let reply = server.get(&path);
            assert_eq!(reply.status, 200, "{path}");
            assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        }
        assert_error(&server.get("/v1/face/Gwendolin"), 502, message);
    }
}

#[test]
fn a_bedrock_player_is_shown_as_steve_in_an_outage() {
    let server = Server::start();
    // Bedrock's service says that there is no such player, or nothing: Steve is shown as far as he is known.
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
