//! From sums of premultiplied colors to straight RGBA.

use std::iter::zip;

use wide::{i16x8, i32x4, u8x16};

/// The number of pixels that are summed and converted at once. Sums of two neighboring pixels in
/// one pass take 1 to 6 % longer: the registers hold no more than eight.
pub(super) const BLOCK: usize = 8;

/// Fractional bits of a sum.
pub(super) const SUM_BITS: u32 = 20;

/// Half of a channel's unit.
const HALF: i32 = 1 << (SUM_BITS - 1);

/// Sums from here on are rounded to 255.
const FULL: i32 = (255 << SUM_BITS) - HALF;

/// Converts premultiplied sums to straight colors of 8 bits. It is inlined, because a call makes
/// pictures with Lanczos3 3 % slower. By area, inlining makes them up to 9 % slower, so there is
/// [`called_to_straight`].
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn to_straight(sums: [i32x4; BLOCK]) -> [[u8; 4]; BLOCK] {
    // Most blocks are opaque, and opaque colors need no division.
    let least = i32x4::new([i32::MIN, i32::MIN, i32::MIN, FULL]);
    let any_less = |any: i32x4, sum: &i32x4| any | sum.simd_lt(least);
    let opaque = sums.iter().fold(i32x4::ZERO, any_less).none();
    let mut colors = [[0; 4]; BLOCK];
    if opaque {
        let rounded = |sum: i32x4| (sum + HALF) >> SUM_BITS;
        let narrow = |a, b| i16x8::from_i32x8_saturate(bytemuck::cast([rounded(a), rounded(b)]));
        for (four, &[a, b, c, d]) in zip(colors.as_chunks_mut::<4>().0, sums.as_chunks().0) {
            *four = bytemuck::cast(u8x16::narrow_i16x8(narrow(a, b), narrow(c, d)));
        }
    } else {
        for (color, sum) in colors.iter_mut().zip(sums) {
            *color = to_straight_pixel(sum);
        }
    }
    colors
}

/// [`to_straight`] as a function of its own.
#[inline(never)]
pub(super) fn called_to_straight(sums: [i32x4; BLOCK]) -> [[u8; 4]; BLOCK] {
    to_straight(sums)
}

/// Converts one sum. The kernel's negative lobes overshoot, so channels are clamped to the alpha.
fn to_straight_pixel(sum: i32x4) -> [u8; 4] {
    let [r, g, b, alpha] = sum.to_array();
    if alpha < HALF {
        return [0; 4];
    }
    if alpha >= FULL {
        let channel = |value: i32| clamp_to_byte((value + HALF) >> SUM_BITS);
        return [channel(r), channel(g), channel(b), 255];
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 255.5")]
    let channel = |value: i32| (value.clamp(0, alpha) as f32 * 255.0 / alpha as f32 + 0.5) as i32;
    let [r, g, b] = [r, g, b].map(channel);
    [r, g, b, (alpha + HALF) >> SUM_BITS].map(clamp_to_byte)
}

fn clamp_to_byte(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}
