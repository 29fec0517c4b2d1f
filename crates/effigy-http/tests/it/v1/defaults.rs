//! `default=`: who is shown under `/v1/` instead of a player who is not available.

use effigy_render::{Layers, View};
use fixtures::{Fault, Step, until};

use crate::support::{
    MOJANG_IS_DOWN, NOBODY, Picture, Server, assert_error, assert_picture, bust, head, of_view,
    skin_of, svg, uuid_of,
};

/// The face with its overlay.
fn face(pixels: u32) -> Picture {
    head(Layers::WithOverlay, pixels).into()
}

/// Asserts that a path shows this picture of the skin that a player wears.
#[track_caller]
fn assert_shown(server: &Server, path: &str, picture: Picture, player: &str) {
    let reply = server.ok(path);
    let skin = fixtures::skin(skin_of(player));
    assert!(reply.body == picture.of(skin), "{path}");
    let cached = reply.header("cache-control").unwrap();
    assert!(cached.starts_with("public, max-age="), "{path}: {cached}");
}

#[test]
fn a_missing_player_is_shown_as_the_default_in_every_view() {
    let server = Server::start();
    let cube = of_view(View::Cube, 32).into();
    let scalable_face = svg(head(Layers::WithOverlay, 32));
    for (path, picture, shown) in [
        (
            "/v1/head/.Nobody?size=32&default=alex",
            face(32),
            "MHF_Alex",
        ),
        ("/v1/face/Nobody?size=32&default=Servo", face(32), "Servo"),
        ("/v1/cube/Nobody?size=32&default=.Bluejay", cube, "Bluejay"),
        (
            "/v1/head/Nobody.svg?size=32&default=alex",
            scalable_face,
            "MHF_Alex",
        ),
        ("/v1/skin/Nobody?default=steve", Picture::Skin, "MHF_Steve"),
        (
            "/v1/skin/.NoPocketSkin?default=alex",
            Picture::Skin,
            "MHF_Alex",
        ),
    ] {
        assert_shown(&server, path, picture, shown);
    }
}

#[test]
fn a_known_player_is_not_replaced_by_the_default() {
    let path = "/v1/head/Servo?size=32&default=steve";
    assert_shown(&Server::start(), path, face(32), "Servo");
}

#[test]
fn a_missing_player_of_a_family_is_shown_as_steve() {
    let server = Server::start();
    let chest: Picture = bust(Layers::Base, 64).into();
    for (path, picture) in [
        ("/minotar/helm/Nobody/64", face(64)),
        ("/mc-heads/avatar/Nobody/64", face(64)),
        ("/minotar/bust/Nobody/64", chest),
        ("/minotar/bust/.Nobody/64", chest),
    ] {
        assert_shown(&server, path, picture, "MHF_Steve");
    }
    let nobody = "10000000111122223333444455556666";
    let by_uuid = format!("/crafatar/skins/{nobody}?default=MHF_Alex");
    assert_shown(&server, &by_uuid, Picture::Skin, "MHF_Alex");
}

#[test]
fn a_missing_player_without_a_default_is_not_found() {
    let server = Server::start();
    for query in ["", "&default=404", "&default=Nobody2"] {
        let reply = server.get(&format!("/v1/head/Nobody?size=32{query}"));
        assert_error(&reply, 404, NOBODY);
    }
}

#[test]
fn an_outage_shows_a_default_that_is_known() {
    let server = Server::start_forgetful();
    server.ok("/v1/head/MHF_Steve?size=32");
    server.fail(Step::Session);
    let uuid = uuid_of("Gwendolin");
    for (path, default) in [
        ("/v1/head/Gwendolin?size=32", "steve"),
        (
            &format!("/crafatar/avatars/{uuid}?size=32&overlay"),
            "MHF_Steve",
        ),
    ] {
        let reply = server.get(&format!("{path}&default={default}"));
        assert_picture(&reply, face(32), skin_of("MHF_Steve"));
        assert_eq!(reply.header("x-cache"), Some("hit"), "{path}");
        assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        assert_error(&server.get(path), 502, MOJANG_IS_DOWN);
    }
}

#[test]
fn an_outage_of_the_default_too_shows_the_built_in_player() {
    let server = Server::start_forgetful();
    let down = Fault::status(503);
    server.upstream.set_fault_everywhere(Some(&down));
    for (path, picture) in [
        ("/v1/head/Gwendolin?size=32&default=alex", face(32)),
        ("/v1/head/.Bluejay?size=32&default=Servo", face(32)),
        ("/v1/skin/Gwendolin?default=alex", Picture::Skin),
    ] {
        let reply = server.get(path);
        assert_picture(&reply, picture, "neutral");
        assert_eq!(reply.header("x-cache"), Some("miss"), "{path}");
        assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
    }
    assert_eq!(server.get("/allstats").json()["count"], 0);
}

