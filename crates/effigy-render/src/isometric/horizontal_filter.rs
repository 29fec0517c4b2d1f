//! The horizontal half of the resampling: filtered columns to output pixels.
//!
//! Columns are kept in pairs, channel beside channel, so that one multiply-and-add instruction takes
//! two of them for all four channels. No more of them are kept than one output pixel takes.

use std::ops::Range;

use wide::{i16x8, i32x4, u8x16};

use crate::RenderError;
use crate::isometric::kernel::{WEIGHT_BITS, Window, Windows};
use crate::isometric::vertical_filter::{Column, VALUE_BITS};

/// The filtered columns of a strip that are still needed, and the way on to its pixels.
pub(crate) struct Rows {
    height: usize,
    /// Pair behind pair, each from top to bottom: red of both columns, green of both, …; the next
    /// one takes the place of the oldest.
    values: Vec<i16x8>,
    /// The rows of each pair that are not blank.
    filled: Vec<Range<usize>>,
    taps: Taps,
}

/// What the next output pixels take of the columns.
struct Taps {
    /// Which of a row.
    pixel: usize,
    /// The first and the last of the pairs that they take.
    first: usize,
    last: usize,
    /// The weights of both columns of a pair, for every channel.
    weights: Vec<i32x4>,
}

/// So many rows share one walk over the weights.
const BLOCK: usize = 8;

impl Rows {
    /// No columns yet, of a strip of so many rows.
    pub(crate) fn new(windows: &mut Windows, height: usize) -> Result<Rows, RenderError> {
        let pairs = windows.longest().div_ceil(2) + 1;
        let out_of_memory = || RenderError::OutOfMemory {
            width: u32::try_from(pairs).unwrap_or(u32::MAX),
            height: u32::try_from(height).unwrap_or(u32::MAX),
        };
        let mut values = Vec::new();
        // Blocks may reach beyond the last row.
        let length = pairs
            .checked_mul(height)
            .and_then(|n| n.checked_add(BLOCK))
            .ok_or_else(out_of_memory)?;
        values
            .try_reserve_exact(length)
            .map_err(|_| out_of_memory())?;
        values.resize(length, i16x8::ZERO);
        Ok(Rows {
            height,
            values,
            filled: vec![0..0; pairs],
            taps: Taps::new(windows, 0),
        })
    }

    /// Takes a pair of filtered columns, and writes the pixels that need no more of them: straight
    /// RGBA into rows of `width` pixels, which are blank.
    pub(crate) fn take(
        &mut self,
        pair: usize,
        [left, right]: &mut [Column; 2],
        windows: &mut Windows,
        pixels: &mut [[u8; 4]],
        width: usize,
    ) {
        let place = pair % self.filled.len();
        let filled = &mut self.filled[place];
        let values = &mut self.values[place * self.height..][..self.height];
        let last = filled.clone();
        *filled = Column::drain(left, right, values);
        // What the oldest pair had beyond that.
        values[last.start..filled.start.clamp(last.start, last.end)].fill(i16x8::ZERO);
        values[filled.end.clamp(last.start, last.end)..last.end].fill(i16x8::ZERO);
        while self.taps.last == pair {
            self.filter(pixels, width);
            if self.taps.pixel + 1 == width {
                break;
            }
            self.taps.advance(windows);
        }
    }

    /// Writes one pixel of every row.
    fn filter(&self, pixels: &mut [[u8; 4]], width: usize) {
        let Taps { first, pixel, .. } = self.taps;
        let rows = self.filled();
        let mut y = rows.start;
        while y < rows.end {
            let count = (rows.end - y).min(BLOCK);
            let block = straight(self.sums(first % self.filled.len() * self.height, y));
            for (row, color) in (y..y + count).zip(block) {
                pixels[row * width + pixel] = color;
            }
            y += count;
        }
    }

    /// The rows that are not blank in all of the pairs together.
    fn filled(&self) -> Range<usize> {
        let filled = self.filled.iter().filter(|rows| rows.start < rows.end);
        let start = filled.clone().map(|rows| rows.start).min();
        let end = filled.map(|rows| rows.end).max();
        start.unwrap_or(0)..end.unwrap_or(0)
    }

