//! Pictures over time.

use std::collections::HashSet;
use std::io::{BufWriter, Cursor, Write};
use std::iter::repeat_n;
use std::time::Duration;

use effigy_render::{
    Angle, Camera, Cape, Decoration, Facing, Frame, ImageFormat, Joint, Light, Limb, Motion,
    NamedPose, Picture, PictureSpec, Player, Pose, RenderError, Renderer, Rotation, Shape, Size,
    Skin, View,
};

use crate::support::writers::FullOnce;
use image::AnimationDecoder;
use image::codecs::{gif::GifDecoder, png::PngDecoder};

const TURN: Motion = Motion::TURN;

fn write<'a, F: Frame<'a>>(
    frames: &[F],
    format: ImageFormat,
    to: impl Write,
) -> Result<(), RenderError> {
    Renderer::new().write_frames(frames, format, to)
}

fn encoded<'a, F: Frame<'a>>(frames: &[F], format: ImageFormat) -> Vec<u8> {
    let mut file = Vec::new();
    write(frames, format, &mut file).expect("memory does not fail");
    file
}

fn pixels(picture: &Picture<'_>) -> Vec<u8> {
    picture.to_rgba().expect("the picture is small")
}

/// The frames of a PNG or a GIF, as a browser shows them.
fn decoded(file: &[u8]) -> Vec<image::Frame> {
    let frames = match GifDecoder::new(Cursor::new(file)) {
        Ok(gif) => gif.into_frames(),
        Err(_) => PngDecoder::new(Cursor::new(file))
            .unwrap()
            .apng()
            .unwrap()
            .into_frames(),
    };
    frames.map(Result::unwrap).collect()
}

/// Asserts that a PNG has these frames.
#[track_caller]
fn check(file: &[u8], frames: &[(Picture<'_>, Duration)]) {
    let shown = decoded(file);
    assert_eq!(shown.len(), frames.len());
    for (number, (frame, (picture, time))) in shown.iter().zip(frames).enumerate() {
        assert_eq!(Duration::from(frame.delay()), *time, "{number}");
        assert!(*frame.buffer().as_raw() == pixels(picture), "{number}");
    }
}

#[test]
fn an_apng_has_every_frame() {
    let skin = skin();
    for (view, motion, frames, delay) in [
        (View::Figure, TURN, 36, 83),
        (View::Portrait, Motion::of(NamedPose::Wave), 24, 50),
        (View::Cube, TURN, 36, 83),
    ] {
        let spec = PictureSpec::new(view, Size::px(40)).with_pose(NamedPose::Wave);
        let animation = spec.animation(&skin, motion).unwrap().frames;
        let times = animation.iter().map(|(_, time)| time.as_millis());
        assert!(times.eq(repeat_n(delay, frames)), "{view}");
        let file = encoded(&animation, ImageFormat::Png);
        check(&file, &animation);
        // Decoders that do not know APNG find the first frame.
        let first = fixtures::Image::decode(&file).unwrap();
        assert!(first.rgba == pixels(&animation[0].0), "{view}");
    }
}

#[test]
fn a_frame_of_a_turn_is_the_picture_from_its_side() {
    let skin = skin();
    let spec = PictureSpec::new(View::Figure, Size::px(32)).with_light(Light::Game);
    let spec = spec.with_camera(Camera::orthographic(25.0, 10.0));
    let animation = spec.animation(&skin, TURN).unwrap().frames;
    for (number, yaw) in [(0, 25.0), (9, 115.0), (35, 15.0)] {
        let side = spec.with_camera(Camera::orthographic(yaw, 10.0));
        let side = side.with_framing(effigy_render::Framing::Turning);
        let picture = side.picture(&skin).unwrap();
        assert!(pixels(&animation[number].0) == pixels(&picture), "{yaw}");
    }
}

#[test]
fn no_frame_is_like_another() {
    let skin = skin();
    for &pose in NamedPose::ALL {
        let spec = PictureSpec::new(View::Figure, Size::px(128)).with_pose(pose);
        let animation = spec.animation(&skin, Motion::of(pose)).unwrap().frames;
        let frames: HashSet<Vec<u8>> = animation.iter().map(|(frame, _)| pixels(frame)).collect();
        assert_eq!(frames.len(), animation.len(), "{pose}");
        let time: Duration = animation.iter().map(|(_, time)| time).sum();
        assert_eq!(time, pose.period(), "{pose}");
    }
}

/// Returns four frames, two of them alike, which last 1, 2, 3 and 4 seconds.
fn own_frames(skin: &Skin) -> Vec<(Picture<'_>, Duration)> {
    let spec = PictureSpec::new(View::Figure, Size::px(40));
    let poses = [
        NamedPose::Stand,
        NamedPose::Wave,
        NamedPose::Wave,
        NamedPose::Sit,
    ];
    let mut frames = Vec::new();
    for (seconds, pose) in (1..).zip(poses) {
        let picture = spec.with_pose(pose).picture(skin).unwrap();
        frames.push((picture, Duration::from_secs(seconds)));
    }
    frames
}

#[test]
fn frames_of_ones_own_are_written_as_they_come() {
    let skin = skin();
    let frames = own_frames(&skin);
    check(&encoded(&frames, ImageFormat::Png), &frames);
}

#[test]
fn nothing_is_written_after_a_writer_has_failed() {
    let skin = skin();
    let frames = own_frames(&skin);
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let file = encoded(&frames, format);
        for room in (0..file.len()).step_by(97).chain([file.len() - 1]) {
            let mut full = FullOnce::new(room);
            let result = write(&frames, format, &mut full);
            let has_failed = matches!(result, Err(RenderError::Write { .. }));
            assert!(has_failed, "{format} {room}");
            let is_cut = full.file.len() <= room && file.starts_with(&full.file);
            assert!(is_cut, "{format} {room}");
        }
    }
}

/// A buffer that was dropped with bytes in it would lose them without an error.
#[test]
fn a_buffered_writer_is_flushed_before_success() {
    let skin = skin();
    let frames = own_frames(&skin);
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let length = encoded(&frames, format).len();
        for room in (0..length).step_by(97).chain([length - 1]) {
            let mut memory = vec![0; room];
            let result = write(&frames, format, BufWriter::new(&mut memory[..]));
            let has_failed = matches!(result, Err(RenderError::Write { .. }));
            assert!(has_failed, "{format} {room}");
        }
    }
}

