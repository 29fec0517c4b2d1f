//! Skins of noise, the worst case for a renderer.

use effigy_render::{Model, Skin};
use fixtures::Image;

/// The transparency of the overlay of a skin of noise.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Noise {
    /// Every texel opaque.
    Opaque,
    /// Opaque texels and gaps.
    Gaps,
    /// Any alpha.
    Glass,
}

impl Noise {
    pub(crate) const ALL: [Noise; 3] = [Noise::Opaque, Noise::Gaps, Noise::Glass];

    fn alpha(self, random: u8) -> u8 {
        match self {
            Noise::Opaque => 255,
            Noise::Gaps => u8::from(random > 127) * 255,
            Noise::Glass => random,
        }
    }
}

/// The skin of a seed.
pub(crate) fn skin(seed: u64, [width, height]: [u32; 2], noise: Noise, model: Model) -> Skin {
    let mut state = seed;
    let mut image = Image::new(width, height);
    for texel in image.rgba.chunks_exact_mut(4) {
        let [r, g, b, alpha, ..] = next(&mut state).to_le_bytes();
        texel.copy_from_slice(&[r, g, b, noise.alpha(alpha)]);
    }
    Skin::decode(&image.encode(), model).expect("the dimensions are those of a skin")
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators").
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
