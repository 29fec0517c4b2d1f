//! The distance of a picture from the ideal one: the same figure on a canvas many times finer, through
//! the same kernel.

use effigy_render::Skin;

use super::straightforward::{Frame, Look, Scene, Shrinker, working_side};

/// The peak signal-to-noise ratios of pictures of these sizes, in decibels. Each is the mean of the
/// ratios over white and over black. The sizes share one working canvas; the ideal one is `finer` times as
/// wide and high.
pub(crate) fn psnr(frame: Frame, skin: &Skin, sizes: &[u32], finer: u32) -> Vec<f64> {
    let mut ideal = Scene::new(Look::usual(frame), skin, working_side(sizes[0]) * finer);
    let canvas = [ideal.width, ideal.height];
    let renders: Vec<_> = sizes
        .iter()
        .map(|&pixels| render(frame, skin, pixels))
        .collect();
    let mut pictures: Vec<_> = renders
        .iter()
        .map(|(dimensions, _)| Shrinker::new(canvas, *dimensions))
        .collect();
    for y in 0..ideal.height {
        let row = ideal.row(y);
        for picture in &mut pictures {
            picture.take(y, &row);
        }
    }
    let pairs = pictures.into_iter().zip(&renders);
    pairs
        .map(|(picture, (_, actual))| {
            let expected = picture.finish();
            let over = |ground: f64| decibels(&expected, actual, ground);
            f64::midpoint(over(0.0), over(255.0))
        })
        .collect()
}

/// The renderer's picture: width and height, and premultiplied pixels.
fn render(frame: Frame, skin: &Skin, pixels: u32) -> ([usize; 2], Vec<[f64; 4]>) {
    let view = Look::usual(frame).view(pixels);
    let picture = view.picture(skin).expect("the picture is small");
    let rgba = picture.to_rgba().expect("the picture is small");
    let premultiplied = rgba.chunks_exact(4).map(|pixel| {
        let alpha = f64::from(pixel[3]);
        let channel = |value: u8| f64::from(value) * alpha / 255.0;
        [
            channel(pixel[0]),
            channel(pixel[1]),
            channel(pixel[2]),
            alpha,
        ]
    });
    let dimensions = [picture.width() as usize, picture.height() as usize];
    (dimensions, premultiplied.collect())
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
