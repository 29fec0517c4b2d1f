//! `/v1/cape`, and figures that wear one.

use effigy_render::{Cape, Model, Player, Size, Skin, View};

use crate::support::{NOBODY, Server, assert_error, of_view, turned};

#[test]
fn a_cape_is_the_unmodified_texture() {
    let server = Server::start();
    for input in ["Corvina", "CapeBearer.png"] {
        let reply = server.ok(&format!("/v1/cape/{input}"));
        assert_eq!(reply.body, fixtures::cape(), "{input}");
        assert_eq!(reply.header("content-type"), Some("image/png"));
    }
}

#[test]
fn a_cape_with_a_size_is_drawn_from_the_front() {
    let server = Server::start();
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let front = cape.front(Size::px(40)).unwrap().encode_png().unwrap();
    assert!(server.ok("/v1/cape/Corvina?size=40").body == front);
    assert_eq!(server.get("/v1/cape/Corvina?size=0").status, 400);
}

#[test]
fn a_figure_wears_its_cape() {
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let wizard = Skin::decode(fixtures::skin("wizard").png, Model::Classic).unwrap();
    let from_behind = turned(of_view(View::Figure, 128), 160.0, 16.0);
    let picture = from_behind.picture(Player::new(&wizard).with_cape(&cape));
    let expected = picture.unwrap().encode_png().unwrap();
    let worn = Server::start().ok("/v1/figure/Corvina?yaw=160");
    assert!(worn.body == expected);
}

#[test]
fn a_player_without_a_cape_is_not_found() {
    let server = Server::start();
    let no_cape = "The player has no cape";
    for (input, message) in [
        ("Gwendolin", no_cape),
        (".Bluejay", no_cape),
        ("Nobody", NOBODY),
    ] {
        let reply = server.get(&format!("/v1/cape/{input}"));
        assert_error(&reply, 404, message);
    }
}

#[test]
fn a_cape_that_cannot_be_drawn_is_named_with_its_size() {
    let server = Server::start();
    server.upstream.replace_cape("knight");
    let message = "The cape of this player is 64 x 64 pixels, which can't be drawn";
    assert_error(&server.get("/v1/cape/Corvina?size=40"), 404, message);
}

#[test]
fn a_figure_is_drawn_without_a_cape_that_cannot_be_drawn() {
    let server = Server::start();
    server.upstream.replace_cape("knight");
    server.ok("/v1/figure/Corvina?yaw=160");
}
