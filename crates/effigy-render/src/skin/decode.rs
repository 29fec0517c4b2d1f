//! PNG bytes to straight RGBA texels, trusting nothing.

use std::io::{self, Cursor};

use crate::error::PngError;
use crate::{Skin, SkinError};

/// A decoded texture, always as high as wide: the lower half of a legacy one is transparent.
pub(crate) struct Picture {
    pub(crate) texels: Vec<[u8; 4]>,
    pub(crate) width: u32,
    pub(crate) legacy: bool,
}

/// The widest skin, in texels.
const MAX_WIDTH: u32 = 1024;

/// What the PNG decoder may allocate for one texture beside the pixels.
const DECODER_BYTES: usize = 16 << 20;

/// Decodes a texture whose header is that of a skin.
pub(crate) fn decode(texture: &[u8]) -> Result<Picture, SkinError> {
    if texture.len() > Skin::MAX_BYTES {
        return Err(SkinError::TooLong {
            bytes: texture.len(),
            max: Skin::MAX_BYTES,
        });
    }
    let mut decoder = png::Decoder::new_with_limits(
        Cursor::new(texture),
        png::Limits {
            bytes: DECODER_BYTES,
        },
    );
    // Nothing but the pixels matters, and compressed text or profiles could be bombs.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(not_png)?;
    let (width, height) = (header.width, header.height);
    check_dimensions(width, height)?;

    let mut reader = decoder.read_info().map_err(not_png)?;
    check_palette(reader.info()).map_err(not_png)?;
    let mut samples = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let frame = reader.next_frame(&mut samples).map_err(not_png)?;
    samples.truncate(frame.buffer_size());
    let mut texels = to_rgba(frame.color_type, &samples);
    let side = width as usize;
    texels.resize(side * side, [0; 4]);
    Ok(Picture {
        texels,
        width,
        legacy: height != width,
    })
}

fn check_dimensions(width: u32, height: u32) -> Result<(), SkinError> {
    let wide = width != 0 && width.is_multiple_of(64) && width <= MAX_WIDTH;
    if wide && (height == width || height == width / 2) {
        return Ok(());
    }
    Err(SkinError::Dimensions { width, height })
}

/// The decoder takes a palette of any length, and panics when it uses a ragged or a long one. PNG
/// specification, "PLTE Palette": its length is a multiple of 3, and it has at most 256 colours.
fn check_palette(info: &png::Info<'_>) -> Result<(), png::DecodingError> {
    let bytes = match (&info.palette, info.color_type) {
        (Some(palette), png::ColorType::Indexed) => palette.len(),
        _ => 0,
    };
    if bytes.is_multiple_of(3) && bytes <= 256 * 3 {
        return Ok(());
    }
    let what = format!("a palette cannot be {bytes} bytes long");
    let error = io::Error::new(io::ErrorKind::InvalidData, what);
    Err(png::DecodingError::IoError(error))
}

fn to_rgba(color: png::ColorType, samples: &[u8]) -> Vec<[u8; 4]> {
    use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    match color {
        Grayscale => pixels(samples, |[v]| [v, v, v, 255]),
        GrayscaleAlpha => pixels(samples, |[v, alpha]| [v, v, v, alpha]),
        Rgb => pixels(samples, |[r, g, b]| [r, g, b, 255]),
        Rgba => pixels(samples, |pixel| pixel),
        Indexed => unreachable!("the decoder expands palettes"),
    }
}

fn pixels<const N: usize>(samples: &[u8], rgba: impl Fn([u8; N]) -> [u8; 4]) -> Vec<[u8; 4]> {
    samples.as_chunks().0.iter().copied().map(rgba).collect()
}

fn not_png(error: png::DecodingError) -> SkinError {
    SkinError::NotPng {
        source: PngError(error),
    }
}
