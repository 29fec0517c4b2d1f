//! Mineatar's URLs.

use effigy_render::View;

use super::{BASE, Json, Names, Size, Skin, Status, uuid};
use crate::support::{assert_picture, head, of_view, skin_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "mineatar",
        &[
            ("/face/{U}", Size(32, 32)),
            ("/face/{U}?scale=8&overlay=true&format=png", Size(64, 64)),
            ("/face/{D}?scale=5", Size(40, 40)),
            ("/face/{U}?scale=1000", Size(512, 512)),
            ("/face/{U}?scale=%zz&format=bmp", Size(32, 32)),
            ("/head/{U}", Size(55, 64)),
            ("/head/{U}?scale=16", Size(221, 256)),
            ("/head/{U}?overlay=true&scale=8", Size(110, 128)),
            ("/head/{U}?square", Size(64, 64)),
            ("/body/full/{U}", Size(70, 156)),
            ("/body/full/{U}?scale=12", Size(208, 468)),
            ("/body/front/{U}?scale=8&overlay=true", Size(128, 256)),
            ("/body/back/{U}?scale=16", Size(256, 512)),
            ("/body/left/{U}", Size(64, 128)),
            ("/body/right/{U}?Square=True", Size(128, 128)),
            ("/skin/{U}", Skin),
            ("/skin/Notch?fallback=true", Skin),
            ("/face/Notch.png", Size(32, 32)),
            ("/face/Seventeen_Letters", Json(400)),
            ("/skins/{U}", Json(404)),
            ("/body/{U}", Json(404)),
            ("/avatar/{U}", Json(404)),
            ("/uuid/Nobody", Status(404)),
        ],
    );
}

#[test]
fn the_overlay_can_be_switched_off() {
    let bare = Names::new().get("/mineatar/face/Notch?OVERLAY=False");
    assert_picture(&bare, head(BASE, 32), skin_of("Notch"));
}

#[test]
fn a_body_has_a_back() {
    let back = Names::new().get("/mineatar/body/back/Notch");
    assert_picture(&back, of_view(View::BodyBack, 64), skin_of("Notch"));
}

#[test]
fn a_skin_may_be_an_attachment() {
    let saved = Names::new().get("/mineatar/skin/Notch?download=true");
    let disposition = saved.header("content-disposition").unwrap();
    assert!(disposition.starts_with("attachment; "), "{disposition}");
}

#[test]
fn a_uuid_is_plain_text() {
    let found = Names::new().get("/mineatar/uuid/Notch");
    assert_eq!(found.body, uuid().as_bytes());
}
