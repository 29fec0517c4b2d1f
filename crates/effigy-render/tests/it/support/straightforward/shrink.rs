//! The plain kernels, which take a canvas row by row.

use std::f64::consts::PI;
use std::ops::Range;

use effigy_render::Filter;

/// The canvas pixels that one output pixel is made of, and their weights, which sum to 1.
pub(crate) struct Window {
    pub(crate) pixels: Range<usize>,
    weights: Vec<f64>,
}

/// The windows of a line of `output` pixels on one of `input`, cut off at the ends.
pub(crate) fn windows(filter: Filter, input: usize, output: usize) -> Vec<Window> {
    (0..output)
        .map(|at| window(filter, input, output, at))
        .collect()
}

#[expect(clippy::cast_possible_truncation, reason = "clamped to the line")]
fn window(filter: Filter, input: usize, output: usize, at: usize) -> Window {
    let scale = input as f64 / output as f64;
    let center = (at as f64 + 0.5) * scale;
    let radius = match filter {
        Filter::Lanczos3 => 3.0 * scale + 1.0,
        _ => 0.5 * scale,
    };
    let first = (center - radius + 1e-9).max(0.0) as usize;
    let last = match filter {
        Filter::Lanczos3 => (center + radius) as usize,
        _ => (center + radius - 1e-9).ceil() as usize,
    };
    let weight = |pixel: usize| match filter {
        Filter::Lanczos3 => lanczos3((pixel as f64 + 0.5 - center) / scale),
        // The share of the pixel within the window.
        _ => {
            let pixel = pixel as f64;
            (pixel + 1.0).min(center + radius) - pixel.max(center - radius)
        }
    };
    let pixels = first..last.min(input);
    let mut weights: Vec<f64> = pixels.clone().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    Window { pixels, weights }
}

fn lanczos3(x: f64) -> f64 {
    match x.abs() {
        0.0 => 1.0,
        x if x < 3.0 => 3.0 * (PI * x).sin() * (PI * x / 3.0).sin() / (PI * x).powi(2),
        _ => 0.0,
    }
}

/// A picture whose rows are being filtered.
pub(crate) struct Shrinker {
    across: Vec<Window>,
    down: Vec<Window>,
    sums: Vec<[f64; 4]>,
}

impl Shrinker {
    pub(crate) fn new(filter: Filter, canvas: [usize; 2], picture: [usize; 2]) -> Shrinker {
        Shrinker {
            across: windows(filter, canvas[0], picture[0]),
            down: windows(filter, canvas[1], picture[1]),
            sums: vec![[0.0; 4]; picture[0] * picture[1]],
        }
    }

    /// Takes the canvas row `y`.
    pub(crate) fn take(&mut self, y: usize, row: &[[f64; 4]]) {
        let filtered: Vec<[f64; 4]> = self.across.iter().map(|window| window.sum(row)).collect();
        let sums = self.sums.chunks_exact_mut(self.across.len());
        for (window, sums) in self.down.iter().zip(sums) {
            if window.pixels.contains(&y) {
                let weight = window.weights[y - window.pixels.start];
                for (sum, pixel) in sums.iter_mut().zip(&filtered) {
                    add(sum, pixel, weight);
                }
            }
        }
    }

    /// The picture: premultiplied, of 255, without what the kernel's negative lobes overshoot.
    pub(crate) fn finish(self) -> Vec<[f64; 4]> {
        let clamp = |[r, g, b, alpha]: [f64; 4]| {
            let alpha = alpha.clamp(0.0, 255.0);
            let [r, g, b] = [r, g, b].map(|channel| channel.clamp(0.0, alpha));
            [r, g, b, alpha]
        };
        self.sums.into_iter().map(clamp).collect()
    }
}

impl Window {
    fn sum(&self, row: &[[f64; 4]]) -> [f64; 4] {
        let (pixels, last) = row[self.pixels.clone()].as_chunks::<4>();
        let (weights, last_weights) = self.weights.as_chunks::<4>();
        // Four sums, so that no addition waits for the one before.
        let mut sums = [[0.0; 4]; 4];
        for (pixels, weights) in pixels.iter().zip(weights) {
            for (sum, (pixel, weight)) in sums.iter_mut().zip(pixels.iter().zip(weights)) {
                add(sum, pixel, *weight);
            }
        }
        let [mut sum, rest @ ..] = sums;
        rest.iter().for_each(|part| add(&mut sum, part, 1.0));
        for (pixel, weight) in last.iter().zip(last_weights) {
            add(&mut sum, pixel, *weight);
        }
        sum
    }
}

fn add(sum: &mut [f64; 4], pixel: &[f64; 4], weight: f64) {
    for (sum, channel) in sum.iter_mut().zip(pixel) {
        *sum += channel * weight;
    }
}
