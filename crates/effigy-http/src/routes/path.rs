//! The segments of a path, percent-encoding, and the extensions of segments.

use std::borrow::Cow;

use effigy_parameters::Family;
use effigy_render::ImageFormat;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use smallvec::SmallVec;

use super::rejection::{Parsed, Rejection};

/// The message for a malformed escape, and for bytes that are not UTF-8.
const MALFORMED: &str = "Malformed URL";

/// The characters that are escaped in a URL: all but unreserved ones. RFC 3986, 2.3.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The path and the query of a URL, as they were sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Url<'a> {
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
}

/// The segments of a path. Most paths have few, which take no memory of their own.
type Segments<T> = SmallVec<[T; 8]>;

/// Splits a path into segments, and percent-decodes each. The first one, always a fixed word,
/// becomes lower case.
///
/// An escaped slash belongs to its segment. One slash at the end of the path is ignored. Behind a
/// prefix, a placeholder such as `%uuid%` may stand for a segment.
///
/// # Errors
/// If the URL has no path, or a segment can't be decoded.
pub(super) fn segments(path: &str) -> Parsed<Segments<Cow<'_, str>>> {
    // The request line may contain a host or `*` instead of a path.
    let path = path.strip_prefix('/').ok_or(Rejection::NOT_FOUND)?;
    // A path that was appended to a URL with a slash at its end begins with two.
    let path = path.trim_start_matches('/');
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut segments: Segments<Cow<'_, str>> = Segments::new();
    for text in path.split('/') {
        let behind_prefix = segments.first().is_some_and(|first| is_prefix(first));
        let segment = if behind_prefix {
            decode_or_placeholder(text)?
        } else {
            decode(text)?
        };
        segments.push(segment);
    }
    if segments[0].bytes().any(|byte| byte.is_ascii_uppercase()) {
        segments[0].to_mut().make_ascii_lowercase();
    }
    // If a path was appended to the URL of a prefix with a slash at its end, the second segment is
    // empty.
    if segments.len() > 2 && segments[1].is_empty() && is_prefix(&segments[0]) {
        segments.remove(1);
    }
    Ok(segments)
}

/// Returns `true` for a path below one of our own words, or of another service's.
pub(super) fn is_beyond_specification(path: &str) -> bool {
    let path = path.trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    is_prefix(first) || first.eq_ignore_ascii_case("preview")
}

/// Returns `true` for `v1` and the words of families, in any letter case.
fn is_prefix(word: &str) -> bool {
    word.eq_ignore_ascii_case("v1") || Family::find(word).is_some()
}

/// Removes one `.png` from the end of each segment but the first, which is a fixed word.
pub(super) fn without_png<'a>(segments: &'a [Cow<'_, str>]) -> Segments<&'a str> {
    let mut segments: Segments<&str> = segments.iter().map(AsRef::as_ref).collect();
    for text in &mut segments[1..] {
        *text = without_extension(text, ".png").unwrap_or(text);
    }
    segments
}

/// Decodes percent-encoded UTF-8.
///
/// # Errors
/// If an escape is malformed, or the bytes are not UTF-8.
pub(super) fn decode(text: &str) -> Parsed<Cow<'_, str>> {
    // Most texts have no escape, and a cache hit should cost little.
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    // The decoder leaves malformed escapes as they are.
    if !has_complete_escapes(text) {
        return Err(Rejection::bad_request(MALFORMED));
    }
    match percent_decode_str(text).decode_utf8() {
        Ok(decoded) => Ok(decoded),
        Err(_) => Err(Rejection::bad_request(MALFORMED)),
    }
}

/// Returns `true` if two hexadecimal digits follow every percent sign.
fn has_complete_escapes(text: &str) -> bool {
    let mut escapes = text.split('%').skip(1).map(str::as_bytes);
    escapes.all(
        |escape| matches!(escape, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()),
    )
}

fn decode_or_placeholder(text: &str) -> Parsed<Cow<'_, str>> {
    let decoded = decode(text);
    if decoded.is_err() && is_raw_placeholder(text) {
        return Ok(Cow::Borrowed(text));
    }
    decoded
}

/// Returns `true` for a placeholder between percent signs, such as `%player_uuid%`. A dot may stand
/// in front of it and an extension behind it. No escaped text ends with a percent sign, so it can't
/// be confused with one.
pub(super) fn is_raw_placeholder(text: &str) -> bool {
    let text = text.strip_prefix('.').unwrap_or(text);
    let Some(after_first) = text.strip_prefix('%') else {
        return false;
    };
    let Some((name, extension)) = after_first.rsplit_once('%') else {
        return false;
    };
    !name.contains('%') && (extension.is_empty() || extension.starts_with('.'))
}

/// Escapes a text for a URL.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// Removes an extension in any letter case. Returns `None` if the text does not end with it.
pub(super) fn without_extension<'a>(text: &'a str, extension: &str) -> Option<&'a str> {
    let length = text.len().checked_sub(extension.len())?;
    let (stem, end) = text.split_at_checked(length)?;
    if end.eq_ignore_ascii_case(extension) {
        Some(stem)
    } else {
        None
    }
}

