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
    let rows = [
        (
            "pose=walk",
            Motion {
                turns: true,
                moves: false,
            },
        ),
        (
            "pose=walk&turn",
            Motion {
                turns: true,
                moves: false,
            },
        ),
        (
            "pose=walk&animate",
            Motion {
                turns: false,
                moves: true,
            },
        ),
        (
            "pose=walk&animate&turn",
            Motion {
                turns: true,
                moves: true,
            },
        ),
    ];
    for (query, motion) in rows {
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
    let rows = [
        (
            "/v1/face/Gwendolin.apng",
            "Only figures, portraits and cubes can be \".apng\"",
        ),
        (
            "/v1/figure/Gwendolin.apng?size=513",
            "Size must be a whole number from 1 to 512 where a picture moves",
        ),
        (
            "/v1/figure/Gwendolin.apng?turn=maybe",
            "Turn must be \"true\" or \"false\"",
        ),
        (
            "/v1/figure/Gwendolin.apng?facing=left",
            "Facing applies only to",
        ),
        ("/v1/figure/Gwendolin?turn", "Unknown parameter \"turn\""),
    ];
    for (path, message) in rows {
        let reply = server.get(path);
        assert_eq!(reply.status, 400, "{path}");
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with(message), "{path}: {error}");
    }
    assert_eq!(server.get("/v1/figure/Nobody.apng").status, 404);
}
