//! Spec, "Endpoints": the common rules and the endpoint table.

use crate::support::{Server, assert_picture, avatar, head, iosbody, ioshead, picture_of, player};
use effigy_render::{Facing, Layers};

/// Each row of the endpoint table that gives a picture: path, picture, width and height.
#[test]
fn the_endpoint_table() {
    let (base, hat) = (Layers::Base, Layers::WithOverlay);
    let (left, right) = (Facing::Left, Facing::Right);
    let server = Server::start();
    let rows = [
        ("/head/UvClassic", head(base, 128), 128, 128),
        ("/head/UvClassic/64", head(base, 64), 64, 64),
        ("/head/UvClassic/64/hat", head(hat, 64), 64, 64),
        ("/player/UvClassic", player(base, 128), 128, 256),
        ("/player/UvClassic/64", player(base, 64), 64, 128),
        ("/player/UvClassic/64/hat", player(hat, 64), 64, 128),
        ("/avatar/UvClassic/left", avatar(left, 128), 128, 261),
        ("/avatar/UvClassic/right/64", avatar(right, 64), 64, 131),
        ("/ioshead/UvClassic/left", ioshead(left, 64), 64, 64),
        ("/ioshead/UvClassic/right/99", ioshead(right, 99), 99, 99),
        ("/iosbody/UvClassic/left", iosbody(left, 64), 64, 131),
        ("/iosbody/UvClassic/right/99", iosbody(right, 99), 99, 202),
    ];
    for (path, picture, width, height) in rows {
        let reply = server.get(path);
        assert_picture(&reply, picture, "uv_classic");
        let image = picture_of(&reply);
        assert_eq!((image.width, image.height), (width, height), "{path}");
    }
}

#[test]
fn skin_is_the_unmodified_texture_and_download_an_attachment() {
    let server = Server::start();
    let attachment = Some("attachment; filename=\"UvClassic_skin.png\"");
    for (path, x_cache, disposition) in [
        ("/skin/UvClassic", "miss", None),
        ("/download/UvClassic", "miss", attachment),
        ("/download/UvClassic.png", "hit", attachment),
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("content-type"), Some("image/png"));
        assert_eq!(reply.header("x-cache"), Some(x_cache), "{path}");
        assert_eq!(reply.header("content-disposition"), disposition, "{path}");
        assert_eq!(reply.body, fixtures::skin("uv_classic").png);
    }
}

/// Spec, "Render details".
#[test]
fn avatar_and_iosbody_are_identical_for_equal_arguments() {
    let server = Server::start();
    let [avatar, iosbody] =
        ["avatar", "iosbody"].map(|word| server.get(&format!("/{word}/UvClassic/left/128")));
    assert_eq!(avatar.body, iosbody.body);
    // Each has a key of its own.
    assert_eq!(iosbody.header("x-cache"), Some("miss"));
}

/// Spec, "Render details".
#[test]
fn a_hat_that_is_not_there_is_skipped() {
    let server = Server::start();
    for player in ["OldBarley", "UvLegacy", "HighRes"] {
        for view in ["head", "player"] {
            let path = format!("/{view}/{player}/64/hat");
            assert_eq!(server.get(&path).status, 200, "{path}");
        }
    }
}

/// Common rules 1 to 3.
#[test]
fn other_forms_of_a_path_are_the_same_picture() {
    let server = Server::start();
    let hat = "/head/UvClassic/64/hat";
    let rows = [
        (hat, "/head/UvClassic.png/64.PNG/hat.png"),
        (hat, "/HEAD/UvClassic/0064/HAT/?size=1#x"),
        ("/head/UvClassic", "/head/UvClassic.png"),
        ("/head/UvClassic", "/head/UvClassic/64px/hats"),
        ("/avatar/UvClassic/left", "/avatar/UvClassic/LEFT.png"),
    ];
    for (plain, other) in rows {
        let expected = server.get(plain);
        assert_eq!(expected.status, 200, "{plain}");
        let reply = server.get(other);
        assert_eq!(reply.body, expected.body, "{other}");
        // It is the same picture, so it is found under the same key.
        assert_eq!(reply.header("x-cache"), Some("hit"), "{other}");
    }
}

/// Common rules 5 and 6: two requests share a key only if they are for the same picture, and a hit makes no
/// upstream call.
#[test]
fn each_picture_has_a_key_and_a_hit_makes_no_upstream_call() {
    let server = Server::start();
    let paths = [
        "/head/UvClassic/64",
        "/head/UvClassic/65",
        "/head/UvClassic/64/hat",
        "/head/UvClassic",
        "/head/UvSlim/64",
        "/head/.Bluejay",
        "/player/UvClassic/64",
        "/skin/UvClassic",
        "/download/UvClassic",
        "/avatar/UvClassic/left/64",
        "/avatar/UvClassic/right/64",
        "/iosbody/UvClassic/left/64",
        "/ioshead/UvClassic/left/64",
    ];
    let [misses, hits] = ["miss", "hit"].map(|x_cache| {
        server.upstream.reset_calls();
        paths.map(|path| {
            let reply = server.get(path);
            assert_eq!(
                (reply.status, reply.header("x-cache")),
                (200, Some(x_cache)),
                "{path}"
            );
            assert_eq!(reply.header("content-type"), Some("image/png"), "{path}");
            reply.body
        })
    });
    assert!(misses == hits);
    assert_eq!(server.upstream.total_calls(), 0);
    // With raw text in its key, this one would be `head_UvClassic_64_hat` too.
    let confusing = server.get("/head/UvClassic/B_64/hat");
    assert_eq!(picture_of(&confusing).width, 128);
}

#[test]
fn the_page_at_the_root_names_the_endpoints() {
    let server = Server::start();
    let reply = server.get("/");
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let page = String::from_utf8(reply.body).unwrap();
    let pictures = ["/head/", "/player/", "/avatar/", "/ioshead/", "/iosbody/"];
    let files = ["/skin/", "/download/", "/minecraft/mhf", "/health"];
    let counts = ["/allstats", "/allstatsbedrock", "/allstatsSorted"];
    for path in pictures.into_iter().chain(files).chain(counts) {
        assert!(page.contains(path), "{path}");
    }
}
