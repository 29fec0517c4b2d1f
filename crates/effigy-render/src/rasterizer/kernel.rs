//! The Lanczos3 kernel as integer weights.

use std::f64::consts::PI;
use std::rc::Rc;

/// Fractional bits of a weight. Integers make sums exact and equal on every machine.
pub(crate) const WEIGHT_BITS: u32 = 14;

/// A weight of 1.
pub(crate) const ONE: i32 = 1 << WEIGHT_BITS;

/// The reduction of a line of `input` pixels to `output` pixels, which are not more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resampling {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

/// The input pixels on which one output pixel depends.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// The first input pixel.
    pub(crate) first: i64,
    /// The weights from the first pixel on. They sum to [`ONE`].
    pub(crate) weights: Rc<[i32]>,
}

/// The windows of all output pixels.
///
/// If both lengths have a common divisor, windows repeat at a fixed distance and are computed once.
pub(crate) struct WindowCache {
    resampling: Resampling,
    /// The number of output pixels after which windows repeat.
    output_period: u64,
    /// The distance between repeated windows in input pixels.
    input_period: u64,
    /// The first window of each phase within a period, relative to the period's start.
    cached: Vec<Option<Window>>,
}

/// Radius of the kernel in output pixels.
const RADIUS: f64 = 3.0;

/// Phases beyond this number are not cached, since long periods hardly repeat within a picture.
const MAX_CACHED: u64 = 1 << 12;

/// The number of output pixels at each end whose windows may be cut off there.
const MARGIN: u64 = 4;

impl Resampling {
    pub(crate) fn windows(self) -> WindowCache {
        let common = greatest_common_divisor(self.input, self.output);
        let output_period = self.output / common;
        let cached = usize::try_from(output_period.min(MAX_CACHED)).expect("at most MAX_CACHED");
        WindowCache {
            resampling: self,
            output_period,
            input_period: self.input / common,
            cached: vec![None; cached],
        }
    }

    /// Computes the window of an output pixel. Input pixels beyond the ends of the line have no
    /// weight.
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the line")]
    #[expect(
        clippy::cast_precision_loss,
        reason = "lines are far shorter than 2^52"
    )]
    fn window(self, pixel: u64) -> Window {
        let scale = self.input as f64 / self.output as f64;
        let center = (pixel as f64 + 0.5) * scale - 0.5;
        let radius = RADIUS * scale;
        let first = (center - radius).ceil().max(0.0) as i64;
        let last = ((center + radius).floor() as i64).min(self.input as i64 - 1);
        let weight = |input: i64| lanczos3((input as f64 - center) / scale);
        let weights: Vec<f64> = (first..=last).map(weight).collect();
        Window {
            first,
            weights: quantize(&weights),
        }
    }
}

impl WindowCache {
    /// Returns an upper bound of the number of weights of a window.
    pub(crate) fn max_length(&self) -> usize {
        let Resampling { input, output } = self.resampling;
        let diameter = (6 * input).div_ceil(output) + 1;
        usize::try_from(diameter.min(input)).unwrap_or(usize::MAX)
    }

    /// Returns the window of an output pixel.
    pub(crate) fn get(&mut self, pixel: u64) -> Window {
        let is_inner = pixel >= MARGIN && pixel + MARGIN < self.resampling.output;
        let (period, phase) = (pixel / self.output_period, pixel % self.output_period);
        let slot = usize::try_from(phase).ok();
        let slot = slot.and_then(|phase| self.cached.get_mut(phase));
        let Some(slot) = slot.filter(|_| is_inner) else {
            return self.resampling.window(pixel);
        };
        let start = (period * self.input_period).cast_signed();
        let window = slot.get_or_insert_with(|| self.resampling.window(pixel).moved_by(-start));
        window.clone().moved_by(start)
    }
}

impl Window {
    /// Returns the input pixel after the last one.
    pub(crate) fn end(&self) -> i64 {
        self.first + self.weights.len() as i64
    }

    fn moved_by(self, pixels: i64) -> Window {
        Window {
            first: self.first + pixels,
            ..self
        }
    }
}

/// Returns sinc(x) sinc(x/3) for |x| < 3, else 0.
/// (Turkowski, "Filters for Common Resampling Tasks", 1990)
///
/// With t = πx/3 that is sin 3t sin t / 3t², and since sin 3t = sin t (3 - 4 sin² t), one sine is
/// enough. It comes from a series, because a library's differs from machine to machine in its last
/// bits.
fn lanczos3(x: f64) -> f64 {
    if x.abs() >= RADIUS {
        return 0.0;
    }
    let square = (x * x) * (PI * PI / (RADIUS * RADIUS));
    let mut sinc = 0.0;
    for coefficient in SINC.iter().rev() {
        sinc = sinc * square + coefficient;
    }
    let sine_squared = sinc * sinc * square;
    sinc * sinc * (1.0 - sine_squared * (4.0 / 3.0))
}

/// Coefficients of the Taylor series of sin t / t in powers of t². Up to t = π it is accurate to
/// nine digits.
const SINC: [f64; 10] = {
    let mut series = [1.0; 10];
    let mut n = 1;
    while n < series.len() {
        #[expect(clippy::cast_precision_loss, reason = "n is below 10")]
        let factors = ((2 * n) * (2 * n + 1)) as f64;
        series[n] = -series[n - 1] / factors;
        n += 1;
    }
    series
};

/// Scales weights to a sum of [`ONE`] and rounds them. The middle weight takes the rounding error,
/// since it is the largest.
#[expect(
    clippy::cast_possible_truncation,
    reason = "weights are below 2 in 14 bits"
)]
fn quantize(weights: &[f64]) -> Rc<[i32]> {
    let scale = f64::from(ONE) / weights.iter().sum::<f64>();
    let mut quantized: Vec<i32> = weights.iter().map(|w| (w * scale).round() as i32).collect();
    let error = ONE - quantized.iter().sum::<i32>();
    let middle = quantized.len() / 2;
    quantized[middle] += error;
    quantized.into()
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_repeat() {
        for (input, output) in [
            (300, 1),
            (300, 7),
            (600, 128),
            (1224, 261),
            (522, 127),
            (300, 300),
        ] {
            let resampling = Resampling { input, output };
            let mut windows = resampling.windows();
            for pixel in 0..output {
                let (window, fresh) = (windows.get(pixel), resampling.window(pixel));
                assert_eq!(
                    window.weights.iter().sum::<i32>(),
                    ONE,
                    "{input} {output} {pixel}"
                );
                assert_eq!(window.first, fresh.first, "{input} {output} {pixel}");
                let near = |(a, b): (&i32, &i32)| (a - b).abs() <= 1;
                assert_eq!(window.weights.len(), fresh.weights.len());
                assert!(window.weights.iter().zip(&*fresh.weights).all(near));
                assert!(window.first >= 0 && window.end() <= input.cast_signed());
            }
        }
    }

    #[test]
    fn the_kernel_is_lanczos3() {
        let rows = [
            (0.0, 1.0),
            (0.5, 0.607_927),
            (1.0, 0.0),
            (1.5, -0.135_095),
            (3.0, 0.0),
            (4.0, 0.0),
        ];
        for (x, expected) in rows {
            assert!(
                (lanczos3(x) - expected).abs() < 1e-6,
                "{x}: {}",
                lanczos3(x)
            );
            assert!((lanczos3(-x) - lanczos3(x)).abs() < 1e-12, "{x}");
        }
    }
}