#[test]
fn impossible_frames_are_refused() {
    use ImageFormat::{Gif, Png, Svg};
    let skin = skin();
    let spec = PictureSpec::new(View::Face, Size::px(16));
    let [small, large, giant] = [16, 17, 65_536].map(|width| {
        let spec = spec.with_frame([Size::px(width), Size::px(16)]);
        spec.picture(&skin).unwrap()
    });
    let refused = |format, frames: &[(&Picture<'_>, u64)]| {
        let frames = frames
            .iter()
            .map(|(picture, time)| (*picture, Duration::from_secs(*time)));
        let mut file = Vec::new();
        let refused = write(&frames.collect::<Vec<_>>(), format, &mut file);
        // A part of a GIF does not look like a whole one.
        assert!(!file.ends_with(b";"), "{format}");
        refused.unwrap_err()
    };
    for (format, longest) in [(Png, 65_535), (Gif, 655)] {
        let none = refused(format, &[]);
        assert!(matches!(none, RenderError::NoFrames), "{format}");
        let unequal = refused(format, &[(&small, 1), (&large, 1)]);
        assert!(matches!(unequal, RenderError::UnequalFrames), "{format}");
        let long = refused(format, &[(&small, longest), (&small, longest + 1)]);
        assert!(matches!(long, RenderError::LongFrame), "{format}");
    }
    let still = refused(Svg, &[(&small, 1)]);
    assert!(matches!(still, RenderError::StillFormat));
    let wide = refused(Gif, &[(&giant, 1)]);
    assert!(matches!(wide, RenderError::TooLarge { .. }));
}

#[test]
fn a_gif_has_every_frame_without_a_halo() {
    let skin = skin();
    let spec = PictureSpec::new(View::Figure, Size::px(64)).with_pose(NamedPose::Wave);
    let background = Decoration::NONE
        .with_background([0x20, 0x22, 0x25, 255])
        .with_shape(Shape::Rounded);
    for (decoration, motion) in [
        (Decoration::NONE, TURN),
        (Decoration::NONE, Motion::of(NamedPose::Wave)),
        (background, Motion::of(NamedPose::Wave)),
    ] {
        let spec = spec.with_decoration(decoration);
        let animation = spec.animation(&skin, motion).unwrap().frames;
        let file = encoded(&animation, ImageFormat::Gif);
        let frames = decoded(&file);
        assert_eq!(frames.len(), animation.len());
        for (number, (frame, (picture, time))) in frames.iter().zip(&animation).enumerate() {
            // A GIF counts hundredths of a second.
            let error = Duration::from(frame.delay()).abs_diff(*time);
            assert!(error < Duration::from_millis(10), "{number}");
            let color_error = color_error(frame.buffer().as_raw(), &pixels(picture));
            assert!(color_error < 4.0, "{motion:?} {number}: {color_error}");
        }
    }
}

/// Asserts that pixels of a GIF are opaque or transparent, and returns the root of the mean square
/// of the differences of their channels.
#[track_caller]
fn color_error(shown: &[u8], drawn: &[u8]) -> f64 {
    let mut sum = 0;
    let mut count = 0;
    let drawn_pixels = drawn.as_chunks::<4>().0;
    for (pixel, expected) in shown.as_chunks::<4>().0.iter().zip(drawn_pixels) {
        assert_eq!(pixel[3], if expected[3] < 128 { 0 } else { 255 });
        if pixel[3] > 0 {
            for channel in 0..3 {
                sum += u64::from(pixel[channel].abs_diff(expected[channel])).pow(2);
                count += 1;
            }
        }
    }
    (sum as f64 / f64::from(count)).sqrt()
}

#[test]
fn a_gif_keeps_the_tempo() {
    let skin = skin();
    let picture = PictureSpec::new(View::Face, Size::px(8))
        .picture(&skin)
        .unwrap();
    // Browsers show frames of one hundredth for too long, so every other one is left out.
    for (count, shown) in [(30, 30), (100, 50)] {
        let frames = vec![(&picture, Duration::from_secs(1) / count); count as usize];
        let frames = decoded(&encoded(&frames, ImageFormat::Gif));
        assert_eq!(frames.len(), shown);
        let delays = frames.iter().map(|frame| Duration::from(frame.delay()));
        assert_eq!(delays.sum::<Duration>(), Duration::from_secs(1));
    }
}

#[test]
fn a_turn_takes_three_seconds_and_is_no_slide_show() {
    assert_eq!(TURN.duration(), Duration::from_secs(3));
    assert_eq!(TURN.frames(), 36);
    let skin = skin();
    let spec = PictureSpec::new(View::Cube, Size::px(32));
    let animation = spec.animation(&skin, TURN).unwrap().frames;
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let frames = decoded(&encoded(&animation, format));
        assert_eq!(frames.len(), 36);
        let time: Duration = frames
            .iter()
            .map(|frame| Duration::from(frame.delay()))
            .sum();
        let error = time.abs_diff(Duration::from_secs(3));
        assert!(error < Duration::from_millis(1), "{format:?}: {time:?}");
    }
}

