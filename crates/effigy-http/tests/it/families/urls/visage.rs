//! Visage's URLs.

use super::{BASE, Json, NOBODYS_UUID, Names, Size, Skin};
use crate::support::{assert_picture, head, skin_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "visage",
        &[
            ("/face/512/Notch.png", Size(512, 512)),
            ("/face/64/X-Steve", Size(64, 64)),
            ("/face/1024/Notch", Size(1024, 1024)),
            ("/face/Notch", Size(256, 256)),
            ("//face/{U}", Size(256, 256)),
            ("/BUST/128/{U}", Size(128, 128)),
            ("/bust/256/{U}?no=ears,cape", Size(256, 256)),
            ("/bust/512/{D}.png", Size(512, 512)),
            ("/head/256/Notch?y=70&no=shadow", Size(256, 256)),
            ("/head/51/Notch", Size(56, 56)),
            ("/full/832/{U}.webp?no=shadow&y=-3", Size(512, 832)),
            ("/full/192/{T}.webp?slim&no=shadow", Size(118, 192)),
            ("/full/720/{U}?y=180", Size(443, 720)),
            ("/full/256/Notch?no=shadow", Size(158, 256)),
            ("/full/{U}?width=177&height=288", Size(158, 256)),
            ("/full/310/Notch?y-40", Size(192, 312)),
            ("/player/256/Notch", Size(256, 416)),
            ("/frontfull/832/Notch.png", Size(512, 832)),
            ("/front/64/Notch", Size(64, 64)),
            ("/skin/{U}.png?no=ears", Skin),
            ("/skin/512/Notch.png", Skin),
            ("/processedskin/{T}.png", Size(64, 64)),
            ("/face/56/X-Steve?no=shadow,overlay,ears,cape", Size(56, 56)),
            ("/full/256/Nobody", Json(400)),
            ("/unknown/256/Notch", Json(404)),
        ],
    );
}

#[test]
fn parts_are_left_out_in_any_letter_case() {
    let bare = Names::new().get("/vzge/face/56/X-Steve?NO=Overlay");
    assert_picture(&bare, head(BASE, 56), skin_of("MHF_Steve"));
}

#[test]
fn an_unknown_uuid_has_a_picture() {
    let unknown = Names::new().get(&format!("/visage/face/64/{NOBODYS_UUID}"));
    assert_eq!(unknown.status, 200);
}

#[test]
fn a_figure_is_turned() {
    let names = Names::new();
    let front = names.get("/visage/full/256/Notch");
    let back = names.get("/visage/full/256/Notch?y=180");
    assert_ne!(front.body, back.body);
}
