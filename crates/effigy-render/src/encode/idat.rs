//! The IDAT chunks of a PNG file, which hold its compressed rows, and the chunks of an APNG file's frames.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crate::RenderError;
use crate::encode::deflate::ZlibEncoder;
use crate::encode::palette::Palette;
use crate::encode::row_filter::RowFilter;

/// Compresses rows and writes them as chunks.
pub(crate) struct IdatWriter<'a> {
    writer: png::Writer<SharedWriter<'a>>,
    to: SharedWriter<'a>,
    zlib: ZlibEncoder,
    /// The number of the next chunk of an animation.
    sequence: u32,
    /// `true` from the second frame on, whose rows are numbered.
    is_numbered: bool,
}

/// A writer that can be flushed while the PNG encoder owns it.
#[derive(Clone)]
struct SharedWriter<'a>(Rc<RefCell<&'a mut dyn Write>>);

impl Write for SharedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// The least length of a chunk before the last one.
const CHUNK_BYTES: usize = 64 << 10;

/// The number of repeated rows after which finished chunks are written. A picture may have millions.
const MAX_REPEATS: u32 = 256;

impl<'a> IdatWriter<'a> {
    /// Writes the header of a file: of pixels with these colors, or of straight RGBA.
    pub(crate) fn new(
        to: &'a mut dyn Write,
        [width, height]: [u32; 2],
        palette: Option<&Palette>,
        zlib: ZlibEncoder,
    ) -> Result<IdatWriter<'a>, RenderError> {
        let to = SharedWriter(Rc::new(RefCell::new(to)));
        let mut encoder = png::Encoder::new(to.clone(), width, height);
        match palette {
            Some(palette) => palette.configure(&mut encoder),
            None => encoder.set_color(png::ColorType::Rgba),
        }
        let writer = encoder.write_header().map_err(RenderError::from_encoder)?;
        Ok(IdatWriter {
            writer,
            to,
            zlib,
            sequence: 0,
            is_numbered: false,
        })
    }

    /// Writes the header of a file with this many frames of straight RGBA, which are repeated for ever.
    pub(crate) fn animated(
        to: &'a mut dyn Write,
        size: [u32; 2],
        frames: u32,
    ) -> Result<IdatWriter<'a>, RenderError> {
        let mut idat = IdatWriter::new(to, size, None, ZlibEncoder::new([0; 4], 0))?;
        idat.chunk(
            png::chunk::acTL,
            &[frames, 0].map(u32::to_be_bytes).concat(),
        )?;
        Ok(idat)
    }

    /// Begins a frame: its width, height and position, and the numerator and denominator of its seconds. It replaces the
    /// pixels of the last one.
    pub(crate) fn begin_frame(
        &mut self,
        rectangle: [u32; 4],
        delay: [u16; 2],
        zlib: ZlibEncoder,
    ) -> Result<(), RenderError> {
        let mut control = self.take_number().to_vec();
        control.extend(rectangle.map(u32::to_be_bytes).as_flattened());
        control.extend(delay.map(u16::to_be_bytes).as_flattened());
        control.extend([0, 0]);
        self.zlib = zlib;
        self.chunk(png::chunk::fcTL, &control)
    }

    /// Ends a frame.
    pub(crate) fn end_frame(&mut self) -> Result<(), RenderError> {
        self.zlib.finish();
        self.write_chunk()?;
        self.is_numbered = true;
        self.to.flush().map_err(RenderError::write)
    }

    /// Writes one row, which begins with its filter, `times` times.
    pub(crate) fn write_rows(&mut self, row: &[u8], times: u32) -> Result<(), RenderError> {
        self.zlib.write(row);
        let mut left = times - 1;
        while left > 0 {
            let now = left.min(MAX_REPEATS);
            self.zlib.repeat_row(row, now);
            self.write_full_chunk()?;
            left -= now;
        }
        Ok(())
    }

    /// Writes one row as differences from a prediction.
    pub(crate) fn write_filtered_row(&mut self, filter: RowFilter, row: &[u8], above: &[u8]) {
        self.zlib
            .write_with(|buffer| filter.append(row, above, buffer));
    }

    /// Writes a chunk if there is enough for one, and flushes the writer.
    pub(crate) fn write_full_chunk(&mut self) -> Result<(), RenderError> {
        if self.zlib.output().len() >= CHUNK_BYTES {
            self.write_chunk()?;
        }
        self.to.flush().map_err(RenderError::write)
    }

    /// Writes the last chunk and ends the file.
    pub(crate) fn finish(mut self) -> Result<(), RenderError> {
        self.zlib.finish();
        self.write_chunk()?;
        self.end_file()
    }

    /// Ends the file.
    pub(crate) fn end_file(self) -> Result<(), RenderError> {
        self.writer.finish().map_err(RenderError::from_encoder)
    }

    fn write_chunk(&mut self) -> Result<(), RenderError> {
        let mut compressed = std::mem::take(self.zlib.output());
        let kind = match self.is_numbered {
            true => {
                compressed.splice(0..0, self.take_number());
                png::chunk::fdAT
            }
            false => png::chunk::IDAT,
        };
        self.chunk(kind, &compressed)?;
        compressed.clear();
        *self.zlib.output() = compressed;
        Ok(())
    }

    fn take_number(&mut self) -> [u8; 4] {
        let number = self.sequence.to_be_bytes();
        self.sequence += 1;
        number
    }

    fn chunk(&mut self, kind: png::chunk::ChunkType, bytes: &[u8]) -> Result<(), RenderError> {
        let written = self.writer.write_chunk(kind, bytes);
        written.map_err(RenderError::from_encoder)
    }
}