#[test]
fn a_turn_of_a_player_who_moves_takes_longer() {
    for cycle in [NamedPose::Run, NamedPose::Idle] {
        let motion = Motion::of(cycle).turning();
        assert!(motion.duration() >= Duration::from_secs(8), "{motion:?}");
        let cycles = motion.duration().div_duration_f64(cycle.period());
        assert!((cycles - cycles.round()).abs() < 1e-9, "{motion:?}");
    }
}

/// More frames make a turn smoother and its file longer: with 20 frames, it had 280,000 bytes.
#[test]
fn a_turn_takes_less_than_560_000_bytes() {
    let spec = PictureSpec::new(View::Figure, Size::px(128));
    let file = spec
        .animation(&skin(), TURN)
        .unwrap()
        .encode_apng()
        .unwrap();
    assert!(file.len() < 560_000, "{} bytes", file.len());
}

#[test]
fn an_animation_is_written_in_one_call() {
    let skin = skin();
    let spec = PictureSpec::new(View::Figure, Size::px(24));
    let animation = spec.animation(&skin, Motion::of(NamedPose::Run)).unwrap();
    assert_eq!(animation.duration(), NamedPose::Run.period());
    let apng = animation.encode_apng().unwrap();
    check(&apng, &animation.frames);
    let gif = animation.encode_gif().unwrap();
    assert_eq!(decoded(&gif).len(), animation.frames.len());
    // A renderer takes a reference, and the animation itself.
    let mut file = Vec::new();
    let mut renderer = Renderer::new();
    renderer
        .write_frames(&animation, ImageFormat::Gif, &mut file)
        .unwrap();
    assert!(file == gif);
    file.clear();
    renderer
        .write_frames(animation, ImageFormat::Png, &mut file)
        .unwrap();
    assert!(file == apng);
}

#[test]
fn a_motion_needs_no_pose_in_the_specification() {
    let skin = skin();
    let spec = PictureSpec::new(View::Figure, Size::px(32));
    let walk = Motion::of(NamedPose::Walk);
    let free = spec.animation(&skin, walk).unwrap().encode_apng().unwrap();
    let posed = spec.with_pose(NamedPose::Walk);
    let posed = posed.animation(&skin, walk).unwrap();
    assert!(free == posed.encode_apng().unwrap());
}

