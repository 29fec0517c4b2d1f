//! Pictures over time.

use std::collections::HashSet;
use std::io::{self, BufWriter, Cursor, Write};
use std::time::Duration;

use effigy_render::{
    Angle, Camera, Decoration, ImageFormat, Light, Motion, NamedPose, Picture, PictureSpec,
    RenderError, Renderer, Shape, Size, Skin, View,
};

use image::AnimationDecoder;
use image::codecs::{gif::GifDecoder, png::PngDecoder};

const TURN: Motion = Motion {
    turns: true,
    cycle: None,
    start: Angle::ZERO,
};

const fn moving(pose: NamedPose) -> Motion {
    Motion {
        turns: false,
        cycle: Some(pose),
        start: Angle::ZERO,
    }
}

type Frames<'a> = Vec<(Picture<'a>, Duration)>;

fn encoded(frames: &Frames<'_>, format: ImageFormat) -> Vec<u8> {
    let frames = frames.iter().map(|(picture, time)| (picture, *time));
    let mut file = Vec::new();
    let written = Renderer::new().write_frames(frames, format, &mut file);
    written.expect("memory does not fail");
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
        (View::Cube, TURN),
    ] {
        let spec = PictureSpec::new(view, Size::px(40)).with_pose(NamedPose::Wave);
        let animation = spec.animation(&skin, motion).unwrap();
        let file = encoded(&animation, ImageFormat::Png);
        let frames = frames_of_png(&file);
        assert_eq!(frames.len(), if motion.turns { 20 } else { 24 });
        for (number, (frame, (picture, time))) in frames.iter().zip(&animation).enumerate() {
            let delay = if motion.turns { 400 } else { 50 };
            assert_eq!(frame.delay().numer_denom_ms(), (delay, 1));
            assert_eq!(*time, Duration::from(frame.delay()));
            assert!(
                *frame.buffer().as_raw() == pixels(picture),
                "{view} {number}"
            );
        }
        // Decoders that do not know APNG find the first frame.
        let first = fixtures::Image::decode(&file).unwrap();
        assert!(first.rgba == pixels(&animation[0].0), "{view}");
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
        assert!(pixels(&animation[number].0) == pixels(&picture), "{yaw}");
    }
}

#[test]
fn no_frame_is_like_another() {
    let skin = skin();
    for &pose in NamedPose::ALL {
        let spec = PictureSpec::new(View::Figure, Size::px(128)).with_pose(pose);
        let animation = spec.animation(&skin, moving(pose)).unwrap();
        let frames: HashSet<Vec<u8>> = animation.iter().map(|(frame, _)| pixels(frame)).collect();
        assert_eq!(frames.len(), animation.len(), "{pose}");
        let time: Duration = animation.iter().map(|(_, time)| time).sum();
        assert_eq!(time, pose.period(), "{pose}");
    }
}

/// A file on a disk that is full once.
struct FullOnce {
    room: Option<usize>,
    file: Vec<u8>,
}

impl Write for FullOnce {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.len() + bytes.len();
        if self.room.take_if(|room| *room < length).is_some() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn frames_of_ones_own_are_written_as_they_come() {
    let skin = skin();
    let spec = PictureSpec::new(View::Figure, Size::px(40));
    let second = Duration::from_secs(1);
    let poses = [
        NamedPose::Stand,
        NamedPose::Wave,
        NamedPose::Wave,
        NamedPose::Sit,
    ];
    let frames = || {
        let pictures = poses.map(|pose| spec.with_pose(pose).picture(&skin).unwrap());
        pictures
            .into_iter()
            .zip((1..).map(|number| second * number))
    };
    let write = |format, to: &mut dyn Write| {
        let frames: Vec<_> = frames().collect();
        Renderer::new().write_frames(frames, format, to)
    };
    let mut file = Vec::new();
    write(ImageFormat::Png, &mut file).unwrap();
    let decoded = frames_of_png(&file);
    assert_eq!(decoded.len(), poses.len());
    for (decoded, (picture, time)) in decoded.iter().zip(frames()) {
        assert_eq!(Duration::from(decoded.delay()), time);
        assert!(*decoded.buffer().as_raw() == pixels(&picture), "{time:?}");
    }
    // Many lengths of a file that a writer refuses to end.
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let mut file = Vec::new();
        write(format, &mut file).unwrap();
        for room in (0..file.len()).step_by(97).chain([file.len() - 1]) {
            let mut full = FullOnce {
                room: Some(room),
                file: Vec::new(),
            };
            let failed = write(format, &mut full);
            let is_right = matches!(failed, Err(RenderError::Write { .. }));
            // Nothing is written after the error.
            let is_cut = full.file.len() <= room && file.starts_with(&full.file);
            assert!(is_right && is_cut, "{format} {room}");
            // What a buffer holds back is written before its writer is gone.
            let mut memory = vec![0; room];
            let failed = write(format, &mut BufWriter::new(&mut memory[..]));
            let is_right = matches!(failed, Err(RenderError::Write { .. }));
            assert!(is_right, "{format} {room} buffered");
        }
    }
}

