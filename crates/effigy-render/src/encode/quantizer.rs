//! Palettes of GIF files, for pictures with more colors than a palette.

use std::collections::{BTreeSet, HashMap};

use color_quant::NeuQuant;

/// The most colors of a palette. The remaining index stands for transparent pixels.
const MAX_COLORS: usize = 255;

/// The rough number of pixels that are kept of large pictures. The step from one to the next is
/// rounded down, so nearly twice this number may be kept.
const TYPICAL_SAMPLES: usize = 1 << 18;

/// The least number of pixels from which a palette is learned. Fewer ones are repeated.
const MIN_LEARNED: usize = 1 << 15;

/// Some of the opaque pixels of pictures.
pub(super) struct Samples {
    /// One of this many opaque pixels is kept.
    step: usize,
    /// The number of opaque pixels so far.
    seen: usize,
    pixels: Vec<[u8; 4]>,
    /// The different colors, until there are too many for a palette.
    colors: BTreeSet<[u8; 3]>,
}

/// The colors of a GIF.
pub(super) struct GifPalette {
    colors: Vec<[u8; 3]>,
    /// `true` if the palette has every color of the pictures, in ascending order.
    complete: bool,
    /// The indices of colors that an incomplete palette has looked up. Colors that differ only in
    /// the two lowest bits share one.
    indices: HashMap<[u8; 3], u8>,
}

impl Samples {
    /// Begins to take samples of this many pixels.
    pub(super) fn of(pixels: usize) -> Samples {
        Samples {
            // An odd step meets every column of a picture of even width.
            step: (pixels / TYPICAL_SAMPLES) | 1,
            seen: 0,
            pixels: Vec::new(),
            colors: BTreeSet::new(),
        }
    }

    /// Takes a pixel, and returns `true` if it is opaque in a GIF.
    pub(super) fn add(&mut self, pixel: [u8; 4]) -> bool {
        if !is_opaque(pixel) {
            return false;
        }
        let [r, g, b, _] = pixel;
        if self.colors.len() <= MAX_COLORS {
            self.colors.insert([r, g, b]);
        }
        if self.seen.is_multiple_of(self.step) {
            self.pixels.push(pixel);
        }
        self.seen += 1;
        true
    }

    /// Returns a palette of all colors, or, if they are too many, of similar ones.
    pub(super) fn into_palette(self) -> GifPalette {
        let complete = self.colors.len() <= MAX_COLORS;
        let colors = if complete {
            self.colors.into_iter().collect()
        } else {
            learned_colors(self.pixels)
        };
        GifPalette {
            colors,
            complete,
            indices: HashMap::new(),
        }
    }
}

/// Returns `true` if a pixel is opaque in a GIF, which has no partly transparent ones. It keeps its
/// straight color, so that an edge is no darker than the area that it surrounds.
fn is_opaque(pixel: [u8; 4]) -> bool {
    pixel[3] >= 128
}

/// Returns a palette's colors for many different pixels.
fn learned_colors(mut pixels: Vec<[u8; 4]>) -> Vec<[u8; 3]> {
    for pixel in &mut pixels {
        pixel[3] = u8::MAX;
    }
    let times = MIN_LEARNED.div_ceil(pixels.len());
    let samples = pixels.as_flattened().repeat(times);
    let learned = NeuQuant::new(1, MAX_COLORS, &samples);
    learned.color_map_rgb().as_chunks().0.to_vec()
}

impl GifPalette {
    /// Returns red, green and blue of all colors, and of the transparent index.
    pub(super) fn channels(&self) -> Vec<u8> {
        [self.colors.as_flattened(), &[0; 3]].concat()
    }

    /// Returns the index of transparent pixels.
    pub(super) fn transparent(&self) -> u8 {
        u8::try_from(self.colors.len()).expect("colors leave one index")
    }

    /// Returns the index of a pixel's color, or of a near one if the palette doesn't have it.
    pub(super) fn index(&mut self, pixel: [u8; 4]) -> u8 {
        if !is_opaque(pixel) {
            return self.transparent();
        }
        let [r, g, b, _] = pixel;
        let color = [r, g, b];
        if self.complete
            && let Ok(index) = self.colors.binary_search(&color)
        {
            return u8::try_from(index).expect("a palette has at most 255 colors");
        }
        let similar = color.map(|channel| channel / 4);
        let colors = &self.colors;
        *self
            .indices
            .entry(similar)
            .or_insert_with(|| nearest(colors, color))
    }
}

/// Returns the index of the color that is nearest to another one.
fn nearest(colors: &[[u8; 3]], sought: [u8; 3]) -> u8 {
    let distance = |color: &[u8; 3]| -> u32 {
        let pairs = color.iter().zip(sought);
        pairs.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let indices = (0..).zip(colors);
    let found = indices.min_by_key(|(_, color)| distance(color));
    found.map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(pixels: impl IntoIterator<Item = [u8; 4]>) -> GifPalette {
        let mut samples = Samples::of(1 << 12);
        for pixel in pixels {
            samples.add(pixel);
        }
        samples.into_palette()
    }

    #[test]
    fn few_colors_stay_as_they_are() {
        let similar = |number: u8| [number, 255 - number, 7, 128 + number / 2];
        let mut palette = palette((0..255).map(similar).chain([[9, 9, 9, 127]]));
        assert_eq!(palette.transparent(), 255);
        assert_eq!(palette.channels().len(), 256 * 3);
        for pixel in (0..255).map(similar) {
            let index = usize::from(palette.index(pixel));
            assert_eq!(palette.channels()[3 * index..][..3], pixel[..3]);
        }
        assert_eq!(palette.index([9, 9, 9, 127]), 255);
    }

    #[test]
    fn a_transparent_picture_has_a_palette() {
        let mut palette = palette([[1, 2, 3, 0]]);
        assert_eq!(palette.index([1, 2, 3, 0]), 0);
        assert_eq!(palette.channels(), [0; 3]);
    }
}
