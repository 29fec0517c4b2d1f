//! Tests that read files back with the png crate's decoder.

use fixtures::Image;

use crate::flat::Grid;
use crate::picture::{Drawing, Picture};

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

#[test]
fn flat_pictures_of_every_depth() {
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
            let file = Image::decode(&picture.encode_png().unwrap()).unwrap();
            let pixels = picture.to_rgba().unwrap();
            assert!(file.rgba == pixels, "{colors} colors, {size:?}");
        }
    }
}
