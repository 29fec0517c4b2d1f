//! Pictures to PNG files: flat views indexed in the smallest depth, the others as RGBA.

use std::io::Write;

use crate::RenderError;
use crate::render::{Drawing, Grid, Render, texel_under};
use crate::strips::Isometric;

impl Render<'_> {
    /// The picture as a PNG file.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] where the picture does not fit.
    pub fn encode_png(&self) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write_png(&mut file)?;
        Ok(file)
    }

    /// Writes the picture as a PNG file, row by row. When the writer fails, drawing stops.
    ///
    /// # Errors
    ///
    /// [`RenderError::Write`] with what the writer said.
    pub fn write_png(&self, to: &mut dyn Write) -> Result<(), RenderError> {
        match &self.drawing {
            Drawing::Flat(grid) => self.write_flat(grid, to).map_err(RenderError::from_encoder),
            Drawing::Isometric(drawing) => self.write_isometric(drawing, to),
        }
    }

    fn write_flat(&self, grid: &Grid, to: &mut dyn Write) -> Result<(), png::EncodingError> {
        let palette = Palette::of(grid);
        let mut encoder = png::Encoder::new(to, self.width(), self.height());
        encoder.set_compression(png::Compression::Balanced);
        // A row like the one above becomes zeros.
        encoder.set_filter(png::Filter::Up);
        match &palette {
            Some(palette) => palette.describe(&mut encoder),
            None => {
                encoder.set_color(png::ColorType::Rgba);
                encoder.set_depth(png::BitDepth::Eight);
            }
        }
        let mut writer = encoder.write_header()?;
        let mut rows = writer.stream_writer()?;
        let columns: Vec<usize> = (0..self.width())
            .map(|x| texel_under(x, self.width(), grid.columns))
            .collect();
        let mut line = Vec::new();
        let mut drawn = None;
        for y in 0..self.height() {
            let row = texel_under(y, self.height(), grid.rows);
            if drawn != Some(row) {
                drawn = Some(row);
                let texels = grid.row(row);
                line.clear();
                match &palette {
                    Some(palette) => palette.pack(texels, &columns, &mut line),
                    None => line.extend(columns.iter().flat_map(|&x| texels[x])),
                }
            }
            rows.write_all(&line)?;
        }
        rows.finish()
    }

    fn write_isometric(
        &self,
        drawing: &Isometric<'_>,
        to: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let mut encoder = png::Encoder::new(to, self.width(), self.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::Filter::Up);
        let mut writer = encoder.write_header().map_err(RenderError::from_encoder)?;
        let mut rows = writer.stream_writer().map_err(RenderError::from_encoder)?;
        drawing.strips(|strip| {
            rows.write_all(strip.as_flattened())
                .map_err(|source| RenderError::Write { source })
        })?;
        rows.finish().map_err(RenderError::from_encoder)
    }

    /// The picture's pixels: straight RGBA, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] where the picture does not fit.
    pub fn to_rgba(&self) -> Result<Vec<u8>, RenderError> {
        let (width, height) = (self.width(), self.height());
        let mut pixels = Vec::new();
        pixels
            .try_reserve_exact(width as usize * height as usize * 4)
            .map_err(|_| RenderError::OutOfMemory { width, height })?;
        match &self.drawing {
            Drawing::Isometric(drawing) => drawing.strips(|strip| {
                pixels.extend_from_slice(strip.as_flattened());
                Ok::<_, RenderError>(())
            })?,
            Drawing::Flat(grid) => {
                for y in 0..height {
                    let row = grid.row(texel_under(y, height, grid.rows));
                    let texels = (0..width).flat_map(|x| row[texel_under(x, width, grid.columns)]);
                    pixels.extend(texels);
                }
            }
        }
        Ok(pixels)
    }
}

/// The colours of a flat picture, transparent ones first so that their list can be short.
struct Palette {
    colors: Vec<[u8; 4]>,
    depth: png::BitDepth,
}

impl Palette {
    /// The palette of a grid, or `None` where it has too many colours for one.
    fn of(grid: &Grid) -> Option<Palette> {
        let mut colors: Vec<[u8; 4]> = grid.texels.clone();
        colors.sort_unstable_by_key(|&[r, g, b, a]| (a, r, g, b));
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

    fn describe<W: Write>(&self, encoder: &mut png::Encoder<'_, W>) {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(self.depth);
        let rgb: Vec<u8> = self
            .colors
            .iter()
            .flat_map(|&[r, g, b, _]| [r, g, b])
            .collect();
        encoder.set_palette(rgb);
        let alphas = self.colors.iter().map(|color| color[3]);
        let alphas: Vec<u8> = alphas.take_while(|&alpha| alpha < 255).collect();
        if !alphas.is_empty() {
            encoder.set_trns(alphas);
        }
    }

    /// Packs one row of pixels, leftmost pixel in the high bits.
    fn pack(&self, texels: &[[u8; 4]], columns: &[usize], line: &mut Vec<u8>) {
        let indices: Vec<u8> = texels.iter().map(|texel| self.index(*texel)).collect();
        let bits = self.depth as usize;
        for pixels in columns.chunks(8 / bits) {
            let byte = pixels.iter().enumerate().fold(0, |byte, (i, &column)| {
                byte | indices[column] << (8 - bits * (i + 1))
            });
            line.push(byte);
        }
    }

    fn index(&self, texel: [u8; 4]) -> u8 {
        let [r, g, b, a] = texel;
        let found = self
            .colors
            .binary_search_by_key(&(a, r, g, b), |&[r, g, b, a]| (a, r, g, b));
        found.ok().and_then(|i| u8::try_from(i).ok()).unwrap_or(0)
    }
}
