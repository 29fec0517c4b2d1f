//! Tests that read files back with the png crate's decoder.

use std::io::Cursor;
use std::time::Duration;

use super::delay_of;
use crate::flat::Grid;
use crate::picture::{Drawing, Picture};

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

/// Returns a grid with this many colors in an order without a pattern.
fn grid(columns: usize, rows: usize, colors: u32) -> Grid {
    let mut grid = Grid::blank(columns, rows);
    for (texel, number) in grid.texels.iter_mut().zip(1u32..) {
        let color = number.wrapping_mul(2_654_435_761).rotate_left(9) % colors;
        *texel = color.wrapping_mul(0x9e37_79b1).to_le_bytes();
    }
    grid
}

#[test]
fn flat_pictures_of_every_depth_have_their_pixels() {
    for colors in [1, 2, 3, 4, 5, 16, 17, 256, 257, 1000] {
        for size in [
            [64, 64],
            [99, 30],
            [7, 1],
            [1, 7],
            [40_000, 70],
            [9, 30_000],
        ] {
            let drawing = Drawing::Flat(grid(40, 50, colors));
            let picture = Picture { size, drawing };
            let file = picture.encode_png().expect("a file");
            let pixels = picture.to_rgba().expect("pixels");
            assert!(decoded(&file) == pixels, "{colors} colors, {size:?}");
        }
    }
}

#[test]
fn a_time_has_the_finest_unit_with_room() {
    let rows = [
        (Duration::ZERO, Some([0, 1000])),
        (Duration::from_micros(33_333), Some([33, 1000])),
        (Duration::from_millis(65_535), Some([65_535, 1000])),
        (Duration::from_millis(65_536), Some([6554, 100])),
        (Duration::from_secs(3600), Some([36_000, 10])),
        (Duration::from_secs(65_535), Some([65_535, 1])),
        (Duration::from_secs(65_536), None),
        (Duration::MAX, None),
    ];
    for (time, expected) in rows {
        assert_eq!(delay_of(time).ok(), expected, "{time:?}");
    }
}
