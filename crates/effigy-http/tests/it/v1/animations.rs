//! Pictures that move.

use effigy_render::{ImageFormat, Motion, NamedPose, Skin, View};

use crate::support::{Server, of_view};

#[test]
fn players_turn_and_walk() {
    let server = Server::start();
    let skin = Skin::decode(fixtures::skin("knight").png, None).unwrap();
    let walk = of_view(View::Figure, 48).with_pose(NamedPose::Walk);
    let walk = walk.with_cape(false);
    let walking = Motion::of(NamedPose::Walk);
    let (png, gif) = (("apng", ImageFormat::Png), ("gif", ImageFormat::Gif));
    for ((extension, format), query, motion) in [
        (png, "pose=walk&turn&animate=false", Motion::TURN),
        (png, "pose=walk", walking),
        (png, "pose=walk&turn", walking.turning()),
        (gif, "pose=walk", walking),
        (gif, "pose=walk&turn&animate=false", Motion::TURN),
    ] {
        let path = format!("/v1/figure/Gwendolin.{extension}?size=48&cape=false&{query}");
        let reply = server.ok(&path);
        let content_type = format.content_type();
        assert_eq!(reply.header("content-type"), Some(content_type));
        let animation = walk.animation(&skin, motion).unwrap();
        assert!(reply.body == animation.encode(format).unwrap(), "{path}");
        let again = server.get(&path);
        assert_eq!(again.header("x-cache"), Some("hit"));
        assert!(again.body == reply.body);
    }
}

#[test]
fn a_player_who_neither_moves_nor_turns_is_a_still_picture() {
    let server = Server::start();
    let skin = Skin::decode(fixtures::skin("knight").png, None).unwrap();
    let still = of_view(View::Figure, 48).with_pose(NamedPose::Walk);
    let still = still.with_cape(false).picture(&skin).unwrap();
    let path = "/v1/figure/Gwendolin.gif?size=48&cape=false&pose=walk&animate=false&turn=false";
    let reply = server.ok(path);
    assert!(reply.body == still.encode(ImageFormat::Gif).unwrap());
}