#[test]
fn impossible_frames_are_refused() {
    use ImageFormat::{Gif, Png, Svg};
    let skin = skin();
    let of = |size| {
        PictureSpec::new(View::Face, Size::px(size))
            .picture(&skin)
            .unwrap()
    };
    let (small, large, giant) = (of(16), of(17), of(65_536));
    let write = |format, frames: &[(&Picture<'_>, u64)]| {
        let frames = frames
            .iter()
            .map(|(picture, time)| (*picture, Duration::from_secs(*time)));
        let mut file = Vec::new();
        let written = Renderer::new().write_frames(frames, format, &mut file);
        // A part of a GIF does not look like a whole one.
        assert!(!file.ends_with(b";"), "{format}");
        written.unwrap_err()
    };
    for (format, longest) in [(Png, 65_535), (Gif, 655)] {
        assert!(matches!(write(format, &[]), RenderError::NoFrames));
        let unequal = write(format, &[(&small, 1), (&large, 1)]);
        assert!(matches!(unequal, RenderError::UnequalFrames));
        let long = write(format, &[(&small, longest), (&small, longest + 1)]);
        assert!(matches!(long, RenderError::LongFrame), "{format}");
    }
    assert!(matches!(
        write(Svg, &[(&small, 1)]),
        RenderError::StillFormat
    ));
    let wide = write(Gif, &[(&giant, 1)]);
    assert!(matches!(wide, RenderError::TooLarge { .. }));
}

fn frames_of_png(file: &[u8]) -> Vec<image::Frame> {
    let decoder = PngDecoder::new(Cursor::new(file)).unwrap().apng().unwrap();
    decoder.into_frames().map(Result::unwrap).collect()
}

/// Returns the frames of a GIF as a browser shows them.
fn frames_of_gif(file: &[u8]) -> Vec<image::Frame> {
    let decoder = GifDecoder::new(Cursor::new(file)).unwrap();
    decoder.into_frames().map(Result::unwrap).collect()
}

#[test]
fn a_gif_has_every_frame_without_a_halo() {
    let skin = skin();
    let spec = PictureSpec::new(View::Figure, Size::px(64)).with_pose(NamedPose::Wave);
    let background = Decoration {
        background: Some([0x20, 0x22, 0x25, 255]),
        shape: Shape::Rounded,
        ..Decoration::NONE
    };
    for (decoration, motion) in [
        (Decoration::NONE, TURN),
        (Decoration::NONE, moving(NamedPose::Wave)),
        (background, moving(NamedPose::Wave)),
    ] {
        let spec = spec.with_decoration(decoration);
        let animation = spec.animation(&skin, motion).unwrap();
        let file = encoded(&animation, ImageFormat::Gif);
        let frames = frames_of_gif(&file);
        assert_eq!(frames.len(), animation.len());
        for (number, (frame, (picture, time))) in frames.iter().zip(&animation).enumerate() {
            assert_eq!(Duration::from(frame.delay()), *time);
            let (mut sum, mut count) = (0, 0);
            let expected = pixels(picture);
            let shown = frame.buffer().as_raw().as_chunks::<4>().0;
            for (shown, pixel) in shown.iter().zip(expected.as_chunks::<4>().0) {
                assert_eq!(shown[3], if pixel[3] < 128 { 0 } else { 255 }, "{number}");
                if shown[3] > 0 {
                    let channels = shown.iter().zip(pixel).take(3);
                    let errors = channels.map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2));
                    (sum, count) = (sum + errors.sum::<u64>(), count + 3);
                }
            }
            let error = (sum as f64 / count as f64).sqrt();
            assert!(error < 4.0, "{motion:?} {number}: {error}");
        }
    }
}

#[test]
fn a_gif_keeps_the_tempo() {
    let skin = skin();
    let picture = PictureSpec::new(View::Face, Size::px(8))
        .picture(&skin)
        .unwrap();
    // Of those that are shorter than two hundredths, every other one has to do.
    for (count, shown) in [(30, 30), (100, 50)] {
        let frames = vec![(&picture, Duration::from_secs(1) / count); count as usize];
        let mut file = Vec::new();
        let written = Renderer::new().write_frames(frames, ImageFormat::Gif, &mut file);
        written.unwrap();
        let frames = frames_of_gif(&file);
        assert_eq!(frames.len(), shown);
        let delays = frames.iter().map(|frame| Duration::from(frame.delay()));
        assert_eq!(delays.sum::<Duration>(), Duration::from_secs(1));
    }
}

#[test]
fn a_turn_is_slow_and_its_file_short() {
    let spec = PictureSpec::new(View::Figure, Size::px(128));
    for cycle in [None, Some(NamedPose::Run), Some(NamedPose::Idle)] {
        let motion = Motion { cycle, ..TURN };
        let time = motion.frame_time() * motion.frames();
        assert!(time >= Duration::from_secs(8), "{motion:?}");
    }
    let file = encoded(&spec.animation(&skin(), TURN).unwrap(), ImageFormat::Png);
    assert!(file.len() < 300_000, "{} bytes", file.len());
}

fn skin() -> Skin {
    Skin::decode(fixtures::skin("knight").png, None).expect("it is a skin")
}
