//! The inside of figures.

use effigy_render::Skin;

use super::straightforward::shrink::windows;
use super::straightforward::{Look, Scene};

/// Asserts that every pixel whose whole kernel lies on the figure is opaque, and returns their number.
#[track_caller]
pub(crate) fn check_opaque(look: Look, skin: &Skin, side: u32, size: u32) -> usize {
    let mut scene = Scene::new(look, skin, side);
    let canvas = [scene.width, scene.height];
    let rows =
        (0..scene.height).map(|y| scene.row(y).iter().map(|pixel| pixel[3] == 255.0).collect());
    let rows: Vec<Vec<bool>> = rows.collect();
    let picture = look.dimensions(size);
    let [across, down] = [0, 1].map(|axis| windows(canvas[axis], picture[axis]));
    let pixels = look
        .spec(size)
        .picture(skin)
        .and_then(|picture| picture.to_rgba());
    let pixels = pixels.expect("the picture is small");
    let mut inside = 0;
    for (window, pixels) in down.iter().zip(pixels.chunks_exact(size as usize * 4)) {
        let rows = &rows[window.pixels.clone()];
        for (window, pixel) in across.iter().zip(pixels.as_chunks::<4>().0) {
            if rows
                .iter()
                .all(|row| row[window.pixels.clone()].iter().all(|&on| on))
            {
                assert_eq!(pixel[3], 255, "{look:?} {size}");
                inside += 1;
            }
        }
    }
    inside
}
