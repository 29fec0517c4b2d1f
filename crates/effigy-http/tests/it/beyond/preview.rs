//! Previews: a skin that the request brings, drawn and not kept. And the files of the page.

use crate::support::{Server, assert_error, assert_picture, avatar, head};
use effigy_render::{Facing, Layers};
use fixtures::skin;

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
