//! The horizontal half of the resampling: filtered columns to output pixels.
//!
//! Columns are kept in pairs, channel beside channel, so that one multiply-and-add instruction takes
//! two of them for all four channels.

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::RenderError;
use crate::falls::{Column, VALUE_BITS};
use crate::kernel::{WEIGHT_BITS, Window, Windows};

/// What one output pixel takes of the columns, from one of their pairs on.
struct Taps {
    first: usize,
    /// The weights of both columns of a pair, for every channel.
    weights: Vec<i32x4>,
}

/// The horizontal kernel of a range of a picture's columns.
pub(crate) struct Rows {
    taps: Vec<Taps>,
    /// The pairs of canvas columns that it reaches over.
    pub(crate) pairs: Range<usize>,
}

/// The filtered columns of a strip.
#[derive(Default)]
pub(crate) struct Columns {
    height: usize,
    /// Pair by pair, from top to bottom: red of both columns, green of both, …
    values: Vec<i16x8>,
    /// The rows of each pair that are not blank.
    filled: Vec<Range<usize>>,
}

impl Columns {
    /// Makes room for so many pairs and rows.
    pub(crate) fn fit(&mut self, pairs: usize, height: usize) -> Result<(), RenderError> {
        if self.filled.len() == pairs && self.height == height {
            return Ok(());
        }
        self.height = height;
        self.values = zeroed(pairs, height)?;
        self.filled = vec![0..0; pairs];
        Ok(())
    }

    /// Takes over a pair of filtered columns of `height` rows in the place of the last strip's.
    pub(crate) fn set(&mut self, pair: usize, [left, right]: &mut [Column; 2], height: usize) {
        let values = &mut self.values[pair * self.height..][..self.height];
        values[self.filled[pair].clone()].fill(i16x8::ZERO);
        self.filled[pair] = Column::drain(left, right, &mut values[..height]);
    }
}

fn zeroed(pairs: usize, height: usize) -> Result<Vec<i16x8>, RenderError> {
    let out_of_memory = || RenderError::OutOfMemory {
        width: u32::try_from(pairs).unwrap_or(u32::MAX),
        height: u32::try_from(height).unwrap_or(u32::MAX),
    };
    // Blocks may reach beyond the last row.
    let length = pairs.checked_mul(height).and_then(|n| n.checked_add(BLOCK));
    let length = length.ok_or_else(out_of_memory)?;
    let mut values = Vec::new();
    values
        .try_reserve_exact(length)
        .map_err(|_| out_of_memory())?;
    values.resize(length, i16x8::ZERO);
    Ok(values)
}

impl Rows {
    /// The kernel of the pixels in `range`.
    pub(crate) fn new(windows: &mut Windows, range: Range<u64>) -> Rows {
        let windows: Vec<Window> = range.map(|x| windows.get(x)).collect();
        let pair = |column: i64| usize::try_from(column / 2).unwrap_or(0);
        let start = windows.first().map_or(0, |window| pair(window.first));
        let end = windows.last().map_or(0, |window| pair(window.end() + 1));
        Rows {
            taps: windows
                .iter()
                .map(|window| Taps::new(window, start))
                .collect(),
            pairs: start..end,
        }
    }

    /// Writes a strip's pixels, straight RGBA, from column `left` on into rows of `width` pixels,
    /// which are blank.
    pub(crate) fn filter(
        &self,
        columns: &Columns,
        pixels: &mut [[u8; 4]],
        left: usize,
        width: usize,
    ) {
        for (x, taps) in (left..).zip(&self.taps) {
            let pairs = taps.first..taps.first + taps.weights.len();
            let values = &columns.values[pairs.start * columns.height..];
            let rows = filled(&columns.filled[pairs]);
            let mut y = rows.start;
            while y < rows.end {
                let count = (rows.end - y).min(BLOCK);
                let sums = taps.sums(&values[y..], columns.height);
                for (row, sum) in (y..y + count).zip(sums) {
                    pixels[row * width + x] = straight(sum);
                }
                y += count;
            }
        }
    }
}

/// So many rows share one walk over the weights.
const BLOCK: usize = 4;

/// The rows that are not blank in all of these pairs together.
fn filled(pairs: &[Range<usize>]) -> Range<usize> {
    let filled = pairs.iter().filter(|rows| rows.start < rows.end);
    let start = filled.clone().map(|rows| rows.start).min();
    let end = filled.map(|rows| rows.end).max();
    start.unwrap_or(0)..end.unwrap_or(0)
}

impl Taps {
    /// The taps of a window, for columns that begin with pair `start`.
    fn new(window: &Window, start: usize) -> Taps {
        let first = usize::try_from(window.first).unwrap_or(0);
        let blank = first % 2;
        let mut halves = vec![0; blank];
        halves.extend_from_slice(&window.weights);
        let weights = halves
            .chunks(2)
            .map(|pair| (pair[0] & 0xffff) | (pair.get(1).unwrap_or(&0) << 16))
            .map(i32x4::splat)
            .collect();
        Taps {
            first: first / 2 - start,
            weights,
        }
    }

    /// The weighted sums of a block of rows of the pairs, which lie `stride` apart.
    #[inline]
    fn sums(&self, values: &[i16x8], stride: usize) -> [i32x4; BLOCK] {
        let [mut a, mut b, mut c, mut d] = [i32x4::ZERO; BLOCK];
        let mut at = 0;
        for &weight in &self.weights {
            let Some(rows) = values.get(at..).and_then(<[_]>::first_chunk::<BLOCK>) else {
                break;
            };
            at += stride;
            let weight: i16x8 = bytemuck::cast(weight);
            a += rows[0].dot(weight);
            b += rows[1].dot(weight);
            c += rows[2].dot(weight);
            d += rows[3].dot(weight);
        }
        [a, b, c, d]
    }
}

/// A premultiplied colour, as the kernels leave it, to a straight one of 8 bits. The kernel's
/// negative lobes overshoot; no colour is more than its alpha.
#[inline]
fn straight(sum: i32x4) -> [u8; 4] {
    const BITS: u32 = VALUE_BITS + WEIGHT_BITS;
    const HALF: i32 = 1 << (BITS - 1);
    let [r, g, b, alpha] = sum.to_array();
    if alpha < HALF {
        return [0; 4];
    }
    if alpha >= (255 << BITS) - HALF {
        let channel = |value: i32| byte((value + HALF) >> BITS);
        return [channel(r), channel(g), channel(b), 255];
    }
    #[expect(clippy::cast_precision_loss, reason = "24 of 28 bits are plenty for 8")]
    #[expect(clippy::cast_possible_truncation, reason = "at most 255.5")]
    let channel = |value: i32| (value.clamp(0, alpha) as f32 * 255.0 / alpha as f32 + 0.5) as i32;
    let [r, g, b] = [channel(r), channel(g), channel(b)];
    [byte(r), byte(g), byte(b), byte((alpha + HALF) >> BITS)]
}

#[inline]
#[expect(clippy::cast_sign_loss, reason = "clamped to 0..=255")]
fn byte(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}
