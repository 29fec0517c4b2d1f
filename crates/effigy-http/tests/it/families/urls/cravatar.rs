//! Cravatar's URLs.

use super::{BASE, Json, Names, Size, Skin};
use crate::support::{assert_picture, head, skin_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "cravatar",
        &[
            ("/helmavatar/Notch/190.png", Size(190, 190)),
            ("/helmavatar/Notch/600.png", Size(600, 600)),
            ("/helmavatar/Notch.png", Size(180, 180)),
            ("/avatar/Notch/20", Size(20, 20)),
            ("/helmhead/Notch/1024", Size(600, 600)),
            ("/helmhead/{U}", Size(180, 180)),
            ("/head/Notch/32", Size(32, 32)),
            ("/head/{U}?size=2408.png", Size(600, 600)),
            ("/3d/Notch/500.png", Size(500, 1020)),
            ("/helmbody/Notch/64", Size(64, 128)),
            ("/skin/Notch", Skin),
            ("/cube/Notch", Json(404)),
        ],
    );
}

#[test]
fn an_unknown_player_is_shown_as_steve() {
    let unknown = Names::new().get("/cravatar/avatar/Nobody/64");
    assert_picture(&unknown, head(BASE, 64), skin_of("MHF_Steve"));
}
