//! Crafthead's URLs.

use super::{BASE, Json, Names, Size, Skin, Status, WORN};
use crate::support::{assert_picture, head, skin_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "crafthead",
        &[
            ("/helm/{U}/64", Size(64, 64)),
            ("/helm/MHF_Creeper.png", Size(180, 180)),
            ("/helm/Notch/8", Size(8, 8)),
            ("/avatar/{U}?scale=6", Size(180, 180)),
            ("/avatar/Notch", Size(180, 180)),
            ("/avatar/Notch/alex", Size(180, 180)),
            ("/avatar/Notch/32px", Size(32, 32)),
            ("/avatar/Notch/1000", Size(300, 300)),
            ("/avatar/{T}/64", Size(64, 64)),
            ("/avatar/000{T}/64", Size(64, 64)),
            ("/cube/{D}", Size(180, 180)),
            ("/cube/{U}/128", Size(128, 128)),
            ("/cube/Notch.png", Size(180, 180)),
            ("/armor/cube/Notch/64", Size(64, 64)),
            ("/armor/body/Notch", Size(180, 360)),
            ("/armor/bust/{U}", Size(180, 180)),
            ("/body/{U}/32", Size(32, 64)),
            ("/body/Notch/128?Model=Default", Size(128, 256)),
            ("/body/Notch/64?model=slim", Size(56, 128)),
            ("/body/Notch?model=slim", Size(158, 360)),
            ("/armor/bust/{T}/64?MODEL=SLIM", Size(56, 64)),
            ("/helm/Notch/64?model=slim", Size(64, 64)),
            ("/bust/{U}", Size(180, 180)),
            ("/cape/Corvina", Size(113, 180)),
            ("/cape/Notch", Status(404)),
            ("/skin/Notch", Skin),
            ("/profile/Notch", Json(200)),
            ("/profile/Nobody", Json(404)),
            ("/minecraft/helm/{U}/64", Size(64, 64)),
            ("/minecraft/profile/{U}", Json(200)),
            ("/hytale/helm/Notch", Json(404)),
            ("/armor/skin/Notch", Json(404)),
            ("/helm/Seventeen_Letters", Json(404)),
        ],
    );
}

#[test]
fn char_is_steve() {
    let names = Names::new();
    let char = names.get("/crafthead/avatar/char/64");
    assert_picture(&char, head(BASE, 64), skin_of("MHF_Steve"));
}

#[test]
fn a_missing_cape_is_an_empty_picture_with_404() {
    let no_cape = Names::new().get("/crafthead/cape/Notch");
    assert_eq!(no_cape.status, 404);
    assert_eq!(no_cape.header("content-type"), Some("image/png"));
}

#[test]
fn a_missing_profile_has_the_message_of_crafthead() {
    let missing = Names::new().get("/crafthead/profile/Nobody").json();
    assert_eq!(missing["error"], "User does not exist");
}

#[test]
fn an_unknown_uuid_is_shown_by_its_hash_code() {
    let names = Names::new();
    for (uuid, shown) in [
        // The hash code is odd.
        ("20000000000000000000000000000001", "MHF_Alex"),
        // The hash code is even.
        ("20000000000000000000000000000002", "MHF_Steve"),
    ] {
        let unknown = names.get(&format!("/crafthead/avatar/{uuid}/64"));
        assert_picture(&unknown, head(BASE, 64), skin_of(shown));
    }
}

#[test]
fn an_unknown_name_is_shown_by_its_offline_uuid() {
    let unknown = Names::new().get("/crafthead/helm/Nobody/64");
    let hash_code = effigy_upstream::offline_uuid("Nobody").java_hash_code();
    let shown = if hash_code % 2 == 0 {
        "MHF_Steve"
    } else {
        "MHF_Alex"
    };
    assert_picture(&unknown, head(WORN, 64), skin_of(shown));
}
