//! Pictures over time.

use std::io::Cursor;

use effigy_render::{
    Animation, Camera, Decoration, Light, Motion, NamedPose, Picture, PictureSpec, Renderer, Size,
    Skin, View,
};

use image::{AnimationDecoder, codecs::png::PngDecoder};

const TURN: Motion = Motion {
    turns: true,
    moves: false,
};
const MOVE: Motion = Motion {
    turns: false,
    moves: true,
};

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
        (View::Portrait, MOVE),
        (View::HeadCube, TURN),
    ] {
        let spec = PictureSpec::new(view, Size::px(40)).with_pose(NamedPose::Wave);
        let animation = spec.animation(&skin, motion).unwrap();
        let file = encoded(&animation);
        let decoder = PngDecoder::new(Cursor::new(&file)).unwrap().apng().unwrap();
        let frames: Vec<image::Frame> = decoder.into_frames().map(Result::unwrap).collect();
        assert_eq!(frames.len(), 24);
        for (number, (frame, picture)) in frames.iter().zip(animation.frames()).enumerate() {
            assert_eq!(frame.delay().numer_denom_ms(), (100, 1));
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
    let animation = spec.animation(&skin, TURN).unwrap();
    for (number, yaw) in [(0, 25.0), (5, 100.0), (23, 10.0)] {
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
fn limbs_swing_and_nothing_is_cut() {
    let skin = skin();
    let margin = Decoration {
        padding: 4,
        ..Decoration::NONE
    };
    for pose in NamedPose::ALL {
        let spec = PictureSpec::new(View::Figure, Size::px(48)).with_pose(*pose);
        let both = Motion {
            turns: true,
            moves: true,
        };
        let frames = [MOVE, both].map(|motion| {
            spec.with_decoration(margin)
                .animation(&skin, motion)
                .unwrap()
        });
        for picture in frames.iter().flat_map(Animation::frames) {
            let width = picture.width() as usize;
            let rgba = pixels(picture);
            let (texels, _) = rgba.as_chunks::<4>();
            let (top, bottom) = (&texels[..4 * width], &texels[texels.len() - 4 * width..]);
            assert!(
                top.iter().chain(bottom).all(|texel| texel[3] == 0),
                "{pose}"
            );
        }
        let still = pixels(&frames[0].frames()[0]) == pixels(&frames[0].frames()[6]);
        assert_eq!(still, *pose == NamedPose::Stand, "{pose}");
    }
}

fn skin() -> Skin {
    Skin::decode(fixtures::skin("knight").png, None).expect("it is a skin")
}
