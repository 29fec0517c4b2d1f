//! Views in frames: the same picture with transparent pixels around it.

use crate::support::{drawn, random};

use crate::support::random::Noise;
use crate::support::specs::{all, flat};
use effigy_render::{ImageFormat, Layers, Model, PictureSpec, RenderError, Size, Skin};
use fixtures::Image;

fn framed(view: PictureSpec, frame: [u32; 2]) -> PictureSpec {
    view.with_frame(frame.map(Size::px))
}

/// Decodes the picture's file, and asserts that it has the pixels of `to_rgba`.
#[track_caller]
fn picture(view: &PictureSpec, skin: &Skin) -> Image {
    let picture = view.picture(skin).unwrap();
    let image = Image::decode(&picture.encode_png().unwrap()).unwrap();
    assert!(image.rgba == picture.to_rgba().unwrap(), "{view:?}");
    image
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
        for view in [1, 9, 64].into_iter().flat_map(all) {
            let inner = picture(&view, skin);
            for [left, top, right, bottom] in MARGINS {
                let frame = [left + inner.width + right, top + inner.height + bottom];
                let framed = framed(view, frame);
                assert_eq!([framed.width(), framed.height()], frame.map(u64::from));
                let expected = drawn::surrounded(&inner, frame, [left, top]);
                assert!(picture(&framed, skin) == expected, "{framed:?}");
            }
        }
    }
}

/// The variable that is set in a process that runs one test alone.
const ALONE: &str = "EFFIGY_TEST_ALONE";

/// Of a picture of 320 MB only some rows are in memory at a time. The test runs in a process of its
/// own, so that other tests do not add to the peak.
#[test]
fn a_large_frame_takes_little_memory() {
    if std::env::var_os(ALONE).is_none() {
        return run_alone("pictures::framed::a_large_frame_takes_little_memory");
    }
    let skin = drawn::named("ninja");
    for view in all(64) {
        let framed = framed(view, [40_000, 2_000]);
        let picture = framed.picture(&skin).unwrap();
        let sink = &mut std::io::sink();
        picture.write(ImageFormat::Png, sink).unwrap();
        if let Some(peak) = drawn::peak_memory() {
            assert!(peak < 128 << 10, "{framed:?}: {peak} KiB");
        }
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
            let size = [view.width(), view.height()].map(|side| u32::try_from(side).unwrap());
            let frame = [size[0] - lack[0], size[1] - lack[1]];
            let refused = framed(view, frame).picture(&skin).map(drop);
            let Err(RenderError::FrameTooSmall {
                width,
                height,
                frame: named_frame,
            }) = refused
            else {
                panic!("{view:?} {frame:?}: {refused:?}");
            };
            assert_eq!([width, height], size, "{view:?}");
            assert_eq!(named_frame, frame, "{view:?}");
        }
    }
}

#[test]
fn a_view_too_large_for_a_png_is_refused_in_any_frame() {
    let skin = drawn::named("fox");
    let [_, body, ..] = flat(Size::MAX, Layers::WithOverlay);
    let refused = framed(body, [Size::MAX; 2]).picture(&skin).map(drop);
    assert!(
        matches!(refused, Err(RenderError::TooLarge { .. })),
        "{refused:?}"
    );
}
