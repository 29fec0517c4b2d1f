//! `default=`: who is shown under `/v1/` instead of a player who is not available.

use std::time::Duration;

use crate::support::{
    MOJANG_IS_DOWN, NOBODY, Picture, Server, assert_error, assert_picture, bust, head, of_view,
    skin_of, svg,
};
use effigy_render::{Layers, View};
use fixtures::{Fault, Step, player};

fn face(pixels: u32) -> Picture {
    head(Layers::WithOverlay, pixels).into()
}

#[test]
fn a_missing_player_is_shown_as_the_default() {
    let server = Server::start();
    let (file, cube) = (Picture::Skin, of_view(View::Cube, 32).into());
    let (chest, alex) = (
        bust(Layers::Base, 64).into(),
        svg(head(Layers::WithOverlay, 32)),
    );
    let nobody = "10000000111122223333444455556666";
    let by_uuid = format!("crafatar/skins/{nobody}?default=MHF_Alex");
    let rows = [
        ("v1/head/.Nobody?size=32&default=alex", face(32), "MHF_Alex"),
        ("v1/face/Nobody?size=32&default=Servo", face(32), "Servo"),
        ("v1/head/Servo?size=32&default=steve", face(32), "Servo"),
        ("v1/cube/Nobody?size=32&default=.Bluejay", cube, "Bluejay"),
        ("v1/head/Nobody.svg?size=32&default=alex", alex, "MHF_Alex"),
        ("v1/skin/Nobody?default=steve", file, "MHF_Steve"),
        ("v1/skin/.NoPocketSkin?default=alex", file, "MHF_Alex"),
        ("minotar/helm/Nobody/64", face(64), "MHF_Steve"),
        ("mc-heads/avatar/Nobody/64", face(64), "MHF_Steve"),
        // An unknown gamertag too, on pictures that have no fallback of their own.
        ("minotar/bust/Nobody/64", chest, "MHF_Steve"),
        ("minotar/bust/.Nobody/64", chest, "MHF_Steve"),
        (&by_uuid, file, "MHF_Alex"),
    ];
    for (path, picture, shown) in rows {
        let reply = server.ok(&format!("/{path}"));
        let skin = fixtures::skin(skin_of(shown));
        assert!(reply.body == picture.of(skin), "{path}");
        let cached = reply.header("cache-control").unwrap();
        assert!(cached.starts_with("public, max-age="), "{path}");
    }
    for query in ["", "&default=404", "&default=Nobody2"] {
        let reply = server.get(&format!("/v1/head/Nobody?size=32{query}"));
        assert_error(&reply, 404, NOBODY);
    }
}

#[test]
fn an_outage_shows_the_default_player_and_ends_with_it() {
    let server = Server::start_forgetful();
    server.ok("/v1/head/MHF_Steve?size=32");
    server.fail(Step::Session);
    let uuid = player("Gwendolin").uuid().unwrap();
    let family = format!("/crafatar/avatars/{uuid}?size=32&overlay");
    let own = "/v1/head/Gwendolin?size=32";
    for (path, default) in [(own, "steve"), (&family, "MHF_Steve")] {
        let with_default = format!("{path}&default={default}");
        for _ in 0..2 {
            let reply = server.get(&with_default);
            assert_picture(&reply, face(32), skin_of("MHF_Steve"));
            assert_eq!(reply.header("x-cache"), Some("hit"), "{path}");
            assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        }
        assert_error(&server.get(path), 502, MOJANG_IS_DOWN);
    }
    // The built-in player is shown if the default is not available either.
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
    assert_eq!(server.get("/allstats").json()["count"], 1);
    server.upstream.set_fault_everywhere(None);
    std::thread::sleep(Duration::from_secs(2));
    for default in ["steve", "alex"] {
        let reply = server.get(&format!("{own}&default={default}"));
        assert_picture(&reply, face(32), "knight");
    }
}

#[test]
fn steve_and_alex_are_shown_whatever_the_providers_know() {
    let server = Server::start_with(|settings| {
        // It knows no Java player.
        settings.upstream.providers = vec!["geyser".to_owned()];
    });
    let paths = "/v1/head/Nobody?size=32&default=steve /v1/head/.Nobody?size=32&default=alex /minotar/helm/Nobody/32";
    for path in paths.split(' ') {
        assert_picture(&server.ok(path), face(32), "neutral");
    }
    server.ok("/v1/sheet?players=Nobody&default=alex");
    // Another player must exist.
    for path in ["head/Nobody?", "sheet?players=Nobody&"] {
        let reply = server.get(&format!("/v1/{path}default=Servo"));
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[test]
fn a_player_who_is_missing_is_asked_for_again_soon() {
    let server = Server::start();
    let hour = "/head/.Nobody /head/Gwendolin";
    let found = "/v1/head/Gwendolin /mc-heads/body/Gwendolin";
    let missing = "/v1/head/Nobody?default=steve /v1/head/Nobody?default=Gwendolin /minotar/avatar/Nobody \
        /minotar/avatar/.Nobody /mc-heads/skin/.Nobody /v1/group?players=Gwendolin,Nobody \
        /v1/group?players=Gwendolin,Nobody&default=steve /v1/profiles?players=Gwendolin,Nobody \
        /crafatar/avatars/0d8d9d754a5a45799e3c1063c2d9c505?default=alex";
    let unknown = "/v1/head/Nobody /v1/profile/Nobody";
    for (paths, status, expected) in [
        (hour, 200, "public, max-age=3"),
        (found, 200, "public, max-age=60, stale-while-revalidate=240"),
        (
            missing,
            200,
            "public, max-age=60, stale-while-revalidate=60",
        ),
        (unknown, 404, "public, max-age=60"),
        ("/v1/nothing", 404, "no-store"),
        ("/head/Nobody", 500, "no-store"),
    ] {
        // The second time from memory.
        for path in paths.split(' ').chain(paths.split(' ')) {
            let reply = server.get(path);
            assert_eq!(reply.status, status, "{path}");
            let cached = reply.header("cache-control").unwrap();
            // The hour passes.
            let is_right = match expected {
                "public, max-age=3" => cached.starts_with(expected) && cached.len() == 20,
                _ => cached == expected,
            };
            assert!(is_right, "{path}: {cached}");
        }
    }
}

/// The operator may change the files at any time.
#[test]
fn a_player_of_the_folder_is_asked_for_each_time() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/skins");
    let server = Server::start_with(|settings| {
        settings.upstream.providers = vec![format!("folder={folder}"), "mojang".to_owned()];
    });
    let soon = "public, max-age=60";
    for (path, status, expected) in [
        ("/v1/skin/knight", 200, "no-cache"),
        ("/v1/cape/knight", 404, soon),
        ("/v1/cape/Gwendolin", 404, soon),
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, status, "{path}");
        assert_eq!(reply.header("cache-control"), Some(expected), "{path}");
    }
}