#[test]
fn the_default_leaves_with_the_outage() {
    let server = Server::start_forgetful();
    server.fail(Step::Session);
    let path = "/v1/head/Gwendolin?size=32&default=alex";
    let during = server.ok(path);
    assert_eq!(during.header("x-effigy-substitute"), Some("fallback"));
    server.mend(Step::Session);
    until("the player is shown", || {
        server.ok(path).header("x-effigy-substitute").is_none()
    });
    assert_picture(&server.get(path), face(32), "knight");
}

/// A server whose provider knows no Java player.
fn server_without_java() -> Server {
    Server::start_with(|settings| settings.upstream.providers = vec!["geyser".to_owned()])
}

#[test]
fn steve_and_alex_need_no_provider() {
    let server = server_without_java();
    for path in [
        "/v1/head/Nobody?size=32&default=steve",
        "/v1/head/.Nobody?size=32&default=alex",
        "/minotar/helm/Nobody/32",
    ] {
        assert_picture(&server.ok(path), face(32), "neutral");
    }
    server.ok("/v1/sheet?players=Nobody&default=alex");
}

#[test]
fn any_other_default_must_exist() {
    let server = server_without_java();
    for path in ["head/Nobody?", "sheet?players=Nobody&"] {
        let reply = server.get(&format!("/v1/{path}default=Servo"));
        assert_eq!(reply.status, 404, "{path}");
    }
}

/// Asserts that each path has this status and `Cache-Control`, at a miss and at a hit.
#[track_caller]
fn assert_cached(server: &Server, paths: &[&str], status: u16, cache_control: &str) {
    for path in paths {
        for _ in 0..2 {
            let reply = server.get(path);
            assert_eq!(reply.status, status, "{path}");
            let found = reply.header("cache-control");
            assert_eq!(found, Some(cache_control), "{path}");
        }
    }
}

#[test]
fn a_specified_picture_is_public_for_the_rest_of_its_hour() {
    let server = Server::start();
    for path in ["/head/.Nobody", "/head/Gwendolin"] {
        for _ in 0..2 {
            let reply = server.ok(path);
            let cached = reply.header("cache-control").unwrap();
            let seconds = cached.strip_prefix("public, max-age=").unwrap();
            let seconds: u64 = seconds.parse().unwrap();
            assert!((3_000..=3_600).contains(&seconds), "{path}: {cached}");
        }
    }
}

#[test]
fn a_player_who_is_found_may_be_stale_for_minutes() {
    let paths = ["/v1/head/Gwendolin", "/mc-heads/body/Gwendolin"];
    let expected = "public, max-age=60, stale-while-revalidate=240";
    assert_cached(&Server::start(), &paths, 200, expected);
}

#[test]
fn a_player_who_is_missing_is_asked_for_again_soon() {
    let paths = [
        "/v1/head/Nobody?default=steve",
        "/v1/head/Nobody?default=Gwendolin",
        "/minotar/avatar/Nobody",
        "/minotar/avatar/.Nobody",
        "/mc-heads/skin/.Nobody",
        "/v1/group?players=Gwendolin,Nobody",
        "/v1/group?players=Gwendolin,Nobody&default=steve",
        "/v1/profiles?players=Gwendolin,Nobody",
        "/crafatar/avatars/0d8d9d754a5a45799e3c1063c2d9c505?default=alex",
    ];
    let expected = "public, max-age=60, stale-while-revalidate=60";
    assert_cached(&Server::start(), &paths, 200, expected);
}

#[test]
fn only_the_error_of_a_missing_player_is_cached() {
    let server = Server::start();
    let unknown = ["/v1/head/Nobody", "/v1/profile/Nobody"];
    assert_cached(&server, &unknown, 404, "public, max-age=60");
    assert_cached(&server, &["/v1/nothing"], 404, "no-store");
    assert_cached(&server, &["/head/Nobody"], 500, "no-store");
}

/// The operator may change the files at any time.
#[test]
fn a_player_of_the_folder_is_asked_for_each_time() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/skins");
    let server = Server::start_with(|settings| {
        settings.upstream.providers = vec![format!("folder={folder}"), "mojang".to_owned()];
    });
    assert_cached(&server, &["/v1/skin/knight"], 200, "no-cache");
    let capes = ["/v1/cape/knight", "/v1/cape/Gwendolin"];
    assert_cached(&server, &capes, 404, "public, max-age=60");
}
