//! Minotar's URLs.

use super::{BASE, Names, Size, Skin, Status, WORN};
use crate::support::{assert_picture, head, skin_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "minotar",
        &[
            ("/helm/Notch/64.png", Size(64, 64)),
            ("/helm/Notch/512.png", Size(300, 300)),
            ("/helm/Notch/128.08062020-1947.png", Size(128, 128)),
            ("/helm/Notch.08062020.png", Size(180, 180)),
            ("/helm/Notch?randomuuid=5", Size(180, 180)),
            ("/avatar/MHF_QUESTION/64", Size(64, 64)),
            ("/avatar/Notch/64.jxl", Size(64, 64)),
            ("/avatar/{T}/64", Size(64, 64)),
            ("/cube/MHF_Steve.png", Size(180, 180)),
            ("/armor/bust/Notch/190.png", Size(190, 190)),
            ("/armor/body/Notch/300.png", Size(300, 600)),
            ("/armor/bust/Notch.png", Size(180, 180)),
            ("/bust/Notch/50", Size(50, 50)),
            ("/body/{U}/500.png", Size(300, 600)),
            ("/download/Notch.png", Skin),
            ("/skin/Notch", Skin),
            ("/skin/{T}", Skin),
            ("/helm/{D}", Status(301)),
        ],
    );
}

#[test]
fn an_extension_may_have_a_date() {
    let names = Names::new();
    let dated = names.get("/minotar/helm/Notch.08062020.png");
    assert_picture(&dated, head(WORN, 180), skin_of("Notch"));
}

#[test]
fn a_texture_takes_the_place_of_a_player() {
    let names = Names::new();
    let by_texture = names.get("/minotar/helm/{T}");
    assert_picture(&by_texture, head(WORN, 180), skin_of("Notch"));
}

#[test]
fn an_unknown_player_is_shown_as_steve() {
    let names = Names::new();
    let unknown = names.get("/minotar/avatar/Nobody/64");
    assert_picture(&unknown, head(BASE, 64), skin_of("MHF_Steve"));
}

/// The redirect is relative, since a proxy may put any path in front of ours.
#[test]
fn a_dashed_uuid_is_redirected() {
    let names = Names::new();
    let dashed = names.get("/minotar/helm/523239d6-f395-4d77-8c25-aa3d0db1e779/64?t=1");
    assert_eq!(dashed.status, 301);
    assert!(dashed.body.is_empty());
    let location = "./../523239d6f3954d778c25aa3d0db1e779/64?t=1";
    assert_eq!(dashed.header("location"), Some(location));
}
