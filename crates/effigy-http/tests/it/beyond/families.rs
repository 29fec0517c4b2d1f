//! The URLs of services whose users move here, as their clients write them.

use crate::support::{
    DOWNLOAD, SKIN, Server, assert_error, assert_picture, avatar, bust, combo, head, in_frame,
    ioshead, player as player_view, svg, without_overlay,
};
use effigy_render::{Facing, Layers};
use fixtures::{Fault, Step, player};

const BASE: Layers = Layers::Base;
const WORN: Layers = Layers::WithOverlay;

fn skin_of(name: &str) -> &'static str {
    player(name).skin().unwrap().name
}

/// A test of the document requests every path. The parsers' tests have the parameters of each picture.
#[test]
fn every_family_gives_its_pictures() {
    let server = Server::start();
    let (left, right) = (Facing::Left, Facing::Right);
    let framed = in_frame(ioshead(right, 185), [200, 185]);
    let bare = in_frame(without_overlay(avatar(right, 120)), [120, 270]);
    let uuid = player("Gwendolin").uuid().unwrap();
    for (path, picture) in [
        ("/crafatar/renders/head/{}?scale=10&overlay", framed),
        ("/crafatar/renders/body/{}", bare),
        ("/minotar/armor/body/{}/5000", player_view(WORN, 300)),
        ("/minotar/bust/{}/64", bust(BASE, 64)),
        ("/mc-heads/head/Gwendolin/64/left", ioshead(left, 64)),
        ("/mc-heads/combo/{}", combo(WORN, 180)),
    ] {
        let reply = server.get(&path.replace("{}", uuid));
        assert_picture(&reply, picture, "knight");
        let kept = reply.header("cache-control").unwrap();
        assert!(kept.starts_with("public, max-age="), "{path}: {kept}");
        assert!(reply.header("etag").is_some(), "{path}");
    }
    let path = format!("/minotar/helm/{uuid}/64.svg");
    let scalable = svg(head(WORN, 64)).of(fixtures::skin("knight"));
    assert_eq!(server.get(&path).body, scalable);
}

#[test]
fn uuids_are_of_one_form() {
    let server = Server::start();
    let bad = server.get("/crafatar/capes/x");
    assert_error(&bad, 422, "Invalid UUID");
    // Whatever path a proxy puts in front of it.
    let uuid = "523239d6f3954d778c25aa3d0db1e779";
    for (path, expected) in [
        ("", uuid.to_owned()),
        ("/", format!("../{uuid}/")),
        ("?t=1&%22", format!("{uuid}?t=1&%22")),
        ("/64.png", format!("../{uuid}/64.png")),
        ("/64/?t=1", format!("../../{uuid}/64/?t=1")),
    ] {
        let dashed = "/minotar/helm/523239d6-f395-4d77-8c25-aa3d0db1e779";
        let moved = server.get(&format!("{dashed}{path}"));
        assert_eq!((moved.status, moved.body.len()), (301, 0), "{path}");
        let location = moved.header("location").unwrap();
        assert_eq!(location, format!("./{expected}"), "{path}");
        let target = expected.trim_start_matches("../");
        let size = if target.contains("64") { 64 } else { 180 };
        let reply = server.get(&format!("/minotar/helm/{target}"));
        assert_picture(&reply, head(WORN, size), "knight");
    }
}

#[test]
fn crafatar_has_capes() {
    let server = Server::start();
    let cape = |name: &str| {
        let uuid = player(name).uuid().unwrap();
        server.get(&format!("/crafatar/capes/{uuid}"))
    };
    let worn = cape("Corvina");
    assert_eq!((worn.status, worn.body.as_slice()), (200, fixtures::cape()));
    assert_error(&cape("Gwendolin"), 404, "The player has no cape");
    server
        .upstream
        .set_fault(Step::Session, Some(Fault::status(500)));
    assert_error(
        &cape("Hazel"),
        502,
        "Mojang is not answering; try again later",
    );
}

