//! Pictures that move.

use effigy_render::{Angle, ImageFormat, Motion, NamedPose, Renderer, Skin, View};

use crate::support::{Server, of_view};

#[test]
fn players_turn_and_walk() {
    let server = Server::start();
    let skin = Skin::decode(fixtures::skin("knight").png, None).unwrap();
    let walk = of_view(View::Figure, 48).with_pose(NamedPose::Walk);
    let walk = walk.with_cape(false);
    let walking = Some(NamedPose::Walk);
    let (png, gif) = (("apng", ImageFormat::Png), ("gif", ImageFormat::Gif));
    for ((extension, format), query, turns, cycle) in [
        (png, "pose=walk&turn&animate=false", true, None),
        (png, "pose=walk", false, walking),
        (png, "pose=walk&turn", true, walking),
        (gif, "pose=walk", false, walking),
        (gif, "pose=walk&turn&animate=false", true, None),
    ] {
        let motion = Motion {
            turns,
            cycle,
            start: Angle::ZERO,
        };
        let path = format!("/v1/figure/Gwendolin.{extension}?size=48&cape=false&{query}");
        let reply = server.ok(&path);
        let content_type = format.content_type();
        assert_eq!(reply.header("content-type"), Some(content_type));
        let mut file = Vec::new();
        let animation = walk.animation(&skin, motion).unwrap();
        let written = Renderer::new().write_frames(animation, format, &mut file);
        assert!(written.is_ok() && reply.body == file, "{path}");
        let again = server.get(&path);
        assert_eq!(again.header("x-cache"), Some("hit"));
        assert!(again.body == reply.body);
    }
}
