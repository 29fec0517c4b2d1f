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

/// The segments of a path. A hit allocates nothing for them.
type Segments<T> = SmallVec<[T; 8]>;

/// Returns `true` for the prefixes of paths that people put behind a URL, in any letter case.
fn is_prefix(word: &str) -> bool {
    word.eq_ignore_ascii_case("v1") || Family::find(word).is_some()
}

/// Returns `true` for a path below one of our own words, or of another service's.
pub(super) fn is_beyond_specification(path: &str) -> bool {
    let path = path.trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    is_prefix(first) || first.eq_ignore_ascii_case("preview")
}

/// Splits a path into segments, and percent-decodes each. The first one, always a fixed
/// word, becomes lower case.
///
/// An escaped slash belongs to its segment. One slash at the end of the path is ignored. Behind a
/// prefix, a placeholder such as `%uuid%` is no malformed escape.
pub(super) fn segments(path: &str) -> Parsed<Segments<Cow<'_, str>>> {
    // The request line may contain a host or `*` instead of a path.
    let path = path.strip_prefix('/').ok_or(Rejection::NOT_FOUND)?;
    // Those who put a path behind a URL that ends with a slash have two, also after a prefix.
    let path = path.trim_start_matches('/');
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut segments: Segments<Cow<'_, str>> = Segments::new();
    for text in path.split('/') {
        let is_lenient = segments.first().is_some_and(|first| is_prefix(first));
        let segment = match decode(text) {
            Err(_) if is_lenient && is_raw_placeholder(text) => Cow::Borrowed(text),
            decoded => decoded?,
        };
        segments.push(segment);
    }
    if segments[0].bytes().any(|byte| byte.is_ascii_uppercase()) {
        segments[0].to_mut().make_ascii_lowercase();
    }
    if segments.len() > 2 && segments[1].is_empty() && is_prefix(&segments[0]) {
        segments.remove(1);
    }
    Ok(segments)
}

/// Returns `true` for a placeholder between percent signs that is not escaped, such as
/// `%player_uuid%`, perhaps with a dot in front or an extension behind it. Its percent signs are no
/// escapes, because nothing that is escaped ends with one.
pub(super) fn is_raw_placeholder(text: &str) -> bool {
    let text = text.strip_prefix('.').unwrap_or(text);
    let Some((name, rest)) = text
        .strip_prefix('%')
        .and_then(|rest| rest.rsplit_once('%'))
    else {
        return false;
    };
    let is_extension = rest.is_empty() || rest.starts_with('.');
    is_extension && !name.contains('%')
}

/// Removes one `.png` from the end of each segment but the first, which names no picture.
pub(super) fn without_png<'a>(segments: &'a [Cow<'_, str>]) -> Segments<&'a str> {
    let mut segments: Segments<&str> = segments.iter().map(AsRef::as_ref).collect();
    for text in &mut segments[1..] {
        *text = without_extension(text, ".png").unwrap_or(text);
    }
    segments
}

pub(super) fn decode(text: &str) -> Parsed<Cow<'_, str>> {
    // Most texts have no escape, and a cache hit should cost little.
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    // Two hexadecimal digits follow every `%`. The decoder accepts others as they are.
    let mut escapes = text.split('%').skip(1).map(str::as_bytes);
    let is_complete =
        |escape: &[u8]| escape.len() >= 2 && escape[..2].iter().all(u8::is_ascii_hexdigit);
    let decoded = percent_decode_str(text).decode_utf8();
    let decoded = decoded.ok().filter(|_| escapes.all(is_complete));
    decoded.ok_or_else(|| Rejection::bad_request(MALFORMED))
}

/// Escapes a text for a URL.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ("//head/Notch", &["head", "Notch"]),
            ("//", &[""]),
            // One trailing `.png` of any letter case is removed from each segment.
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
            assert_eq!(&without_png(&found)[..], *expected, "{path}");
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
            let expected = Err(Rejection::bad_request(MALFORMED));
            assert_eq!(segments(path), expected, "{path}");
        }
    }

    #[test]
    fn placeholders_are_no_malformed_escapes_behind_a_prefix() {
        let rows: [(&str, &[&str]); 5] = [
            ("/v1/face/%uuid%", &["v1", "face", "%uuid%"]),
            ("/V1/face/%face%.png", &["v1", "face", "%face%"]),
            ("/v1/face/.%name%.svg", &["v1", "face", ".%name%.svg"]),
            (
                "/minotar/helm/%name%/64",
                &["minotar", "helm", "%name%", "64"],
            ),
            ("/v1/face/{uuid}", &["v1", "face", "{uuid}"]),
        ];
        for (path, expected) in rows {
            let found = segments(path).unwrap();
            assert_eq!(&without_png(&found)[..], expected, "{path}");
        }
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
}
