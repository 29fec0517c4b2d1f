//! The chunks of PNG and APNG files. PNG specification, "Datastream structure".

use std::io::Write;
use std::ops::Range;

use crate::RenderError;
use crate::encode::deflate::ZlibEncoder;
use crate::encode::palette::PngPalette;
use crate::encode::row_filter::RowFilter;
use crate::scratch::reserve;

/// Compresses rows and writes them as chunks.
pub(super) struct PngWriter<'a> {
    to: &'a mut dyn Write,
    zlib: ZlibEncoder,
    /// The row above the next one, without its filter.
    above: Vec<u8>,
    /// The number of the next chunk of an animation.
    sequence: u32,
}

/// The least length of a chunk before the last one.
const CHUNK_BYTES: usize = 64 << 10;

/// The number of repeated rows after which finished chunks are written. A picture may have
/// millions.
const MAX_REPEATS: u32 = 256;

impl<'a> PngWriter<'a> {
    /// Writes the header of a file: of pixels with these colors, or of straight RGBA.
    pub(super) fn new(
        to: &'a mut dyn Write,
        size: [u32; 2],
        palette: Option<&PngPalette>,
    ) -> Result<PngWriter<'a>, RenderError> {
        let mut file = PngWriter {
            to,
            zlib: ZlibEncoder::new([0; 4], 0, 0)?,
            above: Vec::new(),
            sequence: 0,
        };
        file.write_all(b"\x89PNG\r\n\x1a\n")?;
        // The types of PNG images: 3 has a palette, 6 is RGBA.
        let [depth, kind] = match palette {
            Some(palette) => [palette.bits, 3],
            None => [8, 6],
        };
        let mut header = size.map(u32::to_be_bytes).concat();
        // The methods of compression and filters, and no interlacing.
        header.extend([depth, kind, 0, 0, 0]);
        file.write_chunk(*b"IHDR", &header)?;
        if let Some(palette) = palette {
            file.write_chunk(*b"PLTE", &palette.rgb())?;
            let alphas = palette.alphas();
            if !alphas.is_empty() {
                file.write_chunk(*b"tRNS", &alphas)?;
            }
        }
        Ok(file)
    }

    /// Announces this many frames, which are repeated for ever.
    pub(super) fn write_frame_count(&mut self, frames: u32) -> Result<(), RenderError> {
        self.write_chunk(*b"acTL", &[frames, 0].map(u32::to_be_bytes).concat())
    }

    /// Describes the next image as a frame: its columns and rows, and the numerator and denominator
    /// of its seconds.
    pub(super) fn write_frame_control(
        &mut self,
        [columns, rows]: &[Range<usize>; 2],
        delay: [u16; 2],
    ) -> Result<(), RenderError> {
        let mut control = self.take_number().to_vec();
        for length in [columns.len(), rows.len(), columns.start, rows.start] {
            let pixels = u32::try_from(length).expect("a part of a picture");
            control.extend(pixels.to_be_bytes());
        }
        control.extend(delay.map(u16::to_be_bytes).as_flattened());
        // The frame stays, and replaces the pixels below it.
        control.extend([0, 0]);
        self.write_chunk(*b"fcTL", &control)
    }

    /// Begins an image whose bytes repeat at these distances, with `rows` rows of `row_bytes` bytes
    /// each. More bytes are possible, but need more memory later.
    pub(super) fn begin_image(
        &mut self,
        distances: [usize; 4],
        row_bytes: usize,
        rows: usize,
    ) -> Result<(), RenderError> {
        self.zlib = ZlibEncoder::new(distances, row_bytes, rows)?;
        reserve(&mut self.above, row_bytes, 1)
    }

    /// Writes one row as differences from a prediction.
    pub(super) fn write_row(&mut self, filter: RowFilter, row: &[u8]) {
        // The row above the first one is all zeros.
        self.above.resize(row.len(), 0);
        self.zlib
            .write(|buffer| filter.append(row, &self.above, buffer));
        self.above.copy_from_slice(row);
    }

    /// Repeats the last row, which has no filter.
    pub(super) fn repeat_row(&mut self, times: u32) -> Result<(), RenderError> {
        let mut left = times;
        while left > 0 {
            let repeats = left.min(MAX_REPEATS);
            self.zlib.repeat_row(1 + self.above.len(), repeats);
            self.write_full_data()?;
            left -= repeats;
        }
        Ok(())
    }

    /// Writes compressed rows if there are enough for a chunk, and flushes the writer.
    pub(super) fn write_full_data(&mut self) -> Result<(), RenderError> {
        self.write_data(CHUNK_BYTES)
    }

    /// Ends an image.
    pub(super) fn end_image(&mut self) -> Result<(), RenderError> {
        self.zlib.finish();
        self.write_data(0)
    }

    /// Ends the file, and flushes the writer.
    pub(super) fn finish(mut self) -> Result<(), RenderError> {
        self.write_chunk(*b"IEND", &[])?;
        self.to.flush().map_err(RenderError::write)
    }

    /// Writes compressed rows if there are this many bytes, and flushes the writer.
    fn write_data(&mut self, least: usize) -> Result<(), RenderError> {
        if self.zlib.output().len() >= least {
            let mut data = std::mem::take(self.zlib.output());
            // The control of the first frame has the number 0. The rows of all later frames are
            // numbered, too.
            let is_later_frame = self.sequence > 1;
            if is_later_frame {
                data.splice(0..0, self.take_number());
                self.write_chunk(*b"fdAT", &data)?;
            } else {
                self.write_chunk(*b"IDAT", &data)?;
            }
        }
        self.to.flush().map_err(RenderError::write)
    }

    fn take_number(&mut self) -> [u8; 4] {
        let number = self.sequence.to_be_bytes();
        self.sequence += 1;
        number
    }

    fn write_chunk(&mut self, kind: [u8; 4], data: &[u8]) -> Result<(), RenderError> {
        let length = u32::try_from(data.len()).expect("a chunk is a part of a file");
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&kind);
        checksum.update(data);
        self.write_all(&length.to_be_bytes())?;
        self.write_all(&kind)?;
        self.write_all(data)?;
        self.write_all(&checksum.finalize().to_be_bytes())
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), RenderError> {
        self.to.write_all(bytes).map_err(RenderError::write)
    }
}
