//! The plain kernels, which take a canvas row by row.

use std::f64::consts::PI;
use std::ops::Range;

use effigy_render::Filter;
use glam::DVec4;

/// The canvas pixels under the kernel of an output pixel, and their weights, which sum to 1.
struct Window {
    pixels: Range<usize>,
    weights: Vec<f64>,
}

/// The window of a pixel of a line of `output` ones on one of `input`, cut off at the ends.
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
    for share in &mut weights {
        *share /= sum;
    }
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
pub(super) struct Shrinker {
    across: Vec<Window>,
    down: Vec<Window>,
    sums: Vec<DVec4>,
}

impl Shrinker {
    pub(super) fn new(filter: Filter, canvas: [usize; 2], picture: [usize; 2]) -> Shrinker {
        let [across, down] = [0, 1].map(|axis| {
            let window = |at| window(filter, canvas[axis], picture[axis], at);
            (0..picture[axis]).map(window).collect()
        });
        Shrinker {
            across,
            down,
            sums: vec![DVec4::ZERO; picture[0] * picture[1]],
        }
    }

    /// Takes the canvas row `y`.
    pub(super) fn take(&mut self, y: usize, row: &[DVec4]) {
        let filtered: Vec<DVec4> = self.across.iter().map(|window| window.sum(row)).collect();
        let rows = self.sums.chunks_exact_mut(self.across.len());
        for (window, sums_of_row) in self.down.iter().zip(rows) {
            if window.pixels.contains(&y) {
                let weight = window.weights[y - window.pixels.start];
                for (sum, pixel) in sums_of_row.iter_mut().zip(&filtered) {
                    *sum += *pixel * weight;
                }
            }
        }
    }

    /// The picture: premultiplied, of 255, and limited to its range, since the kernel has negative
    /// lobes that overshoot.
    pub(super) fn finish(self) -> Vec<DVec4> {
        let clamp = |pixel: DVec4| {
            let alpha = pixel.w.clamp(0.0, 255.0);
            pixel.clamp(DVec4::ZERO, DVec4::splat(alpha))
        };
        self.sums.into_iter().map(clamp).collect()
    }
}

impl Window {
    fn sum(&self, row: &[DVec4]) -> DVec4 {
        let pairs = row[self.pixels.clone()].iter().zip(&self.weights);
        pairs.map(|(pixel, weight)| *pixel * *weight).sum()
    }
}
