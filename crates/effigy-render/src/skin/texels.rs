//! The texels of skins and capes.

use std::fmt;
use std::io::{self, Cursor};
use std::ops::Range;

use crate::Skin;
use crate::error::{PngError, TextureError};
use crate::model::Region;

/// Texels in rows: straight RGBA.
#[derive(Clone)]
pub(crate) struct Texels {
    pub(crate) all: Vec<[u8; 4]>,
    /// Texels per texel of a skin that is 64 wide.
    pub(crate) scale: u32,
}

impl Texels {
    /// Decodes a PNG file, which is not trusted, if its width and height pass a check.
    pub(super) fn decode(
        texture: &[u8],
        check: impl Fn([u32; 2]) -> Result<(), TextureError>,
    ) -> Result<Texels, TextureError> {
        let bytes = texture.len();
        let max = Skin::MAX_BYTES;
        if bytes > max {
            return Err(TextureError::TooLong { bytes, max });
        }
        // The memory that the decoder may allocate in addition to the pixels.
        let limits = png::Limits { bytes: 16 << 20 };
        let mut decoder = png::Decoder::new_with_limits(Cursor::new(texture), limits);
        // Only the pixels matter, and compressed text or profiles could inflate to something huge.
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let eight_bits = png::Transformations::normalize_to_color8();
        decoder.set_transformations(eight_bits | png::Transformations::ALPHA);
        let header = decoder.read_header_info().map_err(not_png)?;
        let (width, height) = (header.width, header.height);
        check([width, height])?;

        let mut reader = decoder.read_info().map_err(not_png)?;
        check_palette(reader.info()).map_err(not_png)?;
        let size = reader.output_buffer_size();
        let mut samples = vec![0; size.expect("a skin has at most 1,024 x 1,024 pixels")];
        let frame = reader.next_frame(&mut samples).map_err(not_png)?;
        samples.truncate(frame.buffer_size());
        Ok(Texels::new(to_rgba(frame.color_type, &samples), width))
    }

    /// Takes texels of a width that has been checked.
    pub(super) fn new(all: Vec<[u8; 4]>, width: u32) -> Texels {
        let scale = width / 64;
        Texels { all, scale }
    }

    /// Takes straight RGBA pixels of a width and height that have been checked.
    pub(super) fn from_rgba(
        [width, height]: [u32; 2],
        pixels: &[u8],
    ) -> Result<Texels, TextureError> {
        let bytes = pixels.len();
        let expected = width as usize * height as usize * 4;
        if bytes != expected {
            return Err(TextureError::WrongLength { bytes, expected });
        }
        Ok(Texels::new(pixels.as_chunks().0.to_vec(), width))
    }

    /// Width in texels.
    pub(crate) fn width(&self) -> usize {
        self.scale as usize * 64
    }

    /// The texels of a region, row by row.
    pub(crate) fn rows(&self, region: Region) -> impl Iterator<Item = &[[u8; 4]]> {
        self.ranges(region).map(|row| &self.all[row])
    }

    /// Calls a function with every texel of a region.
    pub(crate) fn update(&mut self, region: Region, update: impl Fn(&mut [u8; 4])) {
        for row in self.ranges(region) {
            self.all[row].iter_mut().for_each(&update);
        }
    }

    /// Copies a region of the same width and height to another place, each row reversed.
    pub(super) fn copy_mirrored(&mut self, from: Region, to: Region) {
        for (row, mirrored) in self.ranges(from).zip(self.ranges(to)) {
            self.all.copy_within(row, mirrored.start);
            self.all[mirrored].reverse();
        }
    }

    /// The places of the rows of a region.
    fn ranges(&self, region: Region) -> impl Iterator<Item = Range<usize>> + use<> {
        let [[x, y], [width, height]] = region.scaled(self.scale);
        let side = self.width();
        (y..y + height).map(move |row| {
            let start = row * side + x;
            start..start + width
        })
    }
}

impl fmt::Debug for Texels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} texels wide", self.width())
    }
}

pub(super) const fn region(at: [u32; 2], size: [u32; 2]) -> Region {
    Region { at, size }
}

/// Returns `true` if textures can be this wide.
pub(super) fn is_width(width: u32) -> bool {
    width != 0 && width.is_multiple_of(64) && width <= Skin::MAX_WIDTH
}

/// The decoder takes a palette of any length, and panics when it uses a ragged or a long one. PNG
/// specification, "PLTE Palette": its length is a multiple of 3, and it has at most 256 colors.
fn check_palette(info: &png::Info<'_>) -> Result<(), png::DecodingError> {
    let bytes = match (&info.palette, info.color_type) {
        (Some(palette), png::ColorType::Indexed) => palette.len(),
        _ => 0,
    };
    if bytes.is_multiple_of(3) && bytes <= 256 * 3 {
        return Ok(());
    }
    Err(io::Error::other(format!("a palette cannot be {bytes} bytes long")).into())
}

fn to_rgba(color: png::ColorType, samples: &[u8]) -> Vec<[u8; 4]> {
    if color != png::ColorType::GrayscaleAlpha {
        return samples.as_chunks().0.to_vec();
    }
    let pixels = samples.as_chunks().0.iter();
    pixels.map(|&[v, alpha]| [v, v, v, alpha]).collect()
}

fn not_png(error: png::DecodingError) -> TextureError {
    let source = PngError(error);
    TextureError::NotPng { source }
}
