//! The Lanczos3 kernel and what it makes of a line of pixels, in whole numbers.

use std::f64::consts::PI;
use std::rc::Rc;

/// Radius of the kernel in output pixels.
const LOBES: f64 = 3.0;

/// Fractional bits of a weight: sums of weights are exact, and the same on every machine.
pub(crate) const WEIGHT_BITS: u32 = 14;

/// A weight of 1.
pub(crate) const ONE: i32 = 1 << WEIGHT_BITS;

/// sinc(x) sinc(x/3) within three lobes (Turkowski, "Filters for Common Resampling Tasks").
///
/// With t = πx/3 that is sin 3t sin t / 3t², and since sin 3t = sin t (3 - 4 sin² t), one sine is
/// enough. It is a series of our own: the last bits of a library's differ from machine to machine.
fn lanczos3(x: f64) -> f64 {
    if x.abs() >= LOBES {
        return 0.0;
    }
    let square = (x * x) * (PI * PI / (LOBES * LOBES));
    let mut sinc = 0.0;
    for coefficient in SINC.iter().rev() {
        sinc = sinc * square + coefficient;
    }
    let sine_squared = sinc * sinc * square;
    sinc * sinc * (1.0 - sine_squared * (4.0 / 3.0))
}

/// The Taylor series of sin t / t in powers of t². Up to t = π it is right to nine digits.
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

/// A line of `input` pixels that becomes one of `output` pixels, never more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shrink {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

/// What one output pixel takes from the line: weights that sum to [`ONE`], from a first input pixel
/// on.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) first: i64,
    pub(crate) weights: Rc<[i32]>,
}

/// The windows of neighbouring output pixels, one after the other.
///
/// Where both lengths have a common divisor the same window comes back again and again, moved along
/// the line; it is weighed once.
pub(crate) struct Windows {
    shrink: Shrink,
    /// After so many output pixels the windows repeat, so many input pixels further on.
    period: u64,
    stride: u64,
    known: Vec<Option<Window>>,
}

impl Shrink {
    pub(crate) fn windows(self) -> Windows {
        let common = greatest_common_divisor(self.input, self.output);
        let period = self.output / common;
        Windows {
            shrink: self,
            period,
            stride: self.input / common,
            // Long periods are hardly ever met twice.
            known: vec![None; usize::try_from(period).unwrap_or(0).min(1 << 12)],
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "lines are far shorter than 2^52"
    )]
    fn scale(self) -> f64 {
        self.input as f64 / self.output as f64
    }

    /// The window of an output pixel. The line ends where it ends: beyond it nothing is weighed.
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the line")]
    #[expect(
        clippy::cast_precision_loss,
        reason = "lines are far shorter than 2^52"
    )]
    fn window(self, pixel: u64) -> Window {
        let scale = self.scale();
        let centre = (pixel as f64 + 0.5) * scale - 0.5;
        let radius = LOBES * scale;
        let first = (centre - radius).ceil().max(0.0) as i64;
        let last = ((centre + radius).floor() as i64).min(self.input as i64 - 1);
        let weigh = |input: i64| lanczos3((input as f64 - centre) / scale);
        let weights: Vec<f64> = (first..=last).map(weigh).collect();
        Window {
            first,
            weights: whole(&weights),
        }
    }
}

impl Windows {
    /// No window has more weights.
    pub(crate) fn longest(&self) -> usize {
        let Shrink { input, output } = self.shrink;
        let lobes = (6 * input).div_ceil(output) + 1;
        usize::try_from(lobes.min(input)).unwrap_or(usize::MAX)
    }

    pub(crate) fn get(&mut self, pixel: u64) -> Window {
        let (turn, phase) = (pixel / self.period, pixel % self.period);
        let moved = i64::try_from(turn * self.stride).unwrap_or(i64::MAX);
        // Only what lies wholly on the line repeats.
        let margin = 4;
        let inner = pixel >= margin && pixel + margin < self.shrink.output;
        let known = usize::try_from(phase)
            .ok()
            .and_then(|phase| self.known.get_mut(phase));
        match known {
            Some(Some(window)) if inner => Window {
                first: window.first + moved,
                weights: Rc::clone(&window.weights),
            },
            Some(slot) if inner => {
                let window = self.shrink.window(pixel);
                *slot = Some(Window {
                    first: window.first - moved,
                    weights: Rc::clone(&window.weights),
                });
                window
            }
            _ => self.shrink.window(pixel),
        }
    }
}

/// Weights as whole numbers. What rounding takes or gives goes to the middle, where it matters
/// least.
#[expect(
    clippy::cast_possible_truncation,
    reason = "weights are below 2 in 14 bits"
)]
fn whole(weights: &[f64]) -> Rc<[i32]> {
    let one = f64::from(ONE) / weights.iter().sum::<f64>();
    let mut whole: Vec<i32> = weights.iter().map(|w| (w * one).round() as i32).collect();
    let missing = ONE - whole.iter().sum::<i32>();
    let middle = whole.len() / 2;
    whole[middle] += missing;
    whole.into()
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

impl Window {
    /// Behind the last input pixel.
    pub(crate) fn end(&self) -> i64 {
        self.first + i64::try_from(self.weights.len()).unwrap_or(i64::MAX)
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
            let shrink = Shrink { input, output };
            let mut windows = shrink.windows();
            for pixel in 0..output {
                let (window, fresh) = (windows.get(pixel), shrink.window(pixel));
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