    /// The weighted sums of a block of rows from `row` on, of the pairs from place `at` on.
    #[inline]
    fn sums(&self, mut at: usize, row: usize) -> [i32x4; BLOCK] {
        let values = &self.values[row..];
        let round = self.filled.len() * self.height;
        let mut sums = [i32x4::ZERO; BLOCK];
        for &weight in &self.taps.weights {
            let Some(rows) = values.get(at..).and_then(<[_]>::first_chunk::<BLOCK>) else {
                break;
            };
            let weight: i16x8 = bytemuck::cast(weight);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum += row.dot(weight);
            }
            at += self.height;
            if at == round {
                at = 0;
            }
        }
        sums
    }
}

impl Taps {
    fn new(windows: &mut Windows, pixel: usize) -> Taps {
        let mut taps = Taps {
            pixel,
            first: 0,
            last: 0,
            weights: Vec::new(),
        };
        taps.fit(&windows.get(pixel as u64));
        taps
    }

    fn advance(&mut self, windows: &mut Windows) {
        self.pixel += 1;
        self.fit(&windows.get(self.pixel as u64));
    }

    fn fit(&mut self, window: &Window) {
        let first = usize::try_from(window.first).unwrap_or(0);
        self.first = first / 2;
        let mut weights = window.weights.iter().map(|weight| weight & 0xffff);
        self.weights.clear();
        if first % 2 == 1 {
            let right = weights.next().unwrap_or(0);
            self.weights.push(i32x4::splat(right << 16));
        }
        while let Some(left) = weights.next() {
            let right = weights.next().unwrap_or(0);
            self.weights.push(i32x4::splat(left | right << 16));
        }
        self.last = self.first + self.weights.len().saturating_sub(1);
    }
}

/// Fractional bits of a sum.
const SUM_BITS: u32 = VALUE_BITS + WEIGHT_BITS;

/// Half of one of 255.
const HALF: i32 = 1 << (SUM_BITS - 1);

/// Sums from here on are rounded to 255.
const FULL: i32 = (255 << SUM_BITS) - HALF;

/// Premultiplied colours, as the kernels leave them, to straight ones of 8 bits.
#[inline]
fn straight(sums: [i32x4; BLOCK]) -> [[u8; 4]; BLOCK] {
    // Most are opaque, and need not be told apart.
    let least = i32x4::new([i32::MIN, i32::MIN, i32::MIN, FULL]);
    let less = |less: i32x4, sum: &i32x4| less | sum.simd_lt(least);
    let mut colors = [[0; 4]; BLOCK];
    if sums.iter().fold(i32x4::ZERO, less).none() {
        let rounded = |sum: i32x4| (sum + HALF) >> SUM_BITS;
        let narrow = |a, b| i16x8::from_i32x8_saturate(bytemuck::cast([rounded(a), rounded(b)]));
        for (four, sums) in colors
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .zip(sums.as_chunks().0)
        {
            let [a, b, c, d] = *sums;
            *four = bytemuck::cast(u8x16::narrow_i16x8(narrow(a, b), narrow(c, d)));
        }
    } else {
        for (color, sum) in colors.iter_mut().zip(sums) {
            *color = straight_pixel(sum);
        }
    }
    colors
}

/// The kernel's negative lobes overshoot; no colour is more than its alpha.
fn straight_pixel(sum: i32x4) -> [u8; 4] {
    let [r, g, b, alpha] = sum.to_array();
    if alpha < HALF {
        return [0; 4];
    }
    if alpha >= FULL {
        let channel = |value: i32| byte((value + HALF) >> SUM_BITS);
        return [channel(r), channel(g), channel(b), 255];
    }
    #[expect(clippy::cast_precision_loss, reason = "24 of 28 bits are plenty for 8")]
    #[expect(clippy::cast_possible_truncation, reason = "at most 255.5")]
    let channel = |value: i32| (value.clamp(0, alpha) as f32 * 255.0 / alpha as f32 + 0.5) as i32;
    let [r, g, b] = [channel(r), channel(g), channel(b)];
    [byte(r), byte(g), byte(b), byte((alpha + HALF) >> SUM_BITS)]
}

#[expect(clippy::cast_sign_loss, reason = "clamped to 0..=255")]
fn byte(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}
