//! Spec, "Endpoints": the common rules and the endpoint table.

use crate::support::{Server, assert_picture, avatar, head, ioshead, picture_of, player};
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
        // A size has no upper limit of its own.
        ("/head/UvClassic/3000", head(base, 3000), 3000, 3000),
        ("/head/UvClassic/64/hat", head(hat, 64), 64, 64),
        ("/player/UvClassic", player(base, 128), 128, 256),
        ("/player/UvClassic/64", player(base, 64), 64, 128),
        ("/player/UvClassic/64/hat", player(hat, 64), 64, 128),
        ("/avatar/UvClassic/left", avatar(left, 128), 128, 261),
        ("/avatar/UvClassic/right/64", avatar(right, 64), 64, 131),
        ("/ioshead/UvClassic/left", ioshead(left, 64), 64, 64),
        ("/ioshead/UvClassic/right/99", ioshead(right, 99), 99, 99),
        (
            "/ioshead/UvClassic/left/2100",
            ioshead(left, 2100),
            2100,
            2100,
        ),
        ("/iosbody/UvClassic/left", avatar(left, 64), 64, 131),
        ("/iosbody/UvClassic/right/99", avatar(right, 99), 99, 202),
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
        let reply = server.ok(path);
        assert_eq!(reply.header("content-type"), Some("image/png"));
        assert_eq!(reply.header("x-cache"), Some(x_cache), "{path}");
        assert_eq!(reply.header("content-disposition"), disposition, "{path}");
        assert_eq!(reply.body, fixtures::skin("uv_classic").png);
    }
}

/// Common rules 1 to 3, 5 and 6: two requests share a key if and only if they are for the same picture, and a hit makes
/// no upstream call.
#[test]
fn each_picture_has_a_key_and_a_hit_makes_no_upstream_call() {
    let server = Server::start();
    let paths = "/head/UvClassic/64 /head/UvClassic/65 /head/UvClassic/64/hat /head/UvClassic /head/UvSlim/64 \
        /head/.Bluejay /player/UvClassic/64 /skin/UvClassic /download/UvClassic /avatar/UvClassic/left/64 \
        /avatar/UvClassic/right/64 /iosbody/UvClassic/left/64 /ioshead/UvClassic/left/64";
    let [misses, hits] = ["miss", "hit"].map(|x_cache| {
        server.upstream.reset_calls();
        let bodies = paths.split(' ').map(|path| {
            let reply = server.ok(path);
            assert_eq!(reply.header("x-cache"), Some(x_cache), "{path}");
            assert_eq!(reply.header("content-type"), Some("image/png"), "{path}");
            reply.body
        });
        bodies.collect::<Vec<_>>()
    });
    assert!(misses == hits);
    for other in [
        "/head/UvClassic.png/64.PNG/hat.png",
        "/HEAD/UvClassic/0064/HAT/?size=1#x",
        "/head/UvClassic/128px/hats",
        "/avatar/UvClassic/LEFT/64.png",
    ] {
        assert_eq!(server.get(other).header("x-cache"), Some("hit"), "{other}");
    }
    assert_eq!(server.upstream.total_calls(), 0);
    // With raw text in its key, this one would be `head_UvClassic_64_hat` too.
    let confusing = server.get("/head/UvClassic/B_64/hat");
    assert_eq!(picture_of(&confusing).width, 128);
}

#[test]
fn the_page_at_the_root_names_the_endpoints() {
    let reply = Server::start().get("/");
    assert_eq!(reply.status, 200);
    let content_type = reply.header("content-type");
    assert_eq!(content_type, Some("text/html; charset=utf-8"));
    let page = String::from_utf8(reply.body).unwrap();
    let endpoints = "/head/ /player/ /avatar/ /ioshead/ /iosbody/ /skin/ /download/ /minecraft/mhf /health /allstats \
        /allstatsbedrock /allstatsSorted";
    for path in endpoints.split(' ') {
        assert!(page.contains(path), "{path}");
    }
}
