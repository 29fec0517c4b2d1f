//! The likeness of a picture with the picture from a canvas. Pixels are premultiplied, from 0 to
//! 255.

use effigy_render::Skin;
use glam::{DVec3, DVec4};

use super::straightforward::Look;

/// The renderer's picture.
pub(crate) fn render(look: Look, skin: &Skin, pixels: u32) -> Vec<DVec4> {
    let premultiplied = |pixel: [u8; 4]| {
        let pixel = DVec4::from(pixel.map(f64::from));
        (pixel.truncate() * pixel.w / 255.0).extend(pixel.w)
    };
    let picture = look
        .spec(pixels)
        .picture(skin)
        .expect("the picture is small");
    let rgba = picture.to_rgba().expect("the picture is small");
    let straight = rgba.as_chunks().0.iter().copied();
    straight.map(premultiplied).collect()
}

/// The mean of the ratios over white and over black, in decibels.
pub(crate) fn likeness(expected: &[DVec4], actual: &[DVec4]) -> f64 {
    let over = |ground| decibels(expected, actual, ground);
    f64::midpoint(over(0.0), over(255.0))
}

/// The ratio of all pixels and color channels over a gray background.
fn decibels(expected: &[DVec4], actual: &[DVec4], ground: f64) -> f64 {
    let over = |pixel: &DVec4| pixel.truncate() + (1.0 - pixel.w / 255.0) * ground;
    let differences = expected.iter().zip(actual).map(|(a, b)| over(a) - over(b));
    let squares: f64 = differences.map(DVec3::length_squared).sum();
    let mean = squares / (expected.len() * 3) as f64;
    10.0 * (255.0 * 255.0 / mean).log10()
}
