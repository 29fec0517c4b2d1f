//! PNG files to straight RGBA texels. The bytes are not trusted.

use std::io::{self, Cursor};

use crate::Skin;
use crate::error::{PngError, TextureError};
use crate::skin::texels::Texels;

/// Decodes a file if its width and height pass a check.
pub(super) fn decode(
    texture: &[u8],
    check: impl Fn([u32; 2]) -> Result<(), TextureError>,
) -> Result<Texels, TextureError> {
    let (bytes, max) = (texture.len(), Skin::MAX_BYTES);
    if bytes > max {
        return Err(TextureError::TooLong { bytes, max });
    }
    // The memory that the decoder may allocate in addition to the pixels.
    let bytes = 16 << 20;
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(texture), png::Limits { bytes });
    // Only the pixels matter, and compressed text or profiles could inflate to something huge.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let header = decoder.read_header_info().map_err(not_png)?;
    let (width, height) = (header.width, header.height);
    check([width, height])?;

    let mut reader = decoder.read_info().map_err(not_png)?;
    check_palette(reader.info()).map_err(not_png)?;
    let bytes = reader.output_buffer_size();
    let mut samples = vec![0; bytes.expect("a skin has at most 1,024 x 1,024 pixels")];
    let frame = reader.next_frame(&mut samples).map_err(not_png)?;
    samples.truncate(frame.buffer_size());
    Ok(Texels::new(to_rgba(frame.color_type, &samples), width))
}

/// The decoder takes a palette of any length, and panics when it uses a ragged or a long one. PNG
/// specification, "PLTE Palette": its length is a multiple of 3, and it has at most 256 colors.
fn check_palette(info: &png::Info<'_>) -> Result<(), png::DecodingError> {
    let bytes = match (&info.palette, info.color_type) {
        (Some(palette), png::ColorType::Indexed) => palette.len(),
        _ => 0,
    };
    match bytes.is_multiple_of(3) && bytes <= 256 * 3 {
        true => Ok(()),
        false => Err(io::Error::other(format!("a palette cannot be {bytes} bytes long")).into()),
    }
}

fn to_rgba(color: png::ColorType, samples: &[u8]) -> Vec<[u8; 4]> {
    match color {
        png::ColorType::GrayscaleAlpha => {
            let pixels = samples.as_chunks().0.iter();
            pixels.map(|&[v, alpha]| [v, v, v, alpha]).collect()
        }
        _ => samples.as_chunks().0.to_vec(),
    }
}

fn not_png(error: png::DecodingError) -> TextureError {
    let source = PngError(error);
    TextureError::NotPng { source }
}
