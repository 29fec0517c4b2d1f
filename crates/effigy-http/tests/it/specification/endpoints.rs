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
        (
            "/ioshead/UvClassic/right/100",
            ioshead(right, 100),
            100,
            100,
        ),
        ("/iosbody/UvClassic/left", iosbody(left, 64), 64, 131),
        (
            "/iosbody/UvClassic/right/100",
            iosbody(right, 100),
            100,
            204,
        ),
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
    let server = Server::start();
    let reply = server.get("/skin/UvClassic");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("image/png"));
    assert_eq!(reply.header("content-disposition"), None);
    assert_eq!(reply.body, fixtures::skin("uv_classic").png);
}

#[test]
fn download_is_the_same_as_an_attachment() {
    let server = Server::start();
    let reply = server.get("/download/UvClassic");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("image/png"));
    let disposition = "attachment; filename=\"UvClassic_skin.png\"";
    assert_eq!(reply.header("content-disposition"), Some(disposition));
    assert_eq!(reply.body, server.get("/skin/UvClassic").body);
    // A hit is an attachment as well.
    let again = server.get("/download/UvClassic.png");
    assert_eq!(again.header("x-cache"), Some("hit"));
    assert_eq!(again.header("content-disposition"), Some(disposition));
}

/// Common rule 1.
#[test]
fn a_trailing_png_is_stripped_from_each_segment() {
    let server = Server::start();
    let rows = [
        ("/head/UvClassic/64", "/head/UvClassic/64.png"),
        (
            "/head/UvClassic/64/hat",
            "/head/UvClassic.png/64.PNG/hat.png",
        ),
        ("/head/UvClassic", "/head/UvClassic.png"),
        ("/avatar/UvClassic/left", "/avatar/UvClassic/left.png"),
        (
            "/ioshead/UvClassic/left/32",
            "/ioshead/UvClassic/left/32.png",
        ),
        ("/skin/UvClassic", "/skin/UvClassic.png"),
        ("/head/UvClassic/64", "/head/UvClassic/64/"),
        ("/head/UvClassic/64", "/HEAD/UvClassic/64"),
        ("/head/UvClassic/64", "/head/UvClassic/64?size=1#x"),
        ("/avatar/UvClassic/left", "/avatar/UvClassic/LEFT"),
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

/// Common rule 2.
#[test]
fn a_size_that_is_missing_or_no_number_is_the_default() {
    let server = Server::start();
    for text in ["", "/", "/big", "/0", "/-5", "/1.5", "/64px", "/%20", "//"] {
        let image = picture_of(&server.get(&format!("/head/UvClassic{text}")));
        assert_eq!(image.width, 128, "{text}");
        let image = picture_of(&server.get(&format!("/ioshead/UvClassic/left{text}")));
        assert_eq!(image.width, 64, "{text}");
    }
    for (text, side) in [("1", 1), ("7", 7), ("0032", 32), ("1000", 1000)] {
        let image = picture_of(&server.get(&format!("/head/UvClassic/{text}")));
        assert_eq!(image.width, side, "{text}");
    }
}

/// Common rule 3.
#[test]
fn an_option_other_than_hat_is_none() {
    let server = Server::start();
    let plain = server.get("/head/Gwendolin/64");
    let hat = server.get("/head/Gwendolin/64/hat");
    assert_ne!(plain.body, hat.body);
    for option in ["helm", "64", "hats", "%20", "overlay"] {
        let reply = server.get(&format!("/head/Gwendolin/64/{option}"));
        assert_eq!(reply.body, plain.body, "{option}");
        assert_eq!(reply.header("x-cache"), Some("hit"), "{option}");
    }
}

/// Common rule 5: two requests share a key only if they are for the same picture.
#[test]
fn requests_that_differ_do_not_share_a_key() {
    let server = Server::start();
    let first = server.get("/head/UvClassic/64");
    assert_eq!(first.header("x-cache"), Some("miss"));
    for path in [
        "/head/UvClassic/65",
        "/head/UvClassic/64/hat",
        "/head/UvClassic",
        "/head/UvSlim/64",
        "/player/UvClassic/64",
        "/skin/UvClassic",
        "/download/UvClassic",
        "/avatar/UvClassic/left/64",
        "/avatar/UvClassic/right/64",
        "/iosbody/UvClassic/left/64",
        "/ioshead/UvClassic/left/64",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("x-cache"), Some("miss"), "{path}");
    }
    // With raw text in its key, this one would be `head_UvClassic_64_hat` too.
    let confusing = server.get("/head/UvClassic/B_64/hat");
    assert_eq!(picture_of(&confusing).width, 128);
}

/// Common rule 6.
#[test]
fn a_hit_makes_no_upstream_call() {
    let server = Server::start();
    for path in [
        "/head/UvClassic/64/hat",
        "/player/UvClassic",
        "/avatar/UvClassic/left",
        "/ioshead/UvClassic/right",
        "/iosbody/UvClassic/left",
        "/skin/UvClassic",
        "/download/UvClassic",
        "/head/.Bluejay",
    ] {
        let miss = server.get(path);
        assert_eq!(miss.header("x-cache"), Some("miss"), "{path}");
        server.upstream.reset_calls();
        let hit = server.get(path);
        assert_eq!(hit.header("x-cache"), Some("hit"), "{path}");
        assert_eq!(hit.header("content-type"), Some("image/png"), "{path}");
        assert_eq!(hit.body, miss.body, "{path}");
        assert_eq!(server.upstream.total_calls(), 0, "{path}");
    }
}

#[test]
fn the_same_player_has_the_same_picture_in_every_form() {
    let server = Server::start();
    let uuid = fixtures::player("UvClassic").uuid().unwrap();
    let dashed = format!(
        "{}-{}-{}-{}-{}",
        &uuid[..8],
        &uuid[8..12],
        &uuid[12..16],
        &uuid[16..20],
        &uuid[20..]
    );
    let expected = server.get("/head/UvClassic").body;
    let forms = [
        "uvclassic".to_owned(),
        "UVCLASSIC".to_owned(),
        uuid.to_owned(),
        uuid.to_uppercase(),
        dashed.to_uppercase(),
        dashed,
    ];
    for form in forms {
        let reply = server.get(&format!("/head/{form}"));
        assert_eq!(reply.status, 200, "{form}");
        assert_eq!(reply.body, expected, "{form}");
    }
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
    for path in [
        "/head/",
        "/player/",
        "/avatar/",
        "/ioshead/",
        "/iosbody/",
        "/skin/",
        "/download/",
        "/minecraft/mhf",
        "/allstats",
        "/allstatsbedrock",
        "/allstatsSorted",
        "/health",
    ] {
        assert!(page.contains(path), "{path}");
    }
}
