//! Pictures over time.

use std::collections::HashSet;
use std::io::Cursor;
use std::time::Duration;

use effigy_render::{
    Animation, Camera, Light, Motion, NamedPose, Picture, PictureSpec, Renderer, Size, Skin, View,
};

use image::{AnimationDecoder, codecs::png::PngDecoder};

const TURN: Motion = Motion {
    turns: true,
    cycle: None,
};

const fn moving(pose: NamedPose) -> Motion {
    Motion {
        turns: false,
        cycle: Some(pose),
    }
}

fn encoded(animation: &Animation<'_>) -> Vec<u8> {
    let mut file = Vec::new();
    Renderer::new()
        .write_animation(animation, &mut file)
        .expect("memory does not fail");
    file
}

fn pixels(picture: &Picture<'_>) -> Vec<u8> {
    picture.to_rgba().expect("the picture is small")
}

#[test]
fn the_file_has_every_frame() {
    let skin = skin();
    for (view, motion) in [
        (View::Figure, TURN),
        (View::Portrait, moving(NamedPose::Wave)),
        (View::HeadCube, TURN),
    ] {
        let spec = PictureSpec::new(view, Size::px(40)).with_pose(NamedPose::Wave);
        let animation = spec.animation(&skin, motion).unwrap();
        let file = encoded(&animation);
        let decoder = PngDecoder::new(Cursor::new(&file)).unwrap().apng().unwrap();
        let frames: Vec<image::Frame> = decoder.into_frames().map(Result::unwrap).collect();
        assert_eq!(frames.len(), if motion.turns { 20 } else { 24 });
        for (number, (frame, picture)) in frames.iter().zip(animation.frames()).enumerate() {
            let delay = if motion.turns { 400 } else { 50 };
            assert_eq!(frame.delay().numer_denom_ms(), (delay, 1));
            assert!(
                *frame.buffer().as_raw() == pixels(picture),
                "{view} {number}"
            );
        }
        // Decoders that do not know APNG find the first frame.
        let first = fixtures::Image::decode(&file).unwrap();
        assert!(first.rgba == pixels(&animation.frames()[0]), "{view}");
    }
}

#[test]
fn a_turn_has_the_frames_of_its_sides() {
    let skin = skin();
    let spec = PictureSpec::new(View::Figure, Size::px(32)).with_light(Light::Game);
    let spec = spec.with_camera(Camera::orthographic(25.0, 10.0));
    let animation = spec.animation(&skin, TURN).unwrap();
    for (number, yaw) in [(0, 25.0), (5, 115.0), (19, 7.0)] {
        let side = spec.with_camera(Camera::orthographic(yaw, 10.0));
        let side = side.with_framing(effigy_render::Framing::Turning);
        let picture = side.picture(&skin).unwrap();
        assert!(
            pixels(&animation.frames()[number]) == pixels(&picture),
            "{yaw}"
        );
    }
}

#[test]
fn no_frame_is_like_another() {
    let skin = skin();
    for &pose in NamedPose::ALL {
        let spec = PictureSpec::new(View::Figure, Size::px(128)).with_pose(pose);
        let animation = spec.animation(&skin, moving(pose)).unwrap();
        let frames: HashSet<Vec<u8>> = animation.frames().iter().map(pixels).collect();
        assert_eq!(frames.len(), animation.frames().len(), "{pose}");
        let time = animation.frame_time() * u32::try_from(frames.len()).unwrap();
        assert_eq!(time, pose.period(), "{pose}");
    }
}

#[test]
fn a_turn_is_slow_and_its_file_short() {
    let spec = PictureSpec::new(View::Figure, Size::px(128));
    for cycle in [None, Some(NamedPose::Run), Some(NamedPose::Idle)] {
        let motion = Motion { turns: true, cycle };
        let time = motion.frame_time() * motion.frames();
        assert!(time >= Duration::from_secs(8), "{motion:?}");
    }
    let file = encoded(&spec.animation(&skin(), TURN).unwrap());
    assert!(file.len() < 300_000, "{} bytes", file.len());
}

fn skin() -> Skin {
    Skin::decode(fixtures::skin("knight").png, None).expect("it is a skin")
}
