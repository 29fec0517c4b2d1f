//! Views in frames: the same picture with transparent pixels around it.

use crate::support::{drawn, random};

use crate::support::random::Noise;
use crate::support::specs::{all, flat};
use std::io::{self, Write};

use effigy_render::{
    Decoration, ImageFormat, Layers, Model, NamedPose, PictureSpec, Player, RenderError, Shape,
    Size, Skin, View,
};
use fixtures::Image;

fn framed(view: PictureSpec, frame: [u32; 2]) -> PictureSpec {
    view.with_frame(frame.map(Size::px))
}

/// Decodes the picture's file, and asserts that it has the pixels of `to_rgba`.
#[track_caller]
fn picture(view: &PictureSpec, skin: &Skin) -> Image {
    let picture = view.picture(skin).unwrap();
    let png = picture.encode_png().unwrap();
    let image = Image::decode(&png).unwrap();
    let pixels = picture.to_rgba().unwrap();
    assert!(image.rgba == pixels, "{view:?}");
    image
}

/// Asserts that a framed picture has the inner one at `left`, `top`.
#[track_caller]
fn check(actual: &Image, inner: &Image, [left, top]: [u32; 2], what: &PictureSpec) {
    for y in 0..actual.height {
        for x in 0..actual.width {
            let place = (x.checked_sub(left), y.checked_sub(top));
            let expected = match place {
                (Some(x), Some(y)) if x < inner.width && y < inner.height => inner.pixel(x, y),
                _ => [0; 4],
            };
            assert_eq!(actual.pixel(x, y), expected, "{what:?} at ({x}, {y})");
        }
    }
}

/// Left, top, right and bottom margins.
const MARGINS: [[u32; 4]; 7] = [
    [0, 0, 0, 0],
    [0, 0, 1, 1],
    [1, 1, 1, 1],
    [7, 0, 8, 0],
    [0, 3, 0, 4],
    [20, 300, 21, 300],
    [500, 2, 500, 3],
];

#[test]
fn a_frame_surrounds_the_same_picture() {
    let noise = Noise::ALL.map(|noise| random::skin(3, [128, 128], noise, Model::Slim));
    for skin in noise.iter().chain([&drawn::named("ghost")]) {
        for [left, top, right, bottom] in MARGINS {
            for view in [1, 9, 64].into_iter().flat_map(all) {
                let inner = picture(&view, skin);
                let frame = [left + inner.width + right, top + inner.height + bottom];
                let framed = framed(view, frame);
                assert_eq!(
                    (framed.width(), framed.height()),
                    (frame[0].into(), frame[1].into())
                );
                check(&picture(&framed, skin), &inner, [left, top], &framed);
            }
        }
    }
}

/// Set in the process that runs one test alone.
const ALONE: &str = "EFFIGY_TEST_ALONE";

/// Of a picture of 320 MB only some rows are in memory at a time. The test runs in a process of its
/// own, so that other tests do not add to the peak.
#[test]
fn a_large_frame_takes_little_memory() {
    if std::env::var_os(ALONE).is_none() {
        return run_alone("framed::a_large_frame_takes_little_memory");
    }
    let skin = drawn::named("ninja");
    for view in all(64) {
        let framed = framed(view, [40_000, 2_000]);
        let picture = framed.picture(&skin).unwrap();
        picture
            .write(ImageFormat::Png, &mut std::io::sink())
            .unwrap();
        if let Some(peak) = drawn::peak_memory() {
            assert!(peak < 128 << 10, "{framed:?}: {peak} KiB");
        }
    }
}

/// Pictures that take about as much memory as [`PictureSpec::drawing_bytes`] says, and less.
#[test]
fn drawing_takes_less_memory_than_estimated() {
    if std::env::var_os(ALONE).is_none() {
        return run_alone("framed::drawing_takes_less_memory_than_estimated");
    }
    let skin = random::skin(3, [256, 256], Noise::Gaps, Model::Classic);
    let decoration = Decoration {
        background: Some([1, 2, 3, 4]),
        padding: 100,
        shape: Shape::Circle,
        has_shadow: true,
    };
    // In ascending order, because what is measured is a peak.
    for (view, width, players) in [
        (View::IsometricBody, 64, 1),
        (View::Figure, 512, 1),
        (View::Figure, 16, 100),
        (View::Portrait, 5_000, 2),
        (View::IsometricHead, 1_000, 60),
        (View::Figure, 100_000, 1),
    ] {
        let spec = PictureSpec::new(view, Size::px(width))
            .with_pose(NamedPose::Wave)
            .with_decoration(decoration);
        let before = drawn::peak_memory();
        let group = spec
            .group(&vec![Some(Player::new(&skin)); players])
            .expect("a group");
        // The first strips of a very wide picture show what all of them take.
        let flushes = u32::try_from(12 * (players + 1)).unwrap();
        let written = group.picture.write(ImageFormat::Png, &mut Patient(flushes));
        written.ok();
        let bytes = spec.drawing_bytes(players as u64);
        if let (Some(before), Some(peak)) = (before, drawn::peak_memory()) {
            let more = (peak - before) << 10;
            assert!(more < bytes, "{view} {width} {players}: {more} > {bytes}");
        }
    }
}

/// A writer that is patient with so many strips.
struct Patient(u32);

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::TimedOut)?;
        Ok(())
    }
}

fn run_alone(test: &str) {
    let this = std::env::current_exe().expect("the path of the tests");
    let mut command = std::process::Command::new(this);
    let output = command.args([test, "--exact"]).env(ALONE, "1").output();
    let output = output.expect("the test runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
fn a_view_larger_than_its_frame_is_refused() {
    let skin = drawn::named("fox");
    for lack in [[1, 0], [0, 1], [40, 40]] {
        for view in all(64) {
            let [width, height] =
                [view.width(), view.height()].map(|pixels| u32::try_from(pixels).unwrap());
            let frame = [width - lack[0], height - lack[1]];
            let framed = framed(view, frame);
            let refused = framed.picture(&skin).expect_err("the frame is too small");
            let expected = (width, height, frame);
            assert!(
                matches!(refused, RenderError::FrameTooSmall { width, height, frame }
                    if (width, height, frame) == expected),
                "{framed:?}: {refused:?}"
            );
        }
    }
    let [_, body, ..] = flat(Size::MAX, Layers::WithOverlay);
    let refused = framed(body, [Size::MAX, Size::MAX]).picture(&skin);
    let refused = refused.expect_err("no PNG can hold what is framed");
    assert!(
        matches!(refused, RenderError::TooLarge { .. }),
        "{refused:?}"
    );
}
