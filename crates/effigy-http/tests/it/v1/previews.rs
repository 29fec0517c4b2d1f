//! Previews: a skin that the request brings is drawn and not kept.

use effigy_render::{Facing, Layers};
use fixtures::{Image, skin};

use crate::support::{FORM, Server, assert_error, assert_picture, avatar, form_body, head};

#[test]
fn previews_are_the_pictures_of_the_skin() {
    let server = Server::start();
    let hat = head(Layers::WithOverlay, 40);
    let left = avatar(Facing::Left, 40);
    for (path, name, picture) in [
        ("/preview/head/40/hat.png", "knight", hat),
        ("/preview/avatar/left/40?model=slim", "fox", left),
    ] {
        let reply = server.post(path, skin(name).png);
        assert_picture(&reply, picture, name);
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
        let origin = reply.header("access-control-allow-origin");
        assert_eq!(origin, Some("*"), "{path}");
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn a_file_that_is_no_png_is_refused() {
    let server = Server::start();
    let cut = &skin("knight").png[..100];
    for file in [b"", cut] {
        let message = "Not a skin: the file is not a PNG, or it is damaged";
        assert_error(&server.post("/preview/head", file), 400, message);
    }
    let next = server.post("/preview/head", skin("knight").png);
    assert_eq!(next.status, 200);
}

#[test]
fn a_preview_that_cannot_be_drawn_is_refused() {
    let server = Server::start();
    let model = "Model must be \"classic\" or \"slim\"";
    let too_large = "The picture would be too large";
    for (path, status, message) in [
        ("/preview/head?model=wide", 400, model),
        ("/preview/head/2147483648", 400, too_large),
        ("/preview/skin", 404, "Not found"),
    ] {
        let reply = server.post(path, skin("knight").png);
        assert_error(&reply, status, message);
    }
}

/// A skin with a color of its own for each texel.
fn colorful(width: u32, height: u32) -> Vec<u8> {
    let mut image = Image::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let number = y * width + x;
            let [r, g, b, _] = number.to_le_bytes();
            image.set_pixel(x, y, [r, g, b, 255]);
        }
    }
    image.encode()
}

#[test]
fn a_picture_that_is_too_long_for_svg_says_so() {
    let reply = Server::start().post("/v1/preview/figure.svg?size=1024", &colorful(1024, 1024));
    let message = "This skin has too many texels for an SVG: end the path with \".png\" instead";
    assert_error(&reply, 400, message);
}

#[test]
fn a_small_picture_of_many_texels_may_be_svg() {
    let server = Server::start();
    let skin = colorful(1024, 1024);
    for extension in ["svg", "png"] {
        let path = format!("/v1/preview/body.{extension}?size=64");
        assert_eq!(server.post(&path, &skin).status, 200, "{extension}");
    }
}

/// A skin that is black, except for a red overlay of the head with this alpha.
fn with_faint_hat(alpha: u8) -> Vec<u8> {
    let mut image = Image::new(64, 64);
    for y in 0..64 {
        for x in 0..64 {
            let in_hat = x >= 32 && y < 16;
            let texel = if in_hat {
                [255, 0, 0, alpha]
            } else {
                [0, 0, 0, 255]
            };
            image.set_pixel(x, y, texel);
        }
    }
    image.encode()
}

/// Returns `true` if the preview shows something of an overlay with this alpha.
#[track_caller]
fn shows_hat(server: &Server, path: &str, alpha: u8) -> bool {
    let reply = server.post(path, &with_faint_hat(alpha));
    assert_eq!(reply.status, 200, "{path}");
    let picture = Image::decode(&reply.body).unwrap();
    let mut pixels = picture.rgba.chunks_exact(4);
    pixels.any(|pixel| pixel[0] > 0 && pixel[3] > 0)
}

/// The game discards texels of the overlay with an alpha below a tenth.
#[test]
fn a_texel_that_the_game_discards_is_not_drawn() {
    let server = Server::start();
    for view in ["face", "bust", "body", "combo", "isobody", "figure", "cube"] {
        let path = format!("/v1/preview/{view}?size=32");
        assert!(!shows_hat(&server, &path, 25), "{view}");
        assert!(shows_hat(&server, &path, 26), "{view}");
    }
}

#[test]
fn every_texel_is_drawn_on_specified_paths() {
    let server = Server::start();
    for path in [
        "head/32/hat",
        "player/32/hat",
        "avatar/left/64",
        "ioshead/right/64",
    ] {
        let shown = shows_hat(&server, &format!("/preview/{path}"), 25);
        assert!(shown, "{path}");
    }
}

#[test]
fn a_form_is_told_how_to_send_the_file() {
    let server = Server::start();
    let form = form_body(&[("file", skin("fox").png)]);
    for path in ["/preview/head", "/v1/preview/head"] {
        let reply = server.post_with(path, &[FORM], &form);
        let message =
            "Send the skin file itself as the body, not a form: curl --data-binary @skin.png <URL>";
        assert_error(&reply, 415, message);
    }
}

/// curl states this type for any body.
#[test]
fn a_file_whose_type_is_that_of_a_form_is_drawn() {
    let server = Server::start();
    let form_type = ("Content-Type", "application/x-www-form-urlencoded");
    for path in ["/preview/head", "/v1/preview/head"] {
        let drawn = server.post_with(path, &[form_type], skin("fox").png);
        assert_eq!(drawn.status, 200, "{path}");
    }
}
