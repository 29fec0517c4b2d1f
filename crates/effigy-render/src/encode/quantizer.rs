//! Palettes of few colors for pictures of many. A part of the colors is halved where that helps most, until there are as many
//! parts as colors. (Heckbert, "Color Image Quantization for Frame Buffer Display", 1982; the choice of the part and of the
//! cut is that of Wu, "Efficient Statistical Computations for Optimal Color Quantization", 1991)

/// The most colors of a palette. One more index is that of transparent pixels.
const MAX_COLORS: usize = 255;

/// The bits of a channel that tell colors apart. Colors that differ only in lower ones count as the most frequent of them.
const BITS: u32 = 6;

/// The opaque pixels of pictures, counted by color.
pub(super) struct Histogram {
    cells: Vec<Cell>,
}

/// The pixels of nearly one color.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// The color of more than half of the pixels, if one is. (Boyer and Moore, "MJRTY", 1981)
    color: [u8; 3],
    lead: u32,
    count: u32,
}

/// A palette, and the index of each color.
pub(super) struct Palette {
    /// Red, green and blue of all colors, and of the transparent index.
    pub(super) channels: Vec<u8>,
    /// The index of transparent pixels.
    pub(super) transparent: u8,
    indices: Vec<u8>,
}

/// Some of the cells.
struct Cluster {
    cells: Vec<Cell>,
    mean: [f64; 3],
    /// The channel in which the colors differ most.
    channel: usize,
    /// The sum of the squares of the distances from the mean in that channel.
    error: f64,
}

/// Returns the cell of a pixel, or `None` if it is rather transparent. Its color is that of its opaque part, so that an edge
/// is no darker than what it surrounds.
fn cell_of([r, g, b, alpha]: [u8; 4]) -> Option<usize> {
    let cell = |cell, channel: u8| cell << BITS | usize::from(channel) >> (8 - BITS);
    (alpha >= 128).then(|| [r, g, b].into_iter().fold(0, cell))
}

impl Histogram {
    pub(super) fn new() -> Histogram {
        Histogram {
            cells: vec![Cell::default(); 1 << (3 * BITS)],
        }
    }

    /// Counts a pixel, and returns `true` if it is opaque.
    pub(super) fn add(&mut self, pixel: [u8; 4]) -> bool {
        let Some(cell) = cell_of(pixel) else {
            return false;
        };
        let Cell { color, lead, count } = &mut self.cells[cell];
        let [rgb @ .., _] = pixel;
        if *lead == 0 {
            *color = rgb;
        }
        *lead = match *color == rgb {
            true => lead.saturating_add(1),
            false => *lead - 1,
        };
        *count = count.saturating_add(1);
        true
    }

    /// Finds a palette.
    pub(super) fn into_palette(self) -> Palette {
        let cells = self.cells.iter().filter(|cell| cell.count > 0).copied();
        let mut clusters = vec![Cluster::new(cells.collect())];
        while clusters.len() < MAX_COLORS {
            let errors = clusters.iter().map(|cluster| cluster.error).enumerate();
            let worst = errors.max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((worst, 1e-9..)) = worst else {
                break;
            };
            let halves = clusters.swap_remove(worst).halves();
            clusters.extend(halves);
        }
        let colors: Vec<[u8; 3]> = clusters.iter().map(Cluster::color).collect();
        let nearest = |cell: &Cell| {
            let distances = (0..).zip(&colors).map(|(index, color)| {
                let channels = color.iter().zip(cell.color);
                let distance = channels.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2));
                (distance.sum::<u32>(), index)
            });
            distances.min().map_or(0, |(_, index)| index)
        };
        let index = |cell: &Cell| match cell.count {
            0 => 0,
            _ => nearest(cell),
        };
        Palette {
            indices: self.cells.iter().map(index).collect(),
            transparent: u8::try_from(colors.len()).expect("colors leave one index"),
            channels: [colors.as_flattened(), &[0; 3]].concat(),
        }
    }
}

