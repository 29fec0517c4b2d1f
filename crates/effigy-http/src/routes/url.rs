//! The segments of a URL's path, and the format at the end of one.

use std::borrow::Cow;

use effigy_render::ImageFormat;
use percent_encoding::percent_decode_str;

use super::request::Rejection;

/// The message for a malformed escape, and for bytes that are not UTF-8.
pub(super) const MALFORMED: &str = "Malformed URL";

/// The extensions of formats that pictures do not have, and that no name of a player ends with.
const OTHER_EXTENSIONS: [&str; 10] = [
    ".webp", ".jpg", ".jpeg", ".gif", ".avif", ".bmp", ".ico", ".jxl", ".tif", ".tiff",
];

const BAD_FORMAT: &str = "Pictures are PNG or SVG: end the path with \".png\", \".svg\" or neither";
pub(super) const BAD_ARRANGEMENT_FORMAT: &str = "Pictures of several players are PNG: end the path with \".png\" or without an \
    extension. With \".json\" it is the place of each player";

/// Splits a path into segments, percent-decodes each and removes one `.png` from its end. The first one,
/// always a fixed word, becomes lower case.
///
/// An escaped slash belongs to its segment. One slash at the end of the path is ignored.
pub(super) fn segments(path: &str) -> Result<Vec<Cow<'_, str>>, Rejection> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut segments: Vec<_> = path.split('/').map(clean).collect::<Result<_, _>>()?;
    if segments[0].bytes().any(|byte| byte.is_ascii_uppercase()) {
        segments[0].to_mut().make_ascii_lowercase();
    }
    Ok(segments)
}

fn clean(segment: &str) -> Result<Cow<'_, str>, Rejection> {
    Ok(match decode(segment)? {
        Cow::Borrowed(text) => Cow::Borrowed(without_extension(text, ".png").unwrap_or(text)),
        Cow::Owned(text) => match without_extension(&text, ".png") {
            Some(stem) => Cow::Owned(stem.to_owned()),
            None => Cow::Owned(text),
        },
    })
}

pub(super) fn decode(text: &str) -> Result<Cow<'_, str>, Rejection> {
    // Most texts have no escape, and a cache hit should cost little.
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    if !escapes_are_complete(text.as_bytes()) {
        return Err(MALFORMED.into());
    }
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map_err(|_| MALFORMED.into())
}

/// Checks that two hexadecimal digits follow every `%`. The decoder accepts others as they are.
fn escapes_are_complete(bytes: &[u8]) -> bool {
    let mut pieces = bytes.split(|byte| *byte == b'%').skip(1);
    pieces.all(|piece| piece.len() >= 2 && piece[..2].iter().all(u8::is_ascii_hexdigit))
}

/// Removes an extension in any letter case. Returns nothing if the text does not end with it.
pub(super) fn without_extension<'a>(text: &'a str, extension: &str) -> Option<&'a str> {
    let (stem, end) = text.split_at_checked(text.len().checked_sub(extension.len())?)?;
    end.eq_ignore_ascii_case(extension).then_some(stem)
}

/// Splits the extension `.svg` from a segment, which selects the format.
pub(super) fn split_format(segment: &str) -> (&str, ImageFormat) {
    match without_extension(segment, ".svg") {
        Some(stem) => (stem, ImageFormat::Svg),
        None => (segment, ImageFormat::Png),
    }
}

