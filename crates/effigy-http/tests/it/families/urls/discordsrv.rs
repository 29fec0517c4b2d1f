//! DiscordSRV's URLs.

use super::{BASE, Json, Names, Size, Skin, WORN};
use crate::support::{assert_picture, head, skin_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "discordsrv",
        &[
            ("/head.png?uuid={D}&overlay", Size(128, 128)),
            ("/head.png?name=Notch&overlay", Size(128, 128)),
            ("/head.png?texture={T}&uuid={U}&name=Notch", Size(128, 128)),
            ("/head.png?texture=&uuid=&name=Notch&helm", Size(128, 128)),
            ("/head.png?texture=&uuid=&name=", Size(128, 128)),
            ("/Notch/head", Size(128, 128)),
            ("/{U}/overlay/64", Size(64, 64)),
            ("/{D}/helm/64.png", Size(64, 64)),
            ("/Notch/texture", Skin),
            ("/Notch/cape", Json(404)),
        ],
    );
}

#[test]
fn the_overlay_is_shown_on_request_only() {
    let names = Names::new();
    let bare = names.get("/discordsrv/head.png?name=Notch");
    assert_picture(&bare, head(BASE, 128), skin_of("Notch"));
    let worn = names.get("/discordsrv/head.png?name=Notch&overlay");
    assert_picture(&worn, head(WORN, 128), skin_of("Notch"));
}

#[test]
fn a_texture_comes_before_a_name_in_any_letter_case() {
    let path = "/discordsrv/head.png?TEXTURE={T}&name=Gwendolin&Overlay";
    let worn = Names::new().get(path);
    assert_picture(&worn, head(WORN, 128), skin_of("Notch"));
}
