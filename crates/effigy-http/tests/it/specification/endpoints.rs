//! Spec, "Endpoints": the common rules and the endpoint table.

use effigy_render::{Facing, Layers};

use crate::support::{Server, assert_picture, avatar, head, ioshead, picture_of, player};

const BASE: Layers = Layers::Base;
const HAT: Layers = Layers::WithOverlay;
const LEFT: Facing = Facing::Left;
const RIGHT: Facing = Facing::Right;

/// Each row of the endpoint table that gives a drawn picture: path, picture, width and height.
#[test]
fn each_path_gives_the_picture_of_its_row() {
    let server = Server::start();
    #[rustfmt::skip]
    let rows = [
        ("/head/UvClassic", head(BASE, 128), 128, 128),
        ("/head/UvClassic/64", head(BASE, 64), 64, 64),
        // A size has no upper limit of its own.
        ("/head/UvClassic/3000", head(BASE, 3000), 3000, 3000),
        ("/head/UvClassic/64/hat", head(HAT, 64), 64, 64),
        ("/player/UvClassic", player(BASE, 128), 128, 256),
        ("/player/UvClassic/64", player(BASE, 64), 64, 128),
        ("/player/UvClassic/64/hat", player(HAT, 64), 64, 128),
        ("/avatar/UvClassic/left", avatar(LEFT, 128), 128, 261),
        ("/avatar/UvClassic/right/64", avatar(RIGHT, 64), 64, 131),
        ("/ioshead/UvClassic/left", ioshead(LEFT, 64), 64, 64),
        ("/ioshead/UvClassic/right/99", ioshead(RIGHT, 99), 99, 99),
        ("/ioshead/UvClassic/left/2100", ioshead(LEFT, 2100), 2100, 2100),
        ("/iosbody/UvClassic/left", avatar(LEFT, 64), 64, 131),
        ("/iosbody/UvClassic/right/99", avatar(RIGHT, 99), 99, 202),
    ];
    for (path, picture, width, height) in rows {
        let reply = server.get(path);
        assert_picture(&reply, picture, "uv_classic");
        let image = picture_of(&reply);
        assert_eq!((image.width, image.height), (width, height), "{path}");
    }
}

#[test]
fn skin_is_the_unmodified_texture() {
    let reply = Server::start().ok("/skin/UvClassic");
    assert_eq!(reply.header("content-type"), Some("image/png"));
    assert_eq!(reply.header("content-disposition"), None);
    assert_eq!(reply.body, fixtures::skin("uv_classic").png);
}

#[test]
fn download_is_the_texture_as_an_attachment() {
    let server = Server::start();
    for path in ["/download/UvClassic", "/download/UvClassic.png"] {
        let reply = server.ok(path);
        assert_eq!(reply.header("content-type"), Some("image/png"));
        let disposition = reply.header("content-disposition");
        let attachment = "attachment; filename=\"UvClassic_skin.png\"";
        assert_eq!(disposition, Some(attachment), "{path}");
        assert_eq!(reply.body, fixtures::skin("uv_classic").png);
    }
}

/// Paths of which no two are for the same picture.
const DIFFERENT_PICTURES: [&str; 13] = [
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

/// Common rules 1 to 3, 5 and 6.
#[test]
fn different_pictures_share_no_key() {
    let server = Server::start();
    for path in DIFFERENT_PICTURES {
        assert_eq!(server.ok(path).header("x-cache"), Some("miss"), "{path}");
    }
    // With raw text in its key, this one would be `head_UvClassic_64_hat` too.
    let confusing = server.get("/head/UvClassic/B_64/hat");
    assert_eq!(picture_of(&confusing).width, 128);
}

#[test]
fn a_hit_repeats_the_picture_without_an_upstream_call() {
    let server = Server::start();
    let misses = DIFFERENT_PICTURES.map(|path| server.ok(path).body);
    server.upstream.reset_calls();
    for (path, first) in DIFFERENT_PICTURES.iter().zip(misses) {
        let hit = server.ok(path);
        assert_eq!(hit.header("x-cache"), Some("hit"), "{path}");
        assert_eq!(hit.header("content-type"), Some("image/png"), "{path}");
        assert!(hit.body == first, "{path}");
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn spellings_of_one_picture_share_a_key() {
    let server = Server::start();
    for (first, other) in [
        (
            "/head/UvClassic/64/hat",
            "/head/UvClassic.png/64.PNG/hat.png",
        ),
        (
            "/head/UvClassic/64/hat",
            "/HEAD/UvClassic/0064/HAT/?size=1#x",
        ),
        ("/head/UvClassic", "/head/UvClassic/128px/hats"),
        ("/avatar/UvClassic/left/64", "/avatar/UvClassic/LEFT/64.png"),
    ] {
        server.ok(first);
        assert_eq!(server.get(other).header("x-cache"), Some("hit"), "{other}");
    }
}

#[test]
fn the_page_at_the_root_names_the_endpoints() {
    let reply = Server::start().ok("/");
    let content_type = reply.header("content-type");
    assert_eq!(content_type, Some("text/html; charset=utf-8"));
    let page = String::from_utf8(reply.body).unwrap();
    for path in [
        "/head/",
        "/player/",
        "/avatar/",
        "/ioshead/",
        "/iosbody/",
        "/skin/",
        "/download/",
        "/minecraft/mhf",
        "/health",
        "/allstats",
        "/allstatsbedrock",
        "/allstatsSorted",
    ] {
        assert!(page.contains(path), "{path}");
    }
}
