//! NMSR's URLs.

use super::{Json, Names, Size, Skin, WORN};
use crate::support::{FORM, Server, assert_picture, form_body, head, picture_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "nmsr",
        &[
            ("/bust/Notch", Size(512, 512)),
            ("/bust/{T}?slim", Size(512, 512)),
            ("/bust/{U}?y=-20", Size(512, 512)),
            ("/fullbody/{U}", Size(512, 869)),
            ("/fullbody/{D}?no=shadow", Size(512, 869)),
            ("/fullbody/{U}?yaw=25&arms=150", Size(512, 869)),
            ("/fullbody/{U}?scale=8", Size(512, 869)),
            ("/fullbody/Notch?alex=", Size(512, 869)),
            ("/fullbody/Notch?w=256", Size(256, 434)),
            ("/fullbody/Notch?height=869", Size(512, 869)),
            ("/fullbody/Notch?w=wide", Size(512, 869)),
            ("/fullbodyiso/{U}", Size(512, 869)),
            ("/frontfull/{U}", Size(512, 869)),
            ("/face/Notch", Size(512, 512)),
            ("/face/Steve/", Size(512, 512)),
            ("/head/{U}", Size(512, 512)),
            ("/headiso/{U}?noshading&no=shadow", Size(512, 512)),
            ("/skin/{U}", Skin),
            ("/cape/Corvina", Size(64, 32)),
            ("/face/Nobody", Size(512, 512)),
            ("/face/Notch?w=8", Json(400)),
            ("/face/Seventeen_Letters", Json(400)),
            ("/profile/{U}/front", Json(404)),
            ("/unknown/{U}", Json(404)),
        ],
    );
}

/// A form with the skin of the knight, and the field that asks for slim arms.
fn form_of_knight() -> Vec<u8> {
    form_body(&[("alex", b""), ("skin", fixtures::skin("knight").png)])
}

#[test]
fn a_form_with_a_skin_is_drawn() {
    let server = Server::start();
    let figure = server.post_with("/nmsr/fullbody", &[FORM], &form_of_knight());
    let image = picture_of(&figure);
    assert_eq!((image.width, image.height), (512, 869));
    let face = server.post_with("/nmsr/face", &[FORM], &form_of_knight());
    assert_picture(&face, head(WORN, 512), "knight");
}

#[test]
fn a_skin_without_a_form_is_drawn() {
    let face = Server::start().post("/nmsr/face", fixtures::skin("knight").png);
    assert_picture(&face, head(WORN, 512), "knight");
}

#[test]
fn a_form_without_a_skin_is_refused() {
    let empty = form_body(&[("alex", b"")]);
    let refused = Server::start().post_with("/nmsr/face", &[FORM], &empty);
    assert_eq!(refused.status, 400);
}

#[test]
fn a_view_without_a_player_is_for_uploads() {
    assert_eq!(Server::start().get("/nmsr/face").status, 405);
}

#[test]
fn forms_are_not_found_if_uploads_are_off() {
    let server = Server::start_with(|settings| settings.config.previews = false);
    let refused = server.post_with("/nmsr/face", &[FORM], &form_of_knight());
    assert_eq!(refused.status, 404);
}
