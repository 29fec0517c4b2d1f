//! Reading PNG files, which are not trusted.

use std::io::{self, BufRead, Seek};

use crate::PngError;

/// The memory that the decoder may allocate in addition to the pixels, in bytes.
const DECODER_BYTES: usize = 16 << 20;

/// A PNG file whose header has been read.
pub(crate) struct PngReader<R: BufRead + Seek> {
    decoder: png::Decoder<R>,
    size: [u32; 2],
}

impl<R: BufRead + Seek> PngReader<R> {
    /// Reads the header of a file.
    pub(crate) fn open(file: R) -> Result<PngReader<R>, PngError> {
        let limits = png::Limits {
            bytes: DECODER_BYTES,
        };
        let mut decoder = png::Decoder::new_with_limits(file, limits);
        // Only the pixels matter, and compressed text or profiles could inflate to something huge.
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let eight_bits = png::Transformations::normalize_to_color8();
        decoder.set_transformations(eight_bits | png::Transformations::ALPHA);
        let header = decoder.read_header_info().map_err(PngError)?;
        let size = [header.width, header.height];
        Ok(PngReader { decoder, size })
    }

    /// The width and the height.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Reads the pixels of the first image, row by row from the top left: straight RGBA. The caller
    /// has to check the size before, because each pixel takes eight bytes of memory for a moment.
    pub(crate) fn into_pixels(self) -> Result<Vec<[u8; 4]>, PngError> {
        let mut reader = self.decoder.read_info().map_err(PngError)?;
        check_palette(reader.info())?;
        let bytes = reader.output_buffer_size();
        let mut samples = vec![0; bytes.expect("the caller has checked the size")];
        let frame = reader.next_frame(&mut samples).map_err(PngError)?;
        samples.truncate(frame.buffer_size());
        Ok(to_rgba(frame.color_type, &samples))
    }
}

/// The decoder takes a palette of any length, and panics when it uses a ragged or a long one. PNG
/// specification, "PLTE Palette": its length is a multiple of 3, and it has at most 256 colors.
fn check_palette(info: &png::Info<'_>) -> Result<(), PngError> {
    let bytes = match (&info.palette, info.color_type) {
        (Some(palette), png::ColorType::Indexed) => palette.len(),
        _ => 0,
    };
    if bytes.is_multiple_of(3) && bytes <= 256 * 3 {
        return Ok(());
    }
    let problem = io::Error::other(format!("a palette cannot be {bytes} bytes long"));
    Err(PngError(problem.into()))
}

fn to_rgba(color: png::ColorType, samples: &[u8]) -> Vec<[u8; 4]> {
    if color != png::ColorType::GrayscaleAlpha {
        return samples.as_chunks().0.to_vec();
    }
    let pixels = samples.as_chunks().0.iter();
    pixels.map(|&[v, alpha]| [v, v, v, alpha]).collect()
}
