//! PNG files: flat views with a palette of the smallest depth, all others as RGBA. GIF files.

mod apng;
mod deflate;
mod gif;
mod idat;
mod palette;
mod quantizer;
mod row_filter;

use std::io::Write;

pub(crate) use crate::encode::apng::write_apng;
use crate::encode::deflate::ZlibEncoder;
pub(crate) use crate::encode::gif::write_gif;
use crate::encode::idat::IdatWriter;
use crate::encode::palette::Palette;
use crate::encode::row_filter::RowFilter;
use crate::flat::grid::EnlargedGrid;
use crate::picture::{Drawing, Picture, Placed};
use crate::scratch::{Scratch, reserve};
use crate::{Filter, RenderError};

/// Writes a picture as a PNG file.
pub(crate) fn write_png(
    picture: &Picture<'_>,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    if let Some(Placed { at, size, drawing }) = picture.framed()
        && let Drawing::Flat(grid) = drawing
    {
        let margin = |axis: usize| [at[axis], picture.size[axis] - size[axis] - at[axis]];
        let grid = grid.enlarge(*size).with_margins([0, 1].map(margin));
        return picture.write_flat(&grid, to);
    }
    picture.write_strips(scratch, to)
}

impl Picture<'_> {
    /// Writes a flat view: with a palette if it has few colors, else as RGBA.
    fn write_flat(
        &self,
        enlarged: &EnlargedGrid<'_>,
        to: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let palette = Palette::of(&enlarged.grid);
        let pixel_bits = palette.as_ref().map_or(32, Palette::bits);
        let row_bytes = 1 + (self.width() as usize * pixel_bits).div_ceil(8);
        let zlib = ZlibEncoder::new([pixel_bits.div_ceil(8), row_bytes, 0, 0], 0);
        let mut idat = IdatWriter::new(to, self.size, palette.as_ref(), zlib)?;

        let mut row = Vec::new();
        for (texels, height) in enlarged.rows() {
            reserve(&mut row, row_bytes, 1)?;
            row.push(RowFilter::None as u8);
            match &palette {
                Some(palette) => palette.pack(texels, &mut row),
                None => texels.for_each(|(texel, width)| row.extend(texel.repeat(width as usize))),
            }
            idat.write_rows(&row, height)?;
        }
        idat.finish()
    }

    /// Returns the filter of rows of this width and the distances at which their bytes repeat, the best ones first.
    fn prediction(&self, width: u32) -> (RowFilter, [usize; 4]) {
        /// The greatest width in pixels at which rows that repeat each other are best stored as they are.
        const NARROW: u32 = 256;
        let row = 1 + width as usize * 4;
        // Isometric texel edges are upright or move two pixels sideways per row. So rows match the row above, at
        // the same place or two pixels beside it.
        let sideways = [row + 2 * 4, row.saturating_sub(2 * 4)];
        match self.scene() {
            Some(scene) if scene.camera.angles().is_some() => (RowFilter::Paeth, [1, 4, 0, 0]),
            Some(scene) if scene.filter == Filter::Area && width <= NARROW => {
                (RowFilter::None, [4, row, sideways[0], sideways[1]])
            }
            _ => (RowFilter::Up, [1, row, sideways[0], sideways[1]]),
        }
    }

    fn write_strips(&self, scratch: &mut Scratch, to: &mut dyn Write) -> Result<(), RenderError> {
        let width = self.width() as usize;
        let (filter, distances) = self.prediction(self.width());
        let bytes = (1 + width * 4).saturating_mul(self.height() as usize);
        let zlib = ZlibEncoder::new(distances, bytes);
        let mut idat = IdatWriter::new(to, self.size, None, zlib)?;
        let mut last = vec![0; width * 4];
        self.strips(scratch, |strip| {
            let mut above = &last[..];
            for row in strip.chunks_exact(width).map(<[_]>::as_flattened) {
                idat.write_filtered_row(filter, row, above);
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
