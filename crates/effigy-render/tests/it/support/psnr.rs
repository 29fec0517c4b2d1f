//! The distance of a picture from what a canvas gives, through the same kernel.

use effigy_render::Skin;

use super::straightforward::{Look, Scene, Shrinker};

/// Premultiplied pixels, from 0 to 255.
pub(crate) type Pixels = Vec<[f64; 4]>;

/// Reduces a canvas to pictures of these sizes.
pub(crate) fn shrink(look: Look, skin: &Skin, sizes: &[u32], side: u32) -> Vec<Pixels> {
    let mut scene = Scene::new(look, skin, side);
    let canvas = [scene.width, scene.height];
    let mut pictures: Vec<_> = sizes
        .iter()
        .map(|&size| Shrinker::new(look.spec(size).filter, canvas, look.dimensions(size)))
        .collect();
    for y in 0..scene.height {
        let row = scene.row(y);
        for picture in &mut pictures {
            picture.take(y, &row);
        }
    }
    pictures.into_iter().map(Shrinker::finish).collect()
}

/// The renderer's picture.
pub(crate) fn render(look: Look, skin: &Skin, pixels: u32) -> Pixels {
    let picture = look
        .spec(pixels)
        .picture(skin)
        .expect("the picture is small");
    let rgba = picture.to_rgba().expect("the picture is small");
    let premultiplied = rgba.as_chunks().0.iter().map(|pixel: &[u8; 4]| {
        let [r, g, b, alpha] = pixel.map(f64::from);
        let [r, g, b] = [r, g, b].map(|channel| channel * alpha / 255.0);
        [r, g, b, alpha]
    });
    premultiplied.collect()
}

/// The mean of the ratios over white and over black.
pub(crate) fn likeness(expected: &[[f64; 4]], actual: &[[f64; 4]]) -> f64 {
    let over = |ground| decibels(expected, actual, ground);
    f64::midpoint(over(0.0), over(255.0))
}

/// The ratio of all pixels and color channels over a gray background.
fn decibels(expected: &[[f64; 4]], actual: &[[f64; 4]], ground: f64) -> f64 {
    let over =
        |pixel: &[f64; 4], channel: usize| pixel[channel] + (1.0 - pixel[3] / 255.0) * ground;
    let squares: f64 = expected
        .iter()
        .zip(actual)
        .flat_map(|(a, b)| (0..3).map(move |channel| over(a, channel) - over(b, channel)))
        .map(|difference| difference * difference)
        .sum();
    let mean = squares / (expected.len() * 3) as f64;
    10.0 * (255.0 * 255.0 / mean).log10()
}
