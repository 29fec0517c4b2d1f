//! PNG files: flat views with a palette of the smallest depth, isometric ones as RGBA.

mod deflate;
mod idat;
mod palette;

use std::io::Write;

use crate::encode::idat::{IdatWriter, SharedWriter};
use crate::encode::palette::Palette;
use crate::flat::grid::EnlargedGrid;
use crate::picture::{Drawing, Picture};
use crate::{ImageFormat, RenderError};

impl Picture<'_> {
    /// The picture as a file.
    ///
    /// # Errors
    ///
    /// Those of [`Picture::write`].
    pub fn encode(&self, format: ImageFormat) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write(format, &mut file)?;
        Ok(file)
    }

    /// Writes the picture as a file. If the writer fails, drawing stops.
    ///
    /// # Errors
    ///
    /// Those of [`Picture::write_png`] or [`Picture::write_svg`].
    pub fn write(&self, format: ImageFormat, to: &mut dyn Write) -> Result<(), RenderError> {
        match format {
            ImageFormat::Png => self.write_png(to),
            ImageFormat::Svg => self.write_svg(to),
        }
    }

    /// Returns the picture as a PNG file.
    ///
    /// # Errors
    ///
    /// [`RenderError::OutOfMemory`] if the picture does not fit into memory.
    pub fn encode_png(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Png)
    }

    /// Writes the picture as a PNG file, row by row. If the writer fails, drawing stops.
    ///
    /// The writer is flushed after each strip of rows, so it can stop a drawing that has nothing to
    /// write: a thousand empty rows compress to a few bytes.
    ///
    /// # Errors
    ///
    /// [`RenderError::Write`] with the writer's error.
    pub fn write_png(&self, to: &mut dyn Write) -> Result<(), RenderError> {
        match self.enlarged_grid() {
            Some(grid) => self.write_flat(&grid, to),
            None => self.write_strips(to),
        }
    }

    /// The texels of a flat view, with those of its frame.
    fn enlarged_grid(&self) -> Option<EnlargedGrid<'_>> {
        match &self.drawing {
            Drawing::Flat(grid) => Some(grid.enlarge(self.size)),
            Drawing::Scene(_) => None,
            Drawing::Composed(composition) => {
                let placed = composition.framed()?;
                let grid = placed.picture.enlarged_grid()?;
                let margins = [0, 1].map(|axis| {
                    let before = placed.at[axis];
                    [before, self.size[axis] - placed.picture.size[axis] - before]
                });
                Some(grid.with_margins(margins))
            }
        }
    }

    /// Writes a flat view: with a palette if it has few colors, else as RGBA.
    fn write_flat(
        &self,
        enlarged: &EnlargedGrid<'_>,
        to: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let palette = Palette::of(&enlarged.grid);
        let to = SharedWriter::new(to);
        let mut encoder = png::Encoder::new(to.clone(), self.width(), self.height());
        match &palette {
            Some(palette) => palette.configure(&mut encoder),
            None => encoder.set_color(png::ColorType::Rgba),
        }
        let pixel_bits = palette.as_ref().map_or(32, Palette::bits);
        let row_bytes = 1 + (self.width() as usize * pixel_bits).div_ceil(8);
        let mut idat = IdatWriter::new(encoder, to, [pixel_bits.div_ceil(8), row_bytes, 0, 0])?;

        let mut row = Vec::new();
        for (texels, height) in enlarged.rows() {
            row.clear();
            match &palette {
                Some(palette) => palette.pack(texels, &mut row),
                None => texels.for_each(|(texel, width)| row.extend(texel.repeat(width as usize))),
            }
            idat.write_rows(&row, height)?;
        }
        idat.finish()
    }

    fn write_strips(&self, to: &mut dyn Write) -> Result<(), RenderError> {
        let width = self.width() as usize;
        let to = SharedWriter::new(to);
        let mut encoder = png::Encoder::new(to.clone(), self.width(), self.height());
        encoder.set_color(png::ColorType::Rgba);
        // Texel edges are vertical or move two pixels sideways per row. So rows match the row above,
        // at the same place or two pixels beside it.
        let row_bytes = 1 + width * 4;
        let slope_bytes = 2 * 4;
        let distances = [
            1,
            row_bytes,
            row_bytes + slope_bytes,
            row_bytes.saturating_sub(slope_bytes),
        ];
        let mut idat = IdatWriter::new(encoder, to, distances)?;
        idat.reserve(row_bytes.saturating_mul(self.height() as usize));
        let mut last = vec![0; width * 4];
        self.strips(|strip| {
            let mut above = &last[..];
            for row in strip.chunks_exact(width).map(<[_]>::as_flattened) {
                idat.write_filtered_row(row, above);
                above = row;
            }
            last = above.to_vec();
            idat.write_full_chunk()
        })?;
        idat.finish()
    }
}

#[cfg(test)]
mod tests;
