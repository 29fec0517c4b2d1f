//! Previews: a skin that the request brings, drawn and not kept. And the files of the page.

use crate::support::{Server, assert_error, assert_picture, avatar, head};
use effigy_render::{Facing, Layers};
use fixtures::{Image, skin};

#[test]
fn previews_are_the_pictures_of_the_skin() {
    let server = Server::start();
    let (hat, left) = (head(Layers::WithOverlay, 40), avatar(Facing::Left, 40));
    let rows = [
        ("/preview/head/40/hat.png", "knight", hat),
        ("/preview/avatar/left/40?model=slim", "fox", left),
    ];
    for (path, name, picture) in rows {
        let reply = server.post(path, skin(name).png);
        assert_picture(&reply, picture, name);
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
        let origin = reply.header("access-control-allow-origin");
        assert_eq!(origin, Some("*"), "{path}");
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let server = Server::start();
    let knight = skin("knight").png;
    let model = "Model must be \"classic\" or \"slim\"";
    let no_png = "Not a skin: the file is not a PNG, or it is damaged";
    let too_large = "The picture would be too large";
    let rows: [(&str, &[u8], u16, &str); 5] = [
        ("/preview/head", b"", 400, no_png),
        ("/preview/head", &knight[..100], 400, no_png),
        ("/preview/head?model=wide", knight, 400, model),
        ("/preview/head/2147483648", knight, 400, too_large),
        ("/preview/skin", knight, 404, "Not found"),
    ];
    for (path, body, status, message) in rows {
        assert_error(&server.post(path, body), status, message);
    }
    assert_eq!(server.post("/preview/head", knight).status, 200);
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
    let server = Server::start();
    let skin = colorful(1024, 1024);
    let message = "This skin has too many texels for an SVG: end the path with \".png\" instead";
    assert_error(
        &server.post("/v1/preview/figure.svg?size=1024", &skin),
        400,
        message,
    );
    assert_eq!(
        server
            .post("/v1/preview/figure.svg?size=64", &skin[..])
            .status,
        200
    );
    assert_eq!(
        server
            .post("/v1/preview/figure.png?size=64", &skin[..])
            .status,
        200
    );
}

/// The game discards texels of the overlay with an alpha below a tenth; the specification has all.
#[test]
fn faint_texels_are_drawn_on_specified_paths_only() {
    let server = Server::start();
    let skin = |alpha: u8| {
        let mut image = Image::new(64, 64);
        for y in 0..64 {
            for x in 0..64 {
                let is_hat = x >= 32 && y < 16;
                let texel = if is_hat {
                    [255, 0, 0, alpha]
                } else {
                    [0, 0, 0, 255]
                };
                image.set_pixel(x, y, texel);
            }
        }
        image.encode()
    };
    let shows_hat = |path: &str, alpha: u8| {
        let reply = server.post(path, &skin(alpha));
        assert_eq!(reply.status, 200, "{path}");
        let picture = Image::decode(&reply.body).unwrap();
        picture
            .rgba
            .chunks_exact(4)
            .any(|pixel| pixel[0] > 0 && pixel[3] > 0)
    };
    for view in ["face", "bust", "body", "combo", "isobody", "figure", "cube"] {
        let path = format!("/v1/preview/{view}?size=32");
        assert!(!shows_hat(&path, 25), "{view}");
        assert!(shows_hat(&path, 26), "{view}");
    }
    for path in [
        "head/32/hat",
        "player/32/hat",
        "avatar/left/64",
        "ioshead/right/64",
    ] {
        assert!(shows_hat(&format!("/preview/{path}"), 25), "{path}");
    }
}

#[test]
fn a_form_is_told_how_to_send_the_file() {
    let server = Server::start();
    let form = [
        b"--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n",
        skin("fox").png,
        b"\r\n--x--\r\n",
    ]
    .concat();
    let message =
        "Send the skin file itself as the body, not a form: curl --data-binary @skin.png <URL>";
    for path in ["/preview/head", "/v1/preview/head"] {
        let as_form = [("Content-Type", "Multipart/Form-Data; boundary=x")];
        assert_error(&server.post_with(path, &as_form, &form), 415, message);
        // curl states this for any body.
        let as_any = [("Content-Type", "application/x-www-form-urlencoded")];
        let drawn = server.post_with(path, &as_any, skin("fox").png);
        assert_eq!(drawn.status, 200, "{path}");
    }
}

#[test]
fn the_page_names_files_that_are_there() {
    let server = Server::start();
    let text = String::from_utf8(server.get("/").body).unwrap();
    let mut found = 0;
    for address in text.split('"').filter(|text| text.starts_with("./assets/")) {
        server.ok(&address[1..]);
        found += 1;
    }
    assert!(found >= 4, "{found}");
}
