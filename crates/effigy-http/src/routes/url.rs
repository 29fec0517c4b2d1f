//! The segments of a URL's path.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::operation::Rejection;

/// The message for a malformed escape, and for bytes that are not UTF-8.
pub(super) const MALFORMED: &str = "Malformed URL";

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
}
