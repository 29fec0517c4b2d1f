//! Lines around silhouettes, compared with all distances.

use super::*;
use crate::flat::Grid;
use crate::picture::{Drawing, Picture, PlacedPicture};

const COLOR: [u8; 4] = [200, 100, 50, 255];

/// A picture of these opacities, row by row.
fn picture(size: [u32; 2], alphas: &[u8]) -> Picture<'static> {
    let [columns, rows] = size.map(|side| side as usize);
    let mut grid = Grid::blank(columns, rows);
    for (texel, &alpha) in grid.texels.iter_mut().zip(alphas) {
        *texel = [0, 0, 0, alpha];
    }
    Picture {
        size,
        drawing: Drawing::Flat(grid),
    }
}

/// Draws a picture with a line, this many rows at a time. Returns the opacities.
fn drawn(size: [u32; 2], alphas: &[u8], width: u32, strip: usize) -> Vec<u8> {
    let stroke = Stroke {
        color: COLOR,
        width,
    };
    let player = PlacedPicture {
        at: [0, 0],
        picture: picture(size, alphas),
    };
    let figures = FigureCache::default();
    let mut painter = OutlinedPainter::new(size, stroke, &player, &figures).unwrap();
    let [columns, rows] = size.map(|side| side as usize);
    let mut all = Vec::new();
    for start in (0..rows).step_by(strip) {
        let rows = start..rows.min(start + strip);
        let mut pixels = vec![[0; 4]; columns * rows.len()];
        let mut filtered = Vec::new();
        painter.draw(&mut filtered, rows, &mut pixels).unwrap();
        all.extend(pixels.iter().map(|pixel| pixel[3]));
    }
    all
}

/// Returns the opacity of a pixel by the distances to all pixels of the silhouette.
fn expected([columns, _]: [u32; 2], alphas: &[u8], width: u32, at: usize) -> f64 {
    let columns = columns as usize;
    let mut line = 0.0_f64;
    for (other, &alpha) in alphas.iter().enumerate() {
        if alpha > 0 {
            let across = (at % columns).abs_diff(other % columns) as f64;
            let down = (at / columns).abs_diff(other / columns) as f64;
            let covered = f64::from(alpha) / 255.0;
            line = line.max(f64::from(width) + covered - across.hypot(down));
        }
    }
    let own = f64::from(alphas[at]) / 255.0;
    255.0 * (own + (1.0 - own) * line.min(1.0))
}

/// A disk with smooth edges, and a bar with a slanted side next to it.
fn shapes([columns, rows]: [u32; 2]) -> Vec<u8> {
    let mut alphas = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            let [x, y] = [x, y].map(|side| f64::from(side) + 0.5);
            let disk = 6.3 - (x - 20.4).hypot(y - 22.7);
            let bar = (x - 34.2).min(41.1 - x + y / 7.3).min(y - 8.0);
            let covered = disk.max(bar) + 0.5;
            #[expect(clippy::cast_possible_truncation, reason = "a share of a byte")]
            #[expect(clippy::cast_sign_loss, reason = "a share of a byte")]
            alphas.push((covered.clamp(0.0, 1.0) * 255.0).round() as u8);
        }
    }
    alphas
}

#[test]
fn lines_are_as_wide_as_all_distances_tell() {
    let size = [60, 50];
    let alphas = shapes(size);
    for width in [1, 2, 5, 13, 32] {
        let found = drawn(size, &alphas, width, 50);
        let difference = |at: usize| {
            let expected = expected(size, &alphas, width, at);
            (f64::from(found[at]) - expected).abs()
        };
        let differences: Vec<f64> = (0..found.len()).map(difference).collect();
        let more_than = |most: f64| differences.iter().filter(|other| **other > most).count();
        // In the notch where two lines meet, the nearest pixel may not be the one that reaches
        // farthest.
        assert!(more_than(1.0) < 40, "{width}: {}", more_than(1.0));
        assert!(more_than(32.0) < 5, "{width}: {}", more_than(32.0));
    }
}

#[test]
fn a_line_around_a_square_has_round_corners() {
    let size = [40, 40];
    let mut alphas = vec![0; 1600];
    for y in 15..25 {
        alphas[y * 40 + 15..y * 40 + 25].fill(255);
    }
    let found = drawn(size, &alphas, 8, 40);
    let row = &found[20 * 40..][..40];
    assert_eq!(row[..7], [0; 7]);
    assert_eq!(row[7..33], [255; 26]);
    assert_eq!(row[33..], [0; 7]);
    // The square, four bars, and four quarters of a circle.
    let area: f64 = found.iter().map(|alpha| f64::from(*alpha) / 255.0).sum();
    let exact = 100.0 + 4.0 * 80.0 + std::f64::consts::PI * 64.0;
    assert!((area - exact).abs() < 12.0, "{area} {exact}");
    let is_smooth = found.iter().any(|alpha| (64..192).contains(alpha));
    assert!(is_smooth);
}

#[test]
fn strips_make_no_difference() {
    let size = [37, 90];
    let mut alphas = vec![0; 37 * 90];
    for (alpha, at) in alphas.iter_mut().zip(0_u32..) {
        if at * 7919 % 61 == 0 {
            *alpha = at.to_le_bytes()[0];
        }
    }
    for width in [1, 4, 32] {
        let whole = drawn(size, &alphas, width, 90);
        for strip in [1, 7, 16, 40] {
            assert!(
                drawn(size, &alphas, width, strip) == whole,
                "{width} {strip}"
            );
        }
    }
}

#[test]
fn nothing_has_no_line() {
    let size = [20, 20];
    assert_eq!(drawn(size, &[0; 400], 5, 20), [0; 400]);
}
