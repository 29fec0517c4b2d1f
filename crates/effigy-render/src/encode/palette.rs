//! Palettes of PNG files.

use crate::flat::Grid;

/// The colors of a flat picture, sorted by alpha: a PNG stores the alpha of all colors up to the
/// last one that is not opaque.
pub(super) struct PngPalette {
    /// Alpha, red, green and blue.
    colors: Vec<[u8; 4]>,
    /// The bits of a pixel.
    pub(super) bits: u8,
}

impl PngPalette {
    /// Returns the palette of a grid, or `None` if it has more than 256 colors.
    pub(super) fn of(grid: &Grid) -> Option<PngPalette> {
        let mut colors = grid.texels.clone();
        for color in &mut colors {
            color.rotate_right(1);
        }
        colors.sort_unstable();
        colors.dedup();
        let bits = match colors.len() {
            0..=2 => 1,
            3..=4 => 2,
            5..=16 => 4,
            17..=256 => 8,
            _ => return None,
        };
        Some(PngPalette { colors, bits })
    }

    /// Returns red, green and blue of all colors.
    pub(super) fn rgb(&self) -> Vec<u8> {
        let rgb = self.colors.iter().flat_map(|&[_, r, g, b]| [r, g, b]);
        rgb.collect()
    }

    /// Returns the alpha of all colors up to the last one that is not opaque.
    pub(super) fn alphas(&self) -> Vec<u8> {
        let alphas = self.colors.iter().map(|color| color[0]);
        alphas.take_while(|&alpha| alpha < 255).collect()
    }

    /// Appends a row of texels and their widths as packed pixels, the leftmost in the high bits.
    pub(super) fn pack(&self, texels: impl Iterator<Item = ([u8; 4], u32)>, row: &mut Vec<u8>) {
        let mut byte = 0;
        let mut free = 8;
        for (texel, width) in texels {
            let index = self.index(texel);
            for _ in 0..width {
                free -= self.bits;
                byte |= index << free;
                if free == 0 {
                    row.push(byte);
                    byte = 0;
                    free = 8;
                }
            }
        }
        if free < 8 {
            row.push(byte);
        }
    }

    fn index(&self, [r, g, b, alpha]: [u8; 4]) -> u8 {
        let found = self.colors.binary_search(&[alpha, r, g, b]);
        let found = found.expect("the palette has every color of the grid");
        u8::try_from(found).expect("a palette has at most 256 colors")
    }
}
