//! Pictures that move.

use effigy_render::{
    Angle, ImageFormat, Motion, NamedPose, PictureSpec, Renderer, Size, Skin, View,
};

use crate::support::Server;

fn expected(spec: PictureSpec, motion: Motion, format: ImageFormat) -> Vec<u8> {
    let skin = Skin::decode(fixtures::skin("knight").png, None).unwrap();
    let animation = spec.animation(&skin, motion).unwrap();
    let mut file = Vec::new();
    Renderer::new()
        .write_frames(animation, format, &mut file)
        .unwrap();
    file
}

#[test]
fn players_turn_and_walk() {
    let server = Server::start();
    let walk = PictureSpec::new(View::Figure, Size::px(48))
        .with_pose(NamedPose::Walk)
        .with_cape(false);
    let walking = Some(NamedPose::Walk);
    let (png, gif) = (("apng", ImageFormat::Png), ("gif", ImageFormat::Gif));
    for ((extension, format), query, turns, cycle) in [
        (png, "pose=walk&turn&animate=false", true, None),
        (png, "pose=walk", false, walking),
        (png, "pose=walk&turn", true, walking),
        (gif, "pose=walk", false, walking),
        (gif, "pose=walk&turn&animate=false", true, None),
    ] {
        let start = Angle::ZERO;
        let motion = Motion {
            turns,
            cycle,
            start,
        };
        let path = format!("/v1/figure/Gwendolin.{extension}?size=48&cape=false&{query}");
        let reply = server.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        let content_type = format.content_type();
        assert_eq!(reply.header("content-type"), Some(content_type));
        assert!(reply.body == expected(walk, motion, format), "{path}");
        let again = server.get(&path);
        assert_eq!(again.header("x-cache"), Some("hit"));
        assert!(again.body == reply.body);
    }
}
