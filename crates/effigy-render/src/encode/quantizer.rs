//! Palettes of few colors for pictures of many.

use std::collections::{BTreeSet, HashMap};

use color_quant::NeuQuant;

/// The most colors of a palette. One more index is that of transparent pixels.
const MAX_COLORS: usize = 255;

/// The greatest number of pixels that are kept.
const KEPT: usize = 1 << 18;

/// The least number of pixels from which a palette is learned. Fewer ones are repeated.
const LEARNED: usize = 1 << 15;

/// Some of the opaque pixels of pictures.
pub(super) struct Samples {
    /// The distance of those that are kept.
    step: usize,
    /// The number of opaque pixels so far.
    seen: usize,
    pixels: Vec<[u8; 4]>,
    /// The colors, until there are more than a palette has room for.
    colors: BTreeSet<[u8; 3]>,
}

/// A palette.
pub(super) struct Palette {
    colors: Vec<[u8; 3]>,
    /// The indices of colors that have been sought. Colors that differ only in the two lowest bits
    /// have one.
    indices: HashMap<[u8; 3], u8>,
}

/// Returns the color of a pixel, or `None` if it is rather transparent. The color is that of the
/// opaque part, so that an edge is no darker than what it surrounds.
fn color_of([r, g, b, alpha]: [u8; 4]) -> Option<[u8; 3]> {
    (alpha >= 128).then_some([r, g, b])
}

impl Samples {
    /// Begins to take samples of this many pixels.
    pub(super) fn of(pixels: usize) -> Samples {
        Samples {
            // An odd step meets every column of a picture of even width.
            step: (pixels / KEPT) | 1,
            seen: 0,
            pixels: Vec::new(),
            colors: BTreeSet::new(),
        }
    }

    /// Takes a pixel, and returns `true` if it is opaque.
    pub(super) fn add(&mut self, pixel: [u8; 4]) -> bool {
        let Some(color) = color_of(pixel) else {
            return false;
        };
        if self.colors.len() <= MAX_COLORS {
            self.colors.insert(color);
        }
        if self.seen.is_multiple_of(self.step) {
            self.pixels.push(pixel);
        }
        self.seen += 1;
        true
    }

    /// Finds a palette: of all colors if it has room for them.
    pub(super) fn into_palette(mut self) -> Palette {
        let colors = match self.colors.len() {
            ..=MAX_COLORS => self.colors.into_iter().collect(),
            _ => {
                self.pixels.iter_mut().for_each(|pixel| pixel[3] = u8::MAX);
                let times = LEARNED.div_ceil(self.pixels.len());
                let samples = self.pixels.as_flattened().repeat(times);
                let learned = NeuQuant::new(1, MAX_COLORS, &samples);
                learned.color_map_rgb().as_chunks().0.to_vec()
            }
        };
        Palette {
            colors,
            indices: HashMap::new(),
        }
    }
}

impl Palette {
    /// Returns red, green and blue of all colors, and of the transparent index.
    pub(super) fn channels(&self) -> Vec<u8> {
        [self.colors.as_flattened(), &[0; 3]].concat()
    }

    /// Returns the index of transparent pixels.
    pub(super) fn transparent(&self) -> u8 {
        u8::try_from(self.colors.len()).expect("colors leave one index")
    }

    /// Returns the index of the color that is nearest to a pixel's.
    pub(super) fn index(&mut self, pixel: [u8; 4]) -> u8 {
        let Some(sought) = color_of(pixel) else {
            return self.transparent();
        };
        let nearest = || {
            let square = |(a, b): (&u8, u8)| u32::from(a.abs_diff(b)).pow(2);
            let distance = |color: &[u8; 3]| color.iter().zip(sought).map(square).sum::<u32>();
            let indices = (0..).zip(&self.colors);
            let nearest = indices.min_by_key(|(_, color)| distance(color));
            nearest.map_or(0, |(index, _)| index)
        };
        let similar = sought.map(|channel| channel / 4);
        *self.indices.entry(similar).or_insert_with(nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(pixels: impl IntoIterator<Item = [u8; 4]>) -> Palette {
        let mut samples = Samples::of(1 << 12);
        for pixel in pixels {
            samples.add(pixel);
        }
        samples.into_palette()
    }

    #[test]
    fn few_colors_stay_as_they_are() {
        let gray = |number: u8| [number * 4, 255 - number, 7, 128 + number];
        let mut palette = palette((0..64).map(gray).chain([[9, 9, 9, 127]]));
        assert_eq!(
            (palette.transparent(), palette.channels().len()),
            (64, 65 * 3)
        );
        for pixel in (0..64).map(gray) {
            let index = usize::from(palette.index(pixel));
            assert_eq!(palette.channels()[3 * index..][..3], pixel[..3]);
        }
        assert_eq!(palette.index([9, 9, 9, 127]), 64);
    }

    #[test]
    fn nothing_has_a_palette() {
        let mut palette = palette([[1, 2, 3, 0]]);
        assert_eq!(palette.index([1, 2, 3, 0]), 0);
        assert_eq!(palette.channels(), [0; 3]);
    }
}
