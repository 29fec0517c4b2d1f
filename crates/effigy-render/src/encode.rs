//! Pictures to PNG files: flat views indexed in the smallest depth, the others as RGBA.

mod deflate;
mod palette;

use std::io::Write;

use crate::RenderError;
use crate::encode::deflate::{FILTER_UP, ZlibEncoder};
use crate::encode::palette::Palette;
use crate::flat::grid::Grid;
use crate::isometric::strips::Isometric;
use crate::picture::{Drawing, Picture};

/// The filter of a row whose bytes are as they are. PNG specification, "Filter types".
const UNFILTERED: u8 = 0;

/// Compressed bytes gather to chunks of at least this many.
const CHUNK_BYTES: usize = 64 << 10;

/// After so many repeated rows, what is compressed is written: there may be millions of them.
const REPEATS: u32 = 256;

impl Picture<'_> {
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
            Drawing::Flat(grid) => self.write_flat(grid, to),
            Drawing::Isometric(drawing) => self.write_isometric(drawing, to),
        }
    }

    fn write_flat(&self, grid: &Grid, to: &mut dyn Write) -> Result<(), RenderError> {
        let spread = grid.spread(&self.frame);
        let palette = Palette::of(&spread.grid);
        let mut encoder = png::Encoder::new(to, self.width(), self.height());
        match &palette {
            Some(palette) => palette.describe(&mut encoder),
            None => encoder.set_color(png::ColorType::Rgba),
        }
        let bits = palette.as_ref().map_or(32, Palette::bits);
        let row_length = 1 + (self.width() as usize * bits).div_ceil(8);
        let mut data = Data::begin(encoder, [bits.div_ceil(8), row_length, 0, 0])?;

        let mut row = Vec::new();
        for (texels, height) in spread.rows() {
            row.clear();
            row.push(UNFILTERED);
            match &palette {
                Some(palette) => palette.pack(texels, &mut row),
                None => texels.for_each(|(texel, width)| row.extend(texel.repeat(width as usize))),
            }
            data.zlib.write(row.iter().copied());
            data.repeat(&row, height - 1)?;
        }
        data.end()
    }

    fn write_isometric(
        &self,
        drawing: &Isometric<'_>,
        to: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let width = self.width() as usize;
        let mut encoder = png::Encoder::new(to, self.width(), self.height());
        encoder.set_color(png::ColorType::Rgba);
        // Borders of texels are upright, or run two pixels to the side for each row, so that they
        // repeat at these distances from row to row.
        let row = 1 + width * 4;
        let aslant = 2 * 4;
        let distances = [1, row, row + aslant, row.saturating_sub(aslant)];
        let mut data = Data::begin(encoder, distances)?;
        let mut last = vec![0; width * 4];
        data.zlib
            .reserve(row.saturating_mul(self.height() as usize));
        self.frame.strips(drawing, |strip| {
            let mut above = &last[..];
            for row in strip.chunks_exact(width).map(<[_]>::as_flattened) {
                data.zlib.write([FILTER_UP]);
                let filtered = row
                    .iter()
                    .zip(above)
                    .map(|(x, above)| x.wrapping_sub(*above));
                data.zlib.write(filtered);
                above = row;
            }
            last = above.to_vec();
            data.write_ready()
        })?;
        data.end()
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
            Drawing::Isometric(drawing) => self.frame.strips(drawing, |strip| {
                pixels.extend_from_slice(strip.as_flattened());
                Ok::<_, RenderError>(())
            })?,
            Drawing::Flat(grid) => {
                for (texels, height) in grid.spread(&self.frame).rows() {
                    let start = pixels.len();
                    texels.for_each(|(texel, width)| pixels.extend(texel.repeat(width as usize)));
                    let row = start..pixels.len();
                    (1..height).for_each(|_| pixels.extend_from_within(row.clone()));
                }
            }
        }
        Ok(pixels)
    }
}

/// The chunks of a file that hold its pixels, on their way to a writer.
struct Data<'a> {
    writer: png::Writer<&'a mut dyn Write>,
    zlib: ZlibEncoder,
}

impl<'a> Data<'a> {
    fn begin(
        encoder: png::Encoder<'_, &'a mut dyn Write>,
        distances: [usize; 4],
    ) -> Result<Data<'a>, RenderError> {
        let writer = encoder.write_header().map_err(RenderError::from_encoder)?;
        let zlib = ZlibEncoder::new(distances);
        Ok(Data { writer, zlib })
    }

    /// Appends the last row so many times more.
    fn repeat(&mut self, row: &[u8], mut times: u32) -> Result<(), RenderError> {
        while times > 0 {
            let now = times.min(REPEATS);
            self.zlib.repeat_row(row, now);
            self.write_ready()?;
            times -= now;
        }
        Ok(())
    }

    /// Writes what is compressed, once it is worth a chunk.
    fn write_ready(&mut self) -> Result<(), RenderError> {
        match self.zlib.output().len() {
            ..CHUNK_BYTES => Ok(()),
            _ => self.write_chunk(),
        }
    }

    fn write_chunk(&mut self) -> Result<(), RenderError> {
        let ready = self.zlib.output();
        let written = self.writer.write_chunk(png::chunk::IDAT, ready);
        ready.clear();
        written.map_err(RenderError::from_encoder)
    }

    fn end(mut self) -> Result<(), RenderError> {
        self.zlib.finish();
        self.write_chunk()?;
        self.writer.finish().map_err(RenderError::from_encoder)
    }
}

#[cfg(test)]
mod tests;
