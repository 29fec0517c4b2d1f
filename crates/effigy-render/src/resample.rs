//! Resizing by convolution with the Lanczos3 kernel.

use tiny_skia::Pixmap;

use crate::RenderError;

/// Radius of the kernel in output pixels.
const LOBES: f64 = 3.0;

/// The Lanczos kernel, sinc(x) sinc(x/3) within three lobes (Turkowski, "Filters for Common
/// Resampling Tasks").
fn kernel(x: f64) -> f64 {
    let sinc = |x: f64| {
        let x = x * std::f64::consts::PI;
        if x.abs() < 1e-9 { 1.0 } else { x.sin() / x }
    };
    if x.abs() < LOBES {
        sinc(x) * sinc(x / LOBES)
    } else {
        0.0
    }
}

/// What one output pixel takes from the line that it is made of: weights, which sum to 1, from a
/// first input pixel on.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

/// The taps of every output pixel when `input` pixels become `output`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "weights need no more than f32"
)]
#[expect(
    clippy::cast_precision_loss,
    reason = "lines are far shorter than 2^52"
)]
#[expect(clippy::cast_sign_loss, reason = "clamped to the line")]
fn taps(input: usize, output: usize) -> Vec<Taps> {
    let scale = input as f64 / output as f64;
    let stretch = scale.max(1.0);
    (0..output)
        .map(|pixel| {
            let centre = (pixel as f64 + 0.5) * scale;
            let first = (centre - LOBES * stretch).ceil().max(0.0) as usize;
            let last = ((centre + LOBES * stretch).floor() as usize).min(input);
            let weigh = |x: usize| kernel((x as f64 + 0.5 - centre) / stretch);
            let sum: f64 = (first..last).map(weigh).sum();
            let weights = (first..last).map(|x| (weigh(x) / sum) as f32).collect();
            Taps { first, weights }
        })
        .collect()
}

/// Shrinks a canvas to `width` x `height` straight RGBA pixels.
pub(crate) fn lanczos3(
    canvas: &Pixmap,
    width: u32,
    height: u32,
) -> Result<Vec<[u8; 4]>, RenderError> {
    let (wide, high) = (width as usize, height as usize);
    let columns = taps(canvas.width() as usize, wide);
    let rows = taps(canvas.height() as usize, high);
    let mut pixels = Vec::new();
    pixels
        .try_reserve_exact(wide * high)
        .map_err(|_| RenderError::OutOfMemory { width, height })?;

    let line = canvas.width() as usize;
    let mut row = vec![[0.0; 4]; line];
    for taps in rows {
        row.fill([0.0; 4]);
        for (k, &weight) in taps.weights.iter().enumerate() {
            let source = &canvas.pixels()[(taps.first + k) * line..][..line];
            for (sum, pixel) in row.iter_mut().zip(source) {
                let color = [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()];
                *sum = add(*sum, color.map(f32::from), weight);
            }
        }
        pixels.extend(columns.iter().map(|taps| {
            let colors = &row[taps.first..];
            let sum = taps
                .weights
                .iter()
                .zip(colors)
                .fold([0.0; 4], |sum, (&weight, &color)| add(sum, color, weight));
            straight(sum)
        }));
    }
    Ok(pixels)
}

fn add(sum: [f32; 4], color: [f32; 4], weight: f32) -> [f32; 4] {
    std::array::from_fn(|channel| sum[channel] + color[channel] * weight)
}

/// A premultiplied colour, as the kernel leaves it, to a straight one of 8 bits.
#[expect(clippy::cast_possible_truncation, reason = "clamped to 0..=255")]
#[expect(clippy::cast_sign_loss, reason = "clamped to 0..=255")]
fn straight([r, g, b, a]: [f32; 4]) -> [u8; 4] {
    let alpha = a.clamp(0.0, 255.0);
    if alpha < 0.5 {
        return [0; 4];
    }
    let channel = |value: f32| (value.clamp(0.0, alpha) / alpha * 255.0).round() as u8;
    [channel(r), channel(g), channel(b), alpha.round() as u8]
}