impl Palette {
    /// Returns the index of a pixel that has been counted.
    pub(super) fn index(&self, pixel: [u8; 4]) -> u8 {
        cell_of(pixel).map_or(self.transparent, |cell| self.indices[cell])
    }
}

impl Cell {
    /// Returns the weight of the color. Large areas have less of it than pixels, so that eyes keep theirs.
    fn weight(&self) -> f64 {
        f64::from(self.count).sqrt()
    }
}

impl Cluster {
    fn new(cells: Vec<Cell>) -> Cluster {
        let sum = |value: &dyn Fn(&Cell) -> f64| -> f64 {
            cells.iter().map(|cell| value(cell) * cell.weight()).sum()
        };
        let count = sum(&|_| 1.0).max(1.0);
        let mean = [0, 1, 2].map(|channel| sum(&|cell| cell.color[channel].into()) / count);
        let error =
            |channel: usize| sum(&|cell| (f64::from(cell.color[channel]) - mean[channel]).powi(2));
        let errors = [0, 1, 2].map(|channel| (channel, error(channel)));
        let [first, others @ ..] = errors;
        let (channel, error) = others
            .into_iter()
            .fold(first, |a, b| if b.1 > a.1 { b } else { a });
        Cluster {
            cells,
            mean,
            channel,
            error,
        }
    }

    /// Divides the cells at the mean. Some are on either side of it if there is an error.
    fn halves(self) -> [Cluster; 2] {
        let Cluster { mean, channel, .. } = self;
        let is_low = |cell: &Cell| f64::from(cell.color[channel]) < mean[channel];
        let (low, high) = self.cells.into_iter().partition(is_low);
        [low, high].map(Cluster::new)
    }

    /// Returns the color of most pixels, or the mean if no color is that of most.
    #[expect(clippy::cast_possible_truncation, reason = "a mean of bytes")]
    fn color(&self) -> [u8; 3] {
        let count: f64 = self.cells.iter().map(|cell| f64::from(cell.count)).sum();
        let mut cells = self.cells.iter();
        match cells.find(|cell| f64::from(cell.count) * 2.0 > count) {
            Some(cell) => cell.color,
            None => self.mean.map(|channel| channel.round() as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(pixels: impl IntoIterator<Item = [u8; 4]>) -> Palette {
        let mut histogram = Histogram::new();
        for pixel in pixels {
            histogram.add(pixel);
        }
        histogram.into_palette()
    }

    #[test]
    fn few_colors_stay_as_they_are() {
        let gray = |number: u8| [number * 4, 255 - number, 7, 128 + number];
        let palette = palette((0..64).map(gray).chain([[9, 9, 9, 127]]));
        assert_eq!((palette.transparent, palette.channels.len()), (64, 65 * 3));
        for pixel in (0..64).map(gray) {
            let index = usize::from(palette.index(pixel));
            assert_eq!(palette.channels[3 * index..][..3], pixel[..3]);
        }
        assert_eq!(palette.index([9, 9, 9, 127]), 64);
    }

    #[test]
    fn many_colors_come_near_themselves() {
        let channels = || (0..=255).step_by(15);
        let colors = channels().flat_map(|r| channels().map(move |g| [r, g, (r ^ g) & 0x3f, 255]));
        let palette = palette(colors.clone());
        assert_eq!(palette.transparent, 255);
        for pixel in colors {
            let index = usize::from(palette.index(pixel));
            let color = &palette.channels[3 * index..][..3];
            let far = color.iter().zip(&pixel).any(|(a, b)| a.abs_diff(*b) > 20);
            assert!(!far, "{pixel:?} became {color:?}");
        }
    }

    #[test]
    fn nothing_has_a_palette() {
        assert_eq!(palette([[1, 2, 3, 0]]).index([1, 2, 3, 0]), 1);
    }
}