/// A segment whose extension selects the format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileName<'a> {
    pub(super) stem: &'a str,
    pub(super) format: ImageFormat,
}

impl<'a> FileName<'a> {
    /// Splits `.svg` from a segment. Without it, the format is PNG.
    pub(super) fn of_still(segment: &'a str) -> Self {
        match without_extension(segment, ".svg") {
            Some(stem) => Self {
                stem,
                format: ImageFormat::Svg,
            },
            None => Self {
                stem: segment,
                format: ImageFormat::Png,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts the segments of paths, without `.png`.
    #[track_caller]
    fn check(rows: &[(&str, &[&str])]) {
        for (path, expected) in rows {
            let found = segments(path).unwrap();
            assert_eq!(&without_png(&found)[..], *expected, "{path}");
        }
    }

    #[test]
    fn first_segment_is_in_lower_case() {
        check(&[
            ("/", &[""]),
            ("/head", &["head"]),
            ("/HEAD/Notch", &["head", "Notch"]),
        ]);
    }

    #[test]
    fn extra_slashes_at_the_begin_and_one_at_the_end_are_ignored() {
        check(&[
            ("/head/", &["head"]),
            ("/head/Notch/", &["head", "Notch"]),
            ("/head/Notch//", &["head", "Notch", ""]),
            ("/head//64", &["head", "", "64"]),
            ("//head/Notch", &["head", "Notch"]),
            ("//", &[""]),
            ("/v1//face/Notch", &["v1", "face", "Notch"]),
            ("/v1//", &["v1", ""]),
        ]);
    }

    #[test]
    fn one_png_is_removed_from_each_segment_but_the_first() {
        check(&[
            ("/head/Notch/64.png", &["head", "Notch", "64"]),
            ("/head/Notch.png", &["head", "Notch"]),
            (
                "/head/Notch.PNG/64/hat.Png",
                &["head", "Notch", "64", "hat"],
            ),
            ("/head/Notch.png.png", &["head", "Notch.png"]),
            ("/head/.png", &["head", ""]),
            ("/metrics.png", &["metrics.png"]),
            ("/head/png", &["head", "png"]),
            ("/head/Notch.jpg", &["head", "Notch.jpg"]),
            ("/head/Notch%2Epng", &["head", "Notch"]),
            ("/head/é.png", &["head", "é"]),
        ]);
    }

    #[test]
    fn segments_are_decoded_after_they_are_split() {
        check(&[
            ("/head/.Two%20Words", &["head", ".Two Words"]),
            ("/head/%E5%90%8D%E5%89%8D", &["head", "名前"]),
            ("/head/名前", &["head", "名前"]),
            ("/head/a%2Fb", &["head", "a/b"]),
            ("/head/a%2fb/64", &["head", "a/b", "64"]),
            ("/head/%2e%2e", &["head", ".."]),
            ("/head/%00", &["head", "\0"]),
            ("/head/a%25b", &["head", "a%b"]),
            ("/head/a+b", &["head", "a+b"]),
        ]);
    }

    #[test]
    fn malformed_escapes_and_invalid_utf8_are_rejected() {
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
            let expected = Err(Rejection::bad_request(MALFORMED));
            assert_eq!(segments(path), expected, "{path}");
        }
    }

    #[test]
    fn raw_placeholders_may_follow_a_prefix() {
        check(&[
            ("/v1/face/%uuid%", &["v1", "face", "%uuid%"]),
            ("/V1/face/%face%.png", &["v1", "face", "%face%"]),
            ("/v1/face/.%name%.svg", &["v1", "face", ".%name%.svg"]),
            (
                "/minotar/helm/%name%/64",
                &["minotar", "helm", "%name%", "64"],
            ),
            ("/v1/face/{uuid}", &["v1", "face", "{uuid}"]),
        ]);
    }

    #[test]
    fn other_percent_signs_are_malformed_escapes() {
        for path in [
            "/head/%uuid%",
            "/v1/face/a%uuid%",
            "/v1/face/%a%b%",
            "/v1/face/%uuid%x",
            "/v1/face/%",
            "/%v1%/face",
        ] {
            let expected = Err(Rejection::bad_request(MALFORMED));
            assert_eq!(segments(path), expected, "{path}");
        }
    }

    #[test]
    fn svg_extension_selects_the_format() {
        let png = ImageFormat::Png;
        let svg = ImageFormat::Svg;
        let rows = [
            ("Notch", "Notch", png),
            ("Notch.svg", "Notch", svg),
            ("Notch.SVG", "Notch", svg),
            (".Tag.svg", ".Tag", svg),
            ("Notch.svg.svg", "Notch.svg", svg),
            ("Notch.jpg", "Notch.jpg", png),
            (".svg", "", svg),
            ("svg", "svg", png),
            ("aé名", "aé名", png),
            ("", "", png),
        ];
        for (segment, stem, format) in rows {
            let expected = FileName { stem, format };
            assert_eq!(FileName::of_still(segment), expected, "{segment}");
        }
    }
}
