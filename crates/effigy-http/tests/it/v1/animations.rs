//! Pictures that move.

use effigy_render::{ImageFormat, Motion, NamedPose, PictureSpec, Skin, View};

use crate::support::{Server, assert_error, of_view};

/// The skin of Gwendolin.
fn knight() -> Skin {
    Skin::decode(fixtures::skin("knight").png, None).unwrap()
}

/// A walking figure without a cape.
fn walking_figure() -> PictureSpec {
    let figure = of_view(View::Figure, 48).with_pose(NamedPose::Walk);
    figure.with_cape(false)
}

/// Asserts that Gwendolin walks with this motion at the first request, and at a hit.
#[track_caller]
fn assert_moves(format: ImageFormat, query: &str, motion: Motion) {
    let server = Server::start();
    let extension = match format {
        ImageFormat::Gif => "gif",
        _ => "apng",
    };
    let path = format!("/v1/figure/Gwendolin.{extension}?size=48&cape=false&pose=walk{query}");
    let reply = server.ok(&path);
    assert_eq!(reply.header("content-type"), Some(format.content_type()));
    let skin = knight();
    let animation = walking_figure().animation(&skin, motion).unwrap();
    assert!(reply.body == animation.encode(format).unwrap(), "{path}");
    let again = server.get(&path);
    assert_eq!(again.header("x-cache"), Some("hit"));
    assert!(again.body == reply.body);
}

#[test]
fn a_pose_moves_as_apng_and_gif() {
    let motion = Motion::of(NamedPose::Walk);
    assert_moves(ImageFormat::Png, "", motion);
    assert_moves(ImageFormat::Gif, "", motion);
}

#[test]
fn a_figure_turns_without_moving_its_limbs() {
    let query = "&turn&animate=false";
    assert_moves(ImageFormat::Png, query, Motion::TURN);
    assert_moves(ImageFormat::Gif, query, Motion::TURN);
}

#[test]
fn a_figure_turns_while_it_moves() {
    let motion = Motion::of(NamedPose::Walk).turning();
    assert_moves(ImageFormat::Png, "&turn", motion);
}

#[test]
fn a_picture_in_which_nothing_moves_is_an_error() {
    let server = Server::start();
    let cube = "/v1/cube/Gwendolin.apng?size=48&pose=walk&head=0,20,0";
    let message = "Nothing in this picture would move: other parameters hold the parts that it \
        shows in place. Leave them out, or add \"turn=true\"";
    assert_error(&server.get(cube), 400, message);
    server.ok(&format!("{cube}&turn=true"));
}

#[test]
fn a_player_who_neither_moves_nor_turns_is_a_still_picture() {
    let server = Server::start();
    let path = "/v1/figure/Gwendolin.gif?size=48&cape=false&pose=walk&animate=false&turn=false";
    let reply = server.ok(path);
    let skin = knight();
    let still = walking_figure().picture(&skin).unwrap();
    assert!(reply.body == still.encode(ImageFormat::Gif).unwrap());
}
