//! Dimensions of pictures, contents of their files, and writers that fail.

use std::io;

use crate::support::drawn;
use crate::support::specs::{self, flat};
use crate::support::writers::{FullOnce, Patient};
use effigy_render::{
    Facing, ImageFormat, Layers, PictureSpec, Player, RenderError, Renderer, Size, View,
};

fn isometric(pixels: u32) -> [PictureSpec; 2] {
    specs::isometric(pixels, Facing::Right, Layers::WithOverlay)
}

#[test]
fn sizes_follow_from_the_requested_one() {
    let table = [
        // Combo's width, the heights of both bodies.
        (1, [1, 2, 2]),
        (12, [18, 24, 24]),
        (13, [19, 26, 27]),
        (64, [98, 128, 131]),
        (100, [153, 200, 204]),
        (512, [784, 1024, 1044]),
        (Size::MAX, [3_288_334_334, 4_294_967_294, 4_380_866_640]),
    ];
    for (pixels, [wider, twice, isometric_twice]) in table {
        let size = u64::from(pixels);
        let flat = flat(pixels, Layers::Base).map(|view| [view.width(), view.height()]);
        assert_eq!(flat, [[size; 2], [size, twice], [size; 2], [wider, size]]);
        let isometric = isometric(pixels).map(|view| [view.width(), view.height()]);
        assert_eq!(isometric, [[size; 2], [size, isometric_twice]]);
    }
    let sizes = [0, 1, 2_147_483_647, 2_147_483_648, u32::MAX];
    let sizes = sizes.map(|pixels| Size::new(pixels).map(Size::get));
    assert_eq!(sizes, [None, Some(1), Some(Size::MAX), None, None]);
}

#[test]
fn a_picture_too_large_for_a_png_is_refused() {
    let skin = drawn::named("fox");
    // The least sizes that are too large, and the width of a combo is 49 / 32 of its height.
    let [_, body, ..] = flat(Size::MAX / 2 + 1, Layers::WithOverlay);
    let [.., combo] = flat(1_402_438_301, Layers::Base);
    let [_, isometric_body] = isometric(1_052_688_063);
    for mut view in [body, combo, isometric_body] {
        let refused = view.picture(&skin).expect_err("it is too high or too wide");
        let RenderError::TooLarge { width, height } = refused else {
            panic!("{view:?}: {refused:?}");
        };
        assert_eq!([width, height], [view.width(), view.height()], "{view:?}");
        view.size = Size::px(view.size.get() - 1);
        let picture = view.picture(&skin).unwrap();
        let size = [picture.width(), picture.height()].map(u64::from);
        assert_eq!(size, [view.width(), view.height()]);
    }
}

/// A group of small figures is a single strip, which takes as long as all figures together.
#[test]
fn a_writer_stops_the_drawing_between_two_strips_or_players() {
    let skin = drawn::named("fox");
    let [_, large] = isometric(20_000);
    let small = PictureSpec::new(View::Figure, Size::px(8));
    let players = vec![Some(Player::new(&skin)); 20];
    let group = small.group(&players).unwrap().picture;
    let sheet = small.sheet(&players, 20).unwrap().picture;
    for picture in [large.picture(&skin).unwrap(), group, sheet] {
        for flushes in [0, 1, 20] {
            let written = picture.write(ImageFormat::Png, &mut Patient(flushes));
            let is_stopped = matches!(&written, Err(RenderError::Write { source })
                if source.kind() == io::ErrorKind::TimedOut);
            assert!(is_stopped, "{picture:?} {flushes}: {written:?}");
        }
    }
}

#[test]
fn strips_have_the_announced_number_of_rows() {
    let skin = drawn::named("fox");
    for width in [1, 1000, 100_000] {
        let frame = [width, 3000].map(Size::px);
        let spec = PictureSpec::new(View::Face, Size::px(1)).with_frame(frame);
        let picture = spec.picture(&skin).unwrap();
        let mut lengths = Vec::new();
        let drawn: Result<(), RenderError> = Renderer::new().strips(&picture, |strip| {
            lengths.push(strip.len() as u64);
            Ok(())
        });
        drawn.unwrap();
        let row = 4 * u64::from(width);
        assert_eq!(
            lengths[0],
            row * Renderer::strip_rows(width.into()),
            "{width}"
        );
        assert_eq!(lengths.iter().sum::<u64>(), row * 3000, "{width}");
    }
}

/// Drawing these pictures to their end would take minutes.
#[test]
fn a_writer_that_fails_stops_the_drawing() {
    let skin = drawn::named("ghost");
    let enormous = 2_000_000;
    let large = 20_000;
    let [head, _] = isometric(64);
    let framed = head.with_frame([Size::px(enormous); 2]);
    let views = flat(enormous, Layers::Base)
        .into_iter()
        .chain(flat(enormous, Layers::WithOverlay))
        .chain(isometric(large))
        .chain([framed]);
    for picture in views.map(|view| view.picture(&skin).unwrap()) {
        let as_png = [0, 1, 20, 40, 70_000].map(|room| (ImageFormat::Png, room));
        // A short SVG is complete before it has 70,000 bytes.
        let as_svg = [0, 1, 20, 40].map(|room| (ImageFormat::Svg, room));
        for (format, room) in as_png.into_iter().chain(as_svg) {
            let mut full = FullOnce::new(room);
            let written = picture.write(format, &mut full);
            let is_right = matches!(&written, Err(RenderError::Write { source })
                if source.kind() == io::ErrorKind::StorageFull);
            let what = format!("{picture:?}, {format}, {room} bytes");
            // Nothing is written after the error.
            assert!(is_right && full.file.len() <= room, "{what}: {written:?}");
        }
    }
}

#[test]
fn a_face_of_many_pixels_is_a_small_file() {
    let skin = drawn::named("fox");
    let [face, ..] = flat(20_000, Layers::WithOverlay);
    let file = face.picture(&skin).unwrap().encode_png().unwrap();
    assert!(file.len() < 400_000, "{}", file.len());
}
