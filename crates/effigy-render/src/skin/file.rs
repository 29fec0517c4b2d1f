//! The PNG files of skins and capes, which are not trusted.

use std::io::Cursor;

use crate::Skin;
use crate::error::{PngError, TextureError};
use crate::png_reader::PngReader;

/// The pixels of a file, row by row from the top left: straight RGBA.
pub(super) struct Pixels {
    pub(super) size: [u32; 2],
    pub(super) all: Vec<[u8; 4]>,
}

/// A check of a width and a height.
type Check = fn([u32; 2]) -> Result<(), TextureError>;

impl Pixels {
    /// Decodes a PNG file if its width and height pass a check. Wrong checksums of the chunks with
    /// pixels don't matter if the pixels are right, because the pixels have another checksum of
    /// their own.
    pub(super) fn decode(file: &[u8], check: Check) -> Result<Pixels, TextureError> {
        let bytes = file.len();
        let max = Skin::MAX_BYTES;
        if bytes > max {
            return Err(TextureError::TooLong { bytes, max });
        }
        let result = decode(file, check);
        if let Err(TextureError::NotPng { .. }) = result
            && let Some(mended) = mended(file)
            && let Ok(pixels) = decode(&mended, check)
        {
            return Ok(pixels);
        }
        result
    }

    /// Takes straight RGBA pixels if their width and height pass a check.
    pub(super) fn from_rgba(
        size: [u32; 2],
        pixels: &[u8],
        check: Check,
    ) -> Result<Pixels, TextureError> {
        check(size)?;
        let [width, height] = size.map(|side| side as usize);
        let bytes = pixels.len();
        let expected = width * height * 4;
        if bytes != expected {
            return Err(TextureError::WrongLength { bytes, expected });
        }
        let all = pixels.as_chunks().0.to_vec();
        Ok(Pixels { size, all })
    }
}

/// Decodes a file whose chunks have the right checksums.
fn decode(file: &[u8], check: Check) -> Result<Pixels, TextureError> {
    let reader = PngReader::open(Cursor::new(file)).map_err(not_png)?;
    let size = reader.size();
    check(size)?;
    let all = reader.into_pixels().map_err(not_png)?;
    Ok(Pixels { size, all })
}

fn not_png(source: PngError) -> TextureError {
    TextureError::NotPng { source }
}

/// Returns a file with the right checksums of its `IDAT` chunks, if a checksum is wrong but the
/// pixels are right. Some programs write such files, and the game and browsers show them.
///
/// The pixels in these chunks are a zlib stream, which ends with a checksum of its own.
fn mended(file: &[u8]) -> Option<Vec<u8>> {
    let mut mended = file.to_vec();
    let mut stream = Vec::new();
    let mut start = SIGNATURE_BYTES;
    while let Some(chunk) = file.get(start..).and_then(Chunk::first_of) {
        let end = start + chunk.length();
        if let Some(data) = chunk.kind_and_data.strip_prefix(b"IDAT") {
            stream.extend(data);
            let checksum = crc32fast::hash(chunk.kind_and_data).to_be_bytes();
            mended[end - checksum.len()..end].copy_from_slice(&checksum);
        }
        start = end;
    }
    if mended == file {
        return None;
    }
    fdeflate::decompress_to_vec_bounded(&stream, most_bytes(file)?).ok()?;
    Some(mended)
}

/// Returns the most bytes that the pixels of a file can have before their compression, or `None` if
/// no skin or cape has the width and height of the header. There are 16 bits for each of four
/// samples. Interlaced files have at most twice as many rows, each with a byte for the filter.
fn most_bytes(file: &[u8]) -> Option<usize> {
    let header = Chunk::first_of(file.get(SIGNATURE_BYTES..)?)?;
    let sides = header.kind_and_data.strip_prefix(b"IHDR")?.as_chunks().0;
    let &[width, height, ..] = sides else {
        return None;
    };
    let [width, height] = [width, height].map(u32::from_be_bytes);
    if width.max(height) > Skin::MAX_WIDTH {
        return None;
    }
    Some((8 * width as usize + 4) * height as usize)
}

/// The length of the signature with which a PNG file begins.
const SIGNATURE_BYTES: usize = 8;

/// A chunk of a PNG file: its length, its kind, its data and a checksum of kind and data.
struct Chunk<'a> {
    kind_and_data: &'a [u8],
}

impl Chunk<'_> {
    /// Returns the chunk at the start of some bytes, if it is whole.
    fn first_of(bytes: &[u8]) -> Option<Chunk<'_>> {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (kind_and_data, rest) = rest.split_at_checked(length.checked_add(4)?)?;
        let _checksum: &[u8; 4] = rest.first_chunk()?;
        Some(Chunk { kind_and_data })
    }

    /// The number of bytes of the whole chunk in the file.
    fn length(&self) -> usize {
        4 + self.kind_and_data.len() + 4
    }
}