/// Checks that a segment does not end with the extension of another format. `.gif` alone is the
/// gamertag of a Bedrock player.
pub(super) fn reject_other_formats(segment: &str) -> Result<&str, Rejection> {
    let mut stems = OTHER_EXTENSIONS
        .iter()
        .filter_map(|extension| without_extension(segment, extension));
    match stems.any(|stem| !stem.is_empty()) {
        true => Err(BAD_FORMAT.into()),
        false => Ok(segment),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::tests::{parse, rejected};

    #[test]
    fn paths_become_segments() {
        let rows: &[(&str, &[&str])] = &[
            ("/", &[""]),
            ("/head", &["head"]),
            ("/HEAD/Notch", &["head", "Notch"]),
            ("/head/", &["head"]),
            ("/head/Notch", &["head", "Notch"]),
            ("/head/Notch/", &["head", "Notch"]),
            ("/head/Notch//", &["head", "Notch", ""]),
            ("/head//64", &["head", "", "64"]),
            // One trailing `.png` of any letter case is removed from each segment.
            ("/head/Notch/64.png", &["head", "Notch", "64"]),
            ("/head/Notch.png", &["head", "Notch"]),
            (
                "/head/Notch.PNG/64/hat.Png",
                &["head", "Notch", "64", "hat"],
            ),
            ("/head/Notch.png.png", &["head", "Notch.png"]),
            ("/head/.png", &["head", ""]),
            ("/head/png", &["head", "png"]),
            ("/head/Notch.jpg", &["head", "Notch.jpg"]),
            ("/head/Notch%2Epng", &["head", "Notch"]),
            // Escapes are UTF-8, and an escaped slash belongs to its segment.
            ("/head/.Two%20Words", &["head", ".Two Words"]),
            ("/head/%E5%90%8D%E5%89%8D", &["head", "名前"]),
            ("/head/名前", &["head", "名前"]),
            ("/head/é.png", &["head", "é"]),
            ("/head/a%2Fb", &["head", "a/b"]),
            ("/head/a%2fb/64", &["head", "a/b", "64"]),
            ("/head/%2e%2e", &["head", ".."]),
            ("/head/%00", &["head", "\0"]),
            ("/head/a%25b", &["head", "a%b"]),
            ("/head/a+b", &["head", "a+b"]),
        ];
        for (path, expected) in rows {
            let found = segments(path).unwrap();
            assert_eq!(found, *expected, "{path}");
        }
    }

    #[test]
    fn malformed_escapes_and_bytes_are_refused() {
        let rows = [
            "/head/%",
            "/head/%2",
            "/head/%zz",
            "/head/%2/x",
            "/head/a%G0b",
            "/head/%%20",
            "/head/%ff",
            "/head/%C3",
            "/head/%C3%28",
            "/head/%ED%A0%80",
            "/head/x/%FF",
            "/%zz",
        ];
        for path in rows {
            assert_eq!(segments(path), Err(MALFORMED.into()), "{path}");
        }
    }

    #[test]
    fn extensions() {
        let (png, svg) = (ImageFormat::Png, ImageFormat::Svg);
        let rows = [
            ("Notch", ("Notch", png)),
            ("Notch.svg", ("Notch", svg)),
            ("Notch.SVG", ("Notch", svg)),
            (".Tag.svg", (".Tag", svg)),
            ("Notch.svg.svg", ("Notch.svg", svg)),
            ("Notch.jpg", ("Notch.jpg", png)),
            (".svg", ("", svg)),
            ("svg", ("svg", png)),
            ("aé名", ("aé名", png)),
            ("", ("", png)),
        ];
        for (segment, expected) in rows {
            assert_eq!(split_format(segment), expected, "{segment}");
        }
    }

    #[test]
    fn other_formats_are_errors() {
        let hash = "ab".repeat(32);
        let rows = [
            ("/v1/head/Notch.webp", BAD_FORMAT),
            ("/v1/head/Notch.JPG?size=64", BAD_FORMAT),
            ("/v1/figure/.Tag.jpeg", BAD_FORMAT),
            ("/v1/cape/Notch.gif", BAD_FORMAT),
            (&format!("/v1/texture/{hash}.avif"), BAD_FORMAT),
            (&format!("/v1/texture/{hash}/head.webp"), BAD_FORMAT),
            ("/v1/preview/head.webp", BAD_FORMAT),
            ("/v1/group.webp?players=a", BAD_ARRANGEMENT_FORMAT),
            ("/V1/Sheet.svg?players=a", BAD_ARRANGEMENT_FORMAT),
        ];
        for (url, reason) in rows {
            assert_eq!(rejected(url), reason.into(), "{url}");
        }
        for url in ["/v1/back/Notch.webp", "/v1/groups.webp", "/group.webp"] {
            assert_eq!(rejected(url).status, 404, "{url}");
        }
        for url in ["/v1/head/.gif", "/v1/head/webp", "/head/Notch.webp"] {
            assert!(parse(url).operation.is_ok(), "{url}");
        }
    }
}
