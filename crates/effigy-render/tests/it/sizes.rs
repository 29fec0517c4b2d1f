//! Dimensions of pictures, contents of their files, and writers that fail.

use crate::support::{drawn, specs};

use std::io::{self, Write};

use crate::support::specs::flat;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Player, RenderError, Size, View};

fn isometric(pixels: u32) -> [PictureSpec; 2] {
    specs::isometric(pixels, Facing::Right, Layers::WithOverlay)
}

#[test]
fn dimensions() {
    let table = [
        // Combo's width, the heights of both bodies.
        (1, [1, 2, 2]),
        (12, [18, 24, 24]),
        (13, [19, 26, 27]),
        (64, [98, 128, 131]),
        (100, [153, 200, 204]),
        (128, [196, 256, 261]),
        (512, [784, 1024, 1044]),
        (Size::MAX, [3_288_334_334, 4_294_967_294, 4_380_866_640]),
    ];
    for (pixels, [wider, twice, isometric_twice]) in table {
        let size = u64::from(pixels);
        let [head, body, bust, combo] = flat(pixels, Layers::Base);
        let [isometric_head, isometric_body] = isometric(pixels);
        for (view, expected) in [
            (head, [size, size]),
            (body, [size, twice]),
            (bust, [size, size]),
            (combo, [wider, size]),
            (isometric_head, [size, size]),
            (isometric_body, [size, isometric_twice]),
        ] {
            let dimensions = [view.width(), view.height()];
            assert_eq!(dimensions, expected, "{view:?}");
        }
    }
}

#[test]
fn sizes_end_where_those_of_pngs_do() {
    assert_eq!(Size::new(0), None);
    assert_eq!(Size::new(Size::MAX).map(Size::get), Some(2_147_483_647));
    assert_eq!(Size::new(Size::MAX + 1), None);
    assert_eq!(Size::new(u32::MAX), None);
}

#[test]
fn a_picture_too_large_for_a_png_is_refused() {
    let skin = drawn::named("fox");
    let [_, body, ..] = flat(Size::MAX / 2 + 1, Layers::WithOverlay);
    // The least width whose 49 / 32 are more than the widest picture.
    let [.., combo] = flat(1_402_438_301, Layers::Base);
    let [_, isometric_body] = isometric(1_052_688_063);
    let [_, widest] = isometric(Size::MAX);
    for view in [body, combo, isometric_body, widest] {
        let refused = view.picture(&skin).expect_err("it is too high or too wide");
        let dimensions = (view.width(), view.height());
        let longest = dimensions.0.max(dimensions.1);
        assert!(longest > u64::from(Size::MAX), "{view:?}");
        assert!(
            matches!(refused, RenderError::TooLarge { width, height } if (width, height) == dimensions),
            "{view:?}: {refused:?}"
        );
    }
    let [_, body, ..] = flat(Size::MAX / 2, Layers::WithOverlay);
    let [.., combo] = flat(1_402_438_300, Layers::Base);
    let [_, isometric_body] = isometric(1_052_688_062);
    for view in [body, combo, isometric_body] {
        assert!(view.height() <= u64::from(Size::MAX), "{view:?}");
        let picture = view.picture(&skin).unwrap();
        assert_eq!(u64::from(picture.width()), view.width());
        assert_eq!(u64::from(picture.height()), view.height());
    }
}

/// A writer that takes some bytes, then fails and counts the calls.
struct Full {
    room: usize,
    kind: io::ErrorKind,
    refused: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            self.refused += 1;
            return Err(self.kind.into());
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A group is one strip if its figures are not high, and takes as long as all of them.
#[test]
fn a_writer_stops_the_drawing_between_two_players() {
    struct Flushes(u32);
    impl Write for Flushes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0 += 1;
            Ok(())
        }
    }
    let (skin, view) = (
        drawn::named("fox"),
        PictureSpec::new(View::Figure, Size::px(8)),
    );
    let players = vec![Some(Player::new(&skin)); 20];
    for picture in [view.group(&players), view.sheet(&players, 20)] {
        let (picture, mut flushes) = (picture.unwrap().picture, Flushes(0));
        picture.write(ImageFormat::Png, &mut flushes).unwrap();
        assert!(flushes.0 > 20, "{} flushes", flushes.0);
    }
}

/// Drawing these pictures to their end would take minutes.
#[test]
fn a_writer_that_fails_stops_the_drawing() {
    let skin = drawn::named("ghost");
    let (enormous, large) = (2_000_000, 20_000);
    let [head, body] = isometric(large);
    let [view, _] = isometric(64);
    let framed = view.with_frame([Size::px(enormous); 2]);
    let views = flat(enormous, Layers::Base)
        .into_iter()
        .chain(flat(enormous, Layers::WithOverlay))
        .chain([head, body, framed]);
    let failures = [
        (0, io::ErrorKind::BrokenPipe),
        (1, io::ErrorKind::StorageFull),
        (20, io::ErrorKind::TimedOut),
        (40, io::ErrorKind::ConnectionReset),
        (70_000, io::ErrorKind::Other),
    ];
    for view in views {
        let picture = view.picture(&skin).unwrap();
        // A short SVG is complete before the last of them.
        let as_png = failures.map(|failure| (ImageFormat::Png, failure));
        let as_svg = failures[..4]
            .iter()
            .map(|failure| (ImageFormat::Svg, *failure));
        for (format, (room, kind)) in as_png.into_iter().chain(as_svg) {
            let mut full = Full {
                room,
                kind,
                refused: 0,
            };
            let failed = picture
                .write(format, &mut full)
                .expect_err("the writer fails");
            let is_right =
                matches!(&failed, RenderError::Write { source } if source.kind() == kind);
            // The encoder may still try to end the file.
            let refused = full.refused;
            assert!(
                is_right && refused <= 2,
                "{view:?}, {room} bytes: {failed:?}, {refused}"
            );
        }
    }
}
