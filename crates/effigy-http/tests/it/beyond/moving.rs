//! Pictures that move.

use effigy_render::{Motion, NamedPose, PictureSpec, Renderer, Size, Skin, View};

use crate::support::Server;

/// The file of the demo player of this skin.
fn expected(spec: PictureSpec, motion: Motion) -> Vec<u8> {
    let skin = Skin::decode(fixtures::skin("knight").png, None).unwrap();
    let animation = spec.animation(&skin, motion).unwrap();
    let mut file = Vec::new();
    Renderer::new()
        .write_animation(&animation, &mut file)
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
    for (query, turns, cycle) in [
        ("pose=walk&turn&animate=false", true, None),
        ("pose=walk", false, walking),
        ("pose=walk&turn", true, walking),
    ] {
        let motion = Motion { turns, cycle };
        let path = format!("/v1/figure/Gwendolin.apng?size=48&cape=false&{query}");
        let reply = server.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("content-type"), Some("image/png"));
        assert!(reply.body == expected(walk, motion), "{path}");
        let again = server.get(&path);
        assert_eq!(again.header("x-cache"), Some("hit"));
        assert!(again.body == reply.body);
    }
}

#[test]
fn what_cannot_move_is_refused() {
    let server = Server::start();
    let large = "Size must be a whole number from 1 to 512 where a picture moves";
    for (path, message) in [
        (
            "/v1/face/A.apng",
            "Only figures, portraits and cubes can be \".apng\"",
        ),
        ("/v1/figure/A.apng?size=513", large),
        (
            "/v1/figure/A.apng?turn=maybe",
            "Turn must be \"true\" or \"false\"",
        ),
        ("/v1/figure/A.apng?facing=left", "Facing applies only to"),
        ("/v1/figure/A?turn", "Unknown parameter \"turn\""),
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 400, "{path}");
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with(message), "{path}: {error}");
    }
    assert_eq!(server.get("/v1/figure/Nobody.apng").status, 404);
}