#[test]
fn mc_heads_takes_textures_for_players() {
    let server = Server::start();
    let profile = server.get("/v1/profile/Gwendolin").json();
    let url = profile["texture_url"].as_str().unwrap();
    let hash = url.rsplit('/').next().unwrap();
    let face = server.get(&format!("/mc-heads/avatar/{hash}/64"));
    assert_picture(&face, head(WORN, 64), "knight");
    let file = server.get(&format!("/mc-heads/download/{hash}"));
    assert_picture(&file, DOWNLOAD, "knight");
    let name = file.header("content-disposition").unwrap();
    assert!(name.contains(&format!("{hash}_skin.png")), "{name}");
    let nothing = format!("/mc-heads/avatar/{}", "ab".repeat(32));
    assert_error(&server.get(&nothing), 404, "No such texture");
}

#[test]
fn unknown_players_are_shown_as_steve() {
    let server = Server::start();
    let nobody = "00000000111122223333444455556666".replace("00000000", "10000000");
    let steve = skin_of("MHF_Steve");
    for path in ["/minotar/helm/Nobody/64", "/mc-heads/avatar/Nobody/64"] {
        assert_picture(&server.get(path), head(WORN, 64), steve);
    }
    // An unknown gamertag too, on pictures that have no fallback of their own.
    for player in ["Nobody", ".Nobody"] {
        let chest = server.get(&format!("/minotar/bust/{player}/64"));
        assert_picture(&chest, bust(BASE, 64), steve);
    }
    let path = format!("/crafatar/skins/{nobody}?default=MHF_Alex");
    assert_picture(&server.get(&path), SKIN, skin_of("MHF_Alex"));
}

#[test]
fn crafatar_shows_the_default_for_a_player_without_a_skin() {
    let server = Server::start();
    let uuid = |name: &str| player(name).uuid().unwrap();
    let (newcomer, nobody) = (uuid("Newcomer"), "10000000111122223333444455556666");
    let own = server.get(&format!("/skin/{newcomer}"));
    assert_eq!(own.status, 200);
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
            assert_picture(&reply, SKIN, shown);
        }
    }
    let face = server.get(&format!(
        "/crafatar/avatars/{newcomer}?size=64&default=alex"
    ));
    assert_picture(&face, head(BASE, 64), alex);
    // Whoever is shown as the default may have set none.
    let other = server.get(&format!("/crafatar/skins/{nobody}?default={newcomer}"));
    assert!(other.status == 200 && other.body == own.body);
    for url in [newcomer.to_owned(), format!("{newcomer}?default=404")] {
        let without = server.get(&format!("/crafatar/skins/{url}"));
        assert!(without.status == 200 && without.body == own.body, "{url}");
    }
}

#[test]
fn an_outage_is_said_to_be_one() {
    let server = Server::start();
    let outage = Some(Fault::status(500));
    server.upstream.set_fault(Step::Identity, outage.clone());
    for path in [
        "/minotar/avatar/Gwendolin",
        "/mc-heads/body/Gwendolin",
        "/minotar/bust/Gwendolin",
    ] {
        let message = "Mojang is not answering; try again later";
        assert_error(&server.get(path), 502, message);
    }
    // Bedrock's service says that there is no such player, or nothing: Steve is shown as far as he is known.
    let pictures = [
        ("/minotar/bust/{}/64", bust(BASE, 64)),
        ("/mc-heads/combo/{}/64", combo(WORN, 64)),
        ("/minotar/helm/{}/64", head(WORN, 64)),
    ];
    for (mojang, geyser, gamertag) in [
        (outage.clone(), None, ".Nobody"),
        (None, outage, ".Bluejay"),
    ] {
        server.upstream.set_fault(Step::Identity, mojang);
        server.upstream.set_fault(Step::Xuid, geyser);
        for (path, picture) in pictures {
            let reply = server.get(&path.replace("{}", gamertag));
            assert_picture(&reply, picture, "neutral");
            assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        }
    }
}
