//! Tests that read files back with the png crate's decoder.

use std::io::{self, Cursor, Write};

use proptest::prelude::*;

use crate::flat::Grid;
use crate::picture::{Drawing, Picture};
use crate::skin::test_skin;
use crate::{Facing, ImageFormat, PictureSpec, RenderError, Size, View};

/// Decodes a PNG to straight RGBA.
fn decoded(file: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut pixels).expect("all pixels");
    reader.finish().expect("an end");
    pixels
}

fn check(render: &Picture<'_>, name: &str) {
    let file = render.encode_png().expect("a file");
    let pixels = render.to_rgba().expect("pixels");
    assert!(decoded(&file) == pixels, "{name}");
}

fn views(width: u32) -> [PictureSpec; 4] {
    let size = Size::px(width);
    [
        View::Face,
        View::Body,
        View::IsometricHead,
        View::IsometricBody,
    ]
    .map(|view| PictureSpec::new(view, size).with_facing(Facing::Left))
}

#[test]
fn every_view_comes_back() {
    let skin = test_skin(128);
    for width in [1, 2, 3, 7, 16, 33, 64, 128, 300, 1100] {
        for (view, number) in views(width).iter().zip(1..) {
            let render = view.picture(&skin).expect("a small picture");
            check(&render, &format!("view {number} at {width}"));
        }
    }
}

/// Returns a grid with this many colors in an order without a pattern.
fn grid(columns: usize, rows: usize, colors: u32) -> Grid {
    let texels = (0..columns * rows).zip(1u32..).map(|(_, n)| {
        let color = n.wrapping_mul(2_654_435_761).rotate_left(9) % colors;
        color.wrapping_mul(0x9e37_79b1).to_le_bytes()
    });
    Grid {
        columns,
        rows,
        texels: texels.collect(),
    }
}

fn flat(dimensions: [u32; 2], grid: Grid) -> Picture<'static> {
    Picture {
        size: dimensions,
        drawing: Drawing::Flat(grid),
    }
}

#[test]
fn flat_pictures_of_every_depth() {
    for colors in [1, 2, 3, 4, 5, 16, 17, 256, 257, 1000] {
        for (width, height) in [(64, 64), (100, 30), (7, 1), (1, 7), (40_000, 70)] {
            let grid = grid(40, 50, colors);
            let render = flat([width, height], grid);
            check(&render, &format!("{colors} colors, {width} x {height}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn flat_pictures_of_any_size(
        texels in (1..40usize, 1..40usize),
        pixels in (1..700u32, 1..300u32),
        colors in 1..400u32,
    ) {
        let render = flat([pixels.0, pixels.1], grid(texels.0, texels.1, colors));
        check(&render, "flat");
    }
}

/// A writer that is to be written to until it has been flushed that often.
struct Stopped(u32);

impl Write for Stopped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(())
    }
}

#[test]
fn a_writer_can_stop_a_drawing_at_every_strip() {
    let skin = test_skin(255);
    // Each strip has 16 rows at least. All of the first ones are empty.
    let spec = PictureSpec::new(View::IsometricBody, Size::px(20_000));
    let picture = spec.picture(&skin).expect("a picture");
    for strips in [0, 1, 10] {
        let stopped = picture
            .write(ImageFormat::Png, &mut Stopped(strips))
            .expect_err("stopped");
        let RenderError::Write { source } = stopped else {
            panic!("{stopped}");
        };
        assert_eq!(source.kind(), io::ErrorKind::BrokenPipe);
    }
}

#[test]
fn a_face_of_many_pixels_is_a_small_file() {
    let skin = test_skin(255);
    let size = Size::px(20_000);
    let view = PictureSpec::new(View::Face, size);
    let render = view.picture(&skin).expect("a small grid");
    let file = render.encode_png().expect("a file");
    assert!(file.len() < 400_000, "{}", file.len());
}
