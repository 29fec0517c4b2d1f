//! Pixmaps as PNG files.

use std::io::Cursor;

use effigy_render::tiny_skia::{Color, ColorU8, Pixmap, PremultipliedColorU8};
use effigy_render::{PixmapError, decode_pixmap, encode_pixmap};
use fixtures::{Image, broken, encodings};

fn decode(file: &[u8], max_pixels: u32) -> Result<Pixmap, PixmapError> {
    decode_pixmap(Cursor::new(file), max_pixels)
}

/// Returns the colors of a straight picture as pixmaps store them.
fn premultiplied(image: &Image) -> Vec<PremultipliedColorU8> {
    let pixels = image.rgba.as_chunks().0.iter();
    let colors = pixels.map(|&[r, g, b, alpha]| ColorU8::from_rgba(r, g, b, alpha));
    colors.map(|color| color.premultiply()).collect()
}

/// Returns the color type in the header of a PNG file: 2 is RGB, and 6 is RGBA.
fn color_type(file: &[u8]) -> u8 {
    file[25]
}

#[test]
fn every_encoding_is_decoded() {
    for encoding in encodings() {
        let pixmap = decode(encoding.png, 256 * 128).unwrap();
        let expected = premultiplied(&encoding.expected);
        assert!(pixmap.pixels() == expected, "{}", encoding.name);
    }
}

#[test]
fn damaged_files_are_refused() {
    for name in [
        "empty",
        "html",
        "truncated in idat",
        "bad crc",
        "half a color in plte",
    ] {
        let mut files = broken().into_iter();
        let (_, file) = files.find(|(other, _)| *other == name).unwrap();
        let error = decode(&file, 64 * 64).unwrap_err();
        assert!(
            matches!(error, PixmapError::NotPng { .. }),
            "{name}: {error}"
        );
    }
}

#[test]
fn larger_files_than_allowed_are_refused() {
    let file = Image::new(10, 7).encode();
    assert!(decode(&file, 70).is_ok());
    let error = decode(&file, 69).unwrap_err();
    let expected = "10 x 7 pixels are too large; a picture may have 69 pixels";
    assert_eq!(error.to_string(), expected);
}

/// A file of a few bytes must not make the decoder reserve gigabytes.
#[test]
fn size_is_checked_before_the_pixels() {
    let mut files = broken().into_iter();
    let (_, huge) = files.find(|(name, _)| *name == "30000x30000").unwrap();
    let error = decode(&huge, 1000).unwrap_err();
    assert!(matches!(error, PixmapError::TooLarge { .. }), "{error}");
}

#[test]
fn opaque_pixmaps_are_written_as_rgb() {
    let mut pixmap = Pixmap::new(5, 3).unwrap();
    pixmap.fill(Color::from_rgba8(12, 200, 7, 255));
    let file = encode_pixmap(pixmap.clone()).unwrap();
    assert_eq!(color_type(&file), 2);
    assert!(decode(&file, 15).unwrap() == pixmap);
}

#[test]
fn translucent_pixmaps_are_written_as_rgba() {
    let mut pixmap = Pixmap::new(5, 3).unwrap();
    pixmap.fill(Color::from_rgba8(12, 200, 7, 255));
    pixmap.pixels_mut()[4] = ColorU8::from_rgba(255, 51, 0, 100).premultiply();
    let file = encode_pixmap(pixmap).unwrap();
    assert_eq!(color_type(&file), 6);
    let image = Image::decode(&file).unwrap();
    assert_eq!(image.pixel(0, 0), [12, 200, 7, 255]);
    assert_eq!(image.pixel(4, 0), [255, 51, 0, 100]);
}
