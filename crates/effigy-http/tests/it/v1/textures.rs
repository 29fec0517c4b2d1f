//! `/v1/texture`: pictures of a skin by the hash of its file.

use effigy_render::{Layers, View};

use crate::support::{
    Picture, Server, assert_error, assert_picture, bust, of_view, picture_of, skin_of,
};

/// The hash of no texture.
fn unknown_hash() -> String {
    "1".repeat(64)
}

#[test]
fn a_texture_is_drawn_and_served() {
    let server = Server::start();
    let hash = server.hash_of("Gwendolin");
    let chest = server.get(&format!("/v1/texture/{hash}/bust?size=64"));
    assert_picture(&chest, bust(Layers::WithOverlay, 64), "knight");
    for path in ["/v1/texture", "/mc-heads/download"] {
        let file = server.get(&format!("{path}/{hash}.png"));
        assert_picture(&file, Picture::Skin, "knight");
    }
}

/// Only the arms of the other model differ.
#[test]
fn a_texture_is_drawn_in_the_other_model_on_request() {
    let server = Server::start();
    let bust = format!("/v1/texture/{}/bust?size=64", server.hash_of("Gwendolin"));
    let own = picture_of(&server.get(&bust));
    let slim = picture_of(&server.get(&format!("{bust}&model=slim")));
    assert_ne!(own, slim);
}

#[test]
fn an_unknown_texture_is_not_found() {
    let server = Server::start();
    let hash = unknown_hash();
    for path in [
        format!("/v1/texture/{hash}"),
        format!("/v1/texture/{hash}/face"),
        format!("/mc-heads/avatar/{hash}"),
        // Zeros in front of a hash do not make it an XUID.
        format!("/v1/face/0000{}", "1".repeat(56)),
    ] {
        assert_error(&server.get(&path), 404, "No such texture");
    }
}

#[test]
fn an_unknown_texture_is_shown_as_the_default() {
    let server = Server::start();
    let hash = unknown_hash();
    let servo = fixtures::skin(skin_of("Servo"));
    let face = bust(Layers::WithOverlay, 32);
    for path in [
        format!("/v1/bust/{hash}?size=32&default=Servo"),
        format!("/v1/texture/{hash}/bust?size=32&default=Servo"),
    ] {
        let reply = server.ok(&path);
        assert!(reply.body == Picture::from(face).of(servo), "{path}");
        let cached = reply.header("cache-control").unwrap();
        assert!(cached.starts_with("public, max-age=60"), "{path}: {cached}");
    }
    let file = server.ok(&format!("/v1/texture/{hash}?default=Servo"));
    assert!(file.body == servo.png);
}

#[test]
fn a_hash_takes_the_place_of_a_player() {
    let server = Server::start();
    let hash = server.hash_of("Servo");
    let by_texture = server.ok(&format!("/v1/texture/{hash}/face?size=32"));
    let by_hash = server.ok(&format!("/v1/face/{hash}?size=32"));
    assert!(by_hash.body == by_texture.body);
    let cached = by_hash.header("cache-control");
    assert_eq!(cached, Some("public, max-age=86400"));
    let file = server.ok(&format!("/v1/skin/{hash}"));
    assert!(file.body == fixtures::skin(skin_of("Servo")).png);
}

#[test]
fn a_hash_in_capitals_may_have_an_extension() {
    let server = Server::start();
    let hash = server.hash_of("Servo").to_uppercase();
    let svg = server.ok(&format!("/v1/face/{hash}.svg?size=32"));
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
}

#[test]
fn a_group_may_have_a_texture() {
    let server = Server::start();
    let hash = server.hash_of("Servo");
    let by_hash = server.ok(&format!("/v1/group?players={hash},Servo&size=32"));
    let by_name = server.ok("/v1/group?players=Servo,Servo&size=32");
    assert!(by_hash.body == by_name.body);
}

#[test]
fn a_texture_has_neither_profile_nor_cape() {
    let server = Server::start();
    let hash = unknown_hash();
    for path in ["profile", "cape"] {
        let reply = server.get(&format!("/v1/{path}/{hash}"));
        let message = "This is the hash of a texture, which has pictures, but no profile or cape";
        assert_error(&reply, 400, message);
    }
}

/// The arms of a slim skin are recognized by their texels, without a profile.
#[test]
fn textures_and_previews_tell_their_model() {
    let server = Server::start();
    let slim = fixtures::player("Reynard").skin().unwrap();
    assert!(slim.slim);
    let bust: Picture = of_view(View::Bust, 32).into();
    let hash = server.hash_of("Reynard");
    let by_texture = server.ok(&format!("/v1/texture/{hash}/bust?size=32"));
    assert!(by_texture.body == bust.of(slim));
    let by_hash = server.ok(&format!("/v1/bust/{hash}?size=32"));
    assert!(by_hash.body == bust.of(slim));
    let preview = server.post("/v1/preview/bust?size=32", slim.png);
    assert!(preview.body == bust.of(slim));
    let wide = server.ok(&format!("/v1/texture/{hash}/bust?size=32&model=classic"));
    assert!(wide.body != bust.of(slim));
}