#[test]
fn a_motion_without_an_effect_is_refused() {
    let walk = Motion::of(NamedPose::Walk);
    for &view in View::ALL {
        if view.is_flat() {
            let spec = PictureSpec::new(view, Size::px(16));
            assert!(
                matches!(refused(spec, walk), RenderError::NothingMoves),
                "{view}"
            );
        }
    }
    // Every part has an angle of its own, and rests.
    let mut pose = with_own_limbs(NamedPose::Walk);
    pose.cape = Angle::degrees(99.9);
    let figure = PictureSpec::new(View::Figure, Size::px(16)).with_pose(pose);
    assert!(matches!(refused(figure, walk), RenderError::NothingMoves));
}

/// Returns a pose in which every limb and every joint has an angle of its own.
fn with_own_limbs(base: NamedPose) -> Pose {
    let mut pose = Pose::from(base);
    for &limb in Limb::ALL {
        pose.turn(limb, Rotation::degrees(33.3, 11.1, 22.2));
    }
    for &joint in Joint::ALL {
        pose.bend(joint, Angle::degrees(77.7));
    }
    pose
}

#[test]
fn every_named_pose_moves_in_every_view_that_can() {
    let skin = skin();
    for &view in View::ALL {
        if view.is_flat() {
            continue;
        }
        for &pose in NamedPose::ALL {
            let spec = PictureSpec::new(view, Size::px(16)).with_pose(pose);
            let moment = spec.moment(&skin, Motion::of(pose), 0.5);
            assert!(moment.is_ok(), "{view} {pose}");
        }
    }
}

#[test]
fn limbs_that_the_view_does_not_show_are_no_movement() {
    let walk = Motion::of(NamedPose::Walk);
    let mut pose = Pose::from(NamedPose::Walk);
    pose.turn(Limb::Head, Rotation::degrees(0.0, 30.0, 0.0));
    let cube = PictureSpec::new(View::Cube, Size::px(16)).with_pose(pose);
    assert!(matches!(refused(cube, walk), RenderError::NothingMoves));
    // An isometric head leans with the body.
    for limb in [Limb::Waist, Limb::Body] {
        pose.turn(limb, Rotation::degrees(0.0, 20.0, 0.0));
    }
    let head = PictureSpec::new(View::IsometricHead, Size::px(16)).with_pose(pose);
    assert!(matches!(refused(head, walk), RenderError::NothingMoves));
    let body = PictureSpec::new(View::IsometricBody, Size::px(16)).with_pose(pose);
    assert!(body.animation(&skin(), walk).is_ok());
}

#[test]
fn only_a_cape_that_is_shown_is_a_movement() {
    let walk = Motion::of(NamedPose::Walk);
    let pose = with_own_limbs(NamedPose::Walk);
    let figure = PictureSpec::new(View::Figure, Size::px(16)).with_pose(pose);
    assert!(matches!(refused(figure, walk), RenderError::NothingMoves));

    let skin = skin();
    let cape = Cape::from_rgba(64, 32, &[255; 64 * 32 * 4]).expect("a cape");
    let player = Player::new(&skin).with_cape(&cape);
    assert!(figure.animation(player, walk).is_ok());
    let hidden = figure.with_cape(false).animation(player, walk);
    assert!(matches!(hidden, Err(RenderError::NothingMoves)));
}

#[test]
fn only_a_camera_with_a_yaw_sees_a_turn() {
    let mut specs = vec![PictureSpec::new(View::Figure, Size::px(16)).with_facing(Facing::Left)];
    for &view in View::ALL {
        if !view.is_free() {
            specs.push(PictureSpec::new(view, Size::px(16)));
        }
    }
    for spec in specs {
        for motion in [TURN, Motion::of(NamedPose::Walk).turning()] {
            let error = refused(spec, motion);
            assert!(matches!(error, RenderError::CannotTurn), "{spec:?}");
        }
    }
}

/// Returns the error with which an animation, and a moment of it, are refused.
#[track_caller]
fn refused(spec: PictureSpec, motion: Motion) -> RenderError {
    let skin = skin();
    let of_animation = spec.animation(&skin, motion).map(drop).unwrap_err();
    let of_moment = spec.moment(&skin, motion, 0.5).map(drop).unwrap_err();
    assert_eq!(of_moment.to_string(), of_animation.to_string());
    of_animation
}

fn skin() -> Skin {
    Skin::decode(fixtures::skin("knight").png, None).expect("it is a skin")
}
