//! Checks against the straightforward pipeline: the likeness, and the inside of figures.

use std::ops::Range;

use effigy_render::Skin;

use super::psnr;
use super::straightforward::shrink::{Window, windows};
use super::straightforward::{Look, Scene};

/// Asserts that pictures of these sizes are as near as `least`, in decibels, to what a canvas gives whose head has this
/// side.
#[track_caller]
pub(crate) fn check_near(
    name: &str,
    look: Look,
    skin: &Skin,
    sizes: &[u32],
    side: u32,
    least: f64,
) {
    for (ideal, &size) in psnr::shrink(look, skin, sizes, side).iter().zip(sizes) {
        let found = psnr::likeness(ideal, &psnr::render(look, skin, size));
        assert!(found >= least, "{name}: {look:?} {size}: {found:.1} dB");
    }
}

/// Asserts that every pixel whose whole kernel lies on the figure is opaque, and returns their number.
#[track_caller]
pub(crate) fn check_opaque(look: Look, skin: &Skin, side: u32, size: u32) -> usize {
    let mut scene = Scene::new(look, skin, side);
    let canvas = [scene.width, scene.height];
    let rows =
        (0..scene.height).map(|y| scene.row(y).iter().map(|pixel| pixel[3] == 255.0).collect());
    let rows: Vec<Vec<bool>> = rows.collect();
    let picture = look.dimensions(size);
    // An outline may be anywhere between two samples, and the gap between two limbs begins as a wedge that is narrower
    // than their distance. So a kernel counts with two pixels more around it, in the picture.
    let [across, down] = [0, 1].map(|axis| {
        let windows = windows(look.spec(size).filter, canvas[axis], picture[axis]);
        let margin = 2 * canvas[axis].div_ceil(picture[axis]);
        let around = |window: &Window| {
            let Range { start, end } = window.pixels;
            (margin <= start && end + margin <= canvas[axis]).then(|| start - margin..end + margin)
        };
        windows.iter().map(around).collect::<Vec<_>>()
    });
    let pixels = look
        .spec(size)
        .picture(skin)
        .and_then(|picture| picture.to_rgba());
    let pixels = pixels.expect("the picture is small");
    let mut inside = 0;
    for (window, pixels) in down.iter().zip(pixels.chunks_exact(size as usize * 4)) {
        let Some(rows) = window.clone().map(|window| &rows[window]) else {
            continue;
        };
        for (window, pixel) in across.iter().zip(pixels.as_chunks::<4>().0) {
            let is_inside = window.as_ref().is_some_and(|window| {
                rows.iter()
                    .all(|row| row[window.clone()].iter().all(|&on| on))
            });
            if is_inside {
                assert_eq!(pixel[3], 255, "{look:?} {size}");
                inside += 1;
            }
        }
    }
    inside
}
