//! The parts of a URL: the segments of its path, the format at the end of one, and its query.

use std::{borrow::Cow, str::FromStr};

use effigy_player::ParseError;
use effigy_render::ImageFormat;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::request::Rejection;

/// The message for a malformed escape, and for bytes that are not UTF-8.
pub(super) const MALFORMED: &str = "Malformed URL";

/// The characters that are escaped in a URL: all but unreserved ones. RFC 3986, 2.3.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

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

/// Escapes a text for a URL.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
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

/// The parameters after the question mark, read as browsers write forms. Of several values of one name, the
/// first counts.
#[derive(Debug, Default)]
pub(crate) struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Parses a query.
    ///
    /// # Errors
    /// If it has a malformed escape, or text that is not UTF-8.
    pub(crate) fn parse(text: Option<&'a str>) -> Result<Self, Rejection> {
        decode(text.unwrap_or_default()).map(|_| Self::parse_lossy(text))
    }

    /// Parses a query in which an incomplete escape means itself, and invalid UTF-8 becomes replacement
    /// characters.
    pub(crate) fn parse_lossy(text: Option<&'a str>) -> Self {
        Self(form_urlencoded::parse(text.unwrap_or_default().as_bytes()).collect())
    }

    /// Returns the names of all parameters.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// Returns the value of that name. A name without a value has an empty one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|pair| pair.0 == name);
        found.map(|(_, value)| value.as_ref())
    }

    /// Reads the value of that name, without whitespace around it.
    ///
    /// # Errors
    /// If there is one that cannot be read, with what is `expected`.
    pub(super) fn read<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Rejection> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let value = read(text.trim()).map(Some);
        value.ok_or_else(|| format!("{} must be {expected}", capitalized(name)).into())
    }

    /// Reads one of the words of a type, in any letter case.
    pub(super) fn word<T: FromStr<Err = ParseError>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Rejection> {
        let text = self.get(name);
        let value = text.map(|text| text.trim().to_ascii_lowercase().parse::<T>());
        let value = value.transpose();
        value.or_else(|error| self.read(name, &quoted(&error.expected), |_| None))
    }

    /// Reads a switch. A name without a value turns it on.
    pub(super) fn switch(&self, name: &str) -> Result<Option<bool>, Rejection> {
        let expected = "\"true\" or \"false\"";
        self.read(name, expected, |text| {
            match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            }
        })
    }
}

/// Returns the whole number from `min` to `max` that a text is, in decimal digits.
pub(super) fn whole_number(text: &str, min: u32, max: u32) -> Option<u32> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_decimal)?;
    (min..=max).contains(&number).then_some(number)
}

/// Returns words in quotes as a list in English.
pub(super) fn quoted(words: &[&str]) -> String {
    list(words.iter().map(|word| format!("\"{word}\"")), "or")
}

/// Returns words as a list in English.
pub(super) fn list(words: impl Iterator<Item = String>, last: &str) -> String {
    let words: Vec<String> = words.collect();
    let (end, rest) = words.split_last().expect("there is a word");
    format!("{} {last} {end}", rest.join(", "))
}

pub(super) fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
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

    #[test]
    fn queries() {
        let rows = [
            (None, None),
            (Some(""), None),
            (Some("a"), Some("")),
            (Some("a="), Some("")),
            (Some("a=1"), Some("1")),
            (Some("a=1&a=2"), Some("1")),
            (Some("b=1&&a=2"), Some("2")),
            (Some("a=b=c"), Some("b=c")),
            (Some("a=Two+Words"), Some("Two Words")),
            (Some("a=Two%20Words%2B"), Some("Two Words+")),
            (Some("%61=x"), Some("x")),
            (Some("a=%E5%90%8D"), Some("名")),
            (Some("a=%zz%"), Some("%zz%")),
            (Some("a=%ff"), Some("\u{fffd}")),
            (Some("A=1"), None),
        ];
        for text in ["a=%zz%", "a=%ff", "a=1&%"] {
            assert!(Query::parse(Some(text)).is_err(), "{text}");
        }
        for (text, expected) in rows {
            assert_eq!(Query::parse_lossy(text).get("a"), expected, "{text:?}");
        }
    }
}
