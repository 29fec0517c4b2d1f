//! Palettes of flat pictures.

use std::io::Write;

use crate::flat::grid::Grid;

/// The colors of a flat picture, sorted by alpha: a PNG stores the alpha of all colors up to the last
/// one that is not opaque.
pub(crate) struct Palette {
    colors: Vec<[u8; 4]>,
    depth: png::BitDepth,
}

impl Palette {
    /// Returns the palette of a grid, or `None` if it has more than 256 colors.
    pub(crate) fn of(grid: &Grid) -> Option<Palette> {
        let mut colors: Vec<[u8; 4]> = grid.texels.clone();
        colors.sort_unstable_by_key(sort_key);
        colors.dedup();
        let depth = match colors.len() {
            0..=2 => png::BitDepth::One,
            3..=4 => png::BitDepth::Two,
            5..=16 => png::BitDepth::Four,
            17..=256 => png::BitDepth::Eight,
            _ => return None,
        };
        Some(Palette { colors, depth })
    }

    /// Sets the palette as the color type of a file.
    pub(crate) fn configure<W: Write>(&self, encoder: &mut png::Encoder<'_, W>) {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(self.depth);
        let rgb = self.colors.iter().flat_map(|&[r, g, b, _]| [r, g, b]);
        encoder.set_palette(rgb.collect::<Vec<u8>>());
        let alphas = self.colors.iter().map(|color| color[3]);
        let alphas: Vec<u8> = alphas.take_while(|&alpha| alpha < 255).collect();
        if !alphas.is_empty() {
            encoder.set_trns(alphas);
        }
    }

    /// Returns the bits of a pixel.
    pub(crate) fn bits(&self) -> usize {
        self.depth as usize
    }

    /// Appends a row of texels and their widths as packed pixels, the leftmost in the high bits.
    pub(crate) fn pack(&self, texels: impl Iterator<Item = ([u8; 4], u32)>, row: &mut Vec<u8>) {
        let bits = self.bits();
        let (mut byte, mut free) = (0, 8);
        for (texel, width) in texels {
            let index = self.index(texel);
            for _ in 0..width {
                free -= bits;
                byte |= index << free;
                if free == 0 {
                    row.push(byte);
                    (byte, free) = (0, 8);
                }
            }
        }
        if free < 8 {
            row.push(byte);
        }
    }

    fn index(&self, texel: [u8; 4]) -> u8 {
        let found = self
            .colors
            .binary_search_by_key(&sort_key(&texel), sort_key)
            .expect("the palette has every color of the grid");
        u8::try_from(found).expect("a palette has at most 256 colors")
    }
}

fn sort_key(&[r, g, b, a]: &[u8; 4]) -> u32 {
    u32::from_be_bytes([a, r, g, b])
}
