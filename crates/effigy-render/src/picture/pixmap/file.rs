//! Pixmaps of tiny-skia as PNG files.

use std::io::{BufRead, Seek};

use tiny_skia::Pixmap;

use crate::picture::pixmap::pixmap_of;
use crate::png_reader::PngReader;
use crate::{PixelLayout, PixmapError, PngError, RenderError};

/// Decodes a PNG file to a pixmap, such as a banner for
/// [`Renderer::draw_into`](crate::Renderer::draw_into). The file may have any color type, bit depth
/// and interlacing. Of an APNG file, the image that programs without animation show is decoded. The
/// colors are taken for sRGB, even if the file has a color profile.
///
/// The number of pixels is checked before any pixel is read. Each takes four bytes, and eight for a
/// moment.
///
/// # Errors
///
/// [`PixmapError`] if the bytes are no PNG, are damaged or can't be read, or if there are more than
/// `max_pixels` pixels.
pub fn decode_pixmap(file: impl BufRead + Seek, max_pixels: u32) -> Result<Pixmap, PixmapError> {
    let reader = PngReader::open(file).map_err(not_png)?;
    let [width, height] = reader.size();
    let too_large = PixmapError::TooLarge {
        width,
        height,
        max_pixels,
    };
    if u64::from(width) * u64::from(height) > u64::from(max_pixels) {
        return Err(too_large);
    }
    let mut pixels = reader.into_pixels().map_err(not_png)?;
    let layout = PixelLayout::RGBA.with_premultiplied(true);
    for pixel in &mut pixels {
        *pixel = layout.pixel(*pixel);
    }
    pixmap_of(pixels, [width, height]).ok_or(too_large)
}

/// Encodes a pixmap as a PNG file: RGB if all pixels are opaque, and RGBA otherwise. The colors of
/// translucent pixels are less exact than those of a picture that was encoded without a pixmap,
/// because a pixmap stores them multiplied by their opacity.
///
/// # Errors
///
/// [`RenderError::Write`] if the file would be too long for the format.
pub fn encode_pixmap(pixmap: Pixmap) -> Result<Vec<u8>, RenderError> {
    let width = pixmap.width();
    let height = pixmap.height();
    let opaque = pixmap.pixels().iter().all(|pixel| pixel.is_opaque());
    let rgba = pixmap.take_demultiplied();
    if opaque {
        encode(width, height, png::ColorType::Rgb, &without_alpha(&rgba))
    } else {
        encode(width, height, png::ColorType::Rgba, &rgba)
    }
}

fn without_alpha(rgba: &[u8]) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(rgba.len() / 4 * 3);
    for [r, g, b, _] in rgba.as_chunks().0 {
        rgb.extend([r, g, b]);
    }
    rgb
}

/// Compresses samples of eight bits.
fn encode(
    width: u32,
    height: u32,
    color: png::ColorType,
    samples: &[u8],
) -> Result<Vec<u8>, RenderError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(cannot_write)?;
    writer.write_image_data(samples).map_err(cannot_write)?;
    writer.finish().map_err(cannot_write)?;
    Ok(file)
}

fn not_png(source: PngError) -> PixmapError {
    PixmapError::NotPng { source }
}

fn cannot_write(error: png::EncodingError) -> RenderError {
    RenderError::write(error.into())
}
