//! From the path of a URL to its cleaned segments.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// A path with a malformed escape, or whose bytes are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// The segments of a path, percent-decoded and each without one trailing `.png`.
///
/// The path is split first, so that an escaped slash belongs to its segment. One slash at the
/// end makes no difference.
pub(crate) fn segments(path: &str) -> Result<Vec<Cow<'_, str>>, Malformed> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    path.split('/').map(clean).collect()
}

fn clean(segment: &str) -> Result<Cow<'_, str>, Malformed> {
    let text = decode(segment)?;
    let Some(stem) = stem_of_png(&text) else {
        return Ok(text);
    };
    Ok(match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..stem]),
        Cow::Owned(mut text) => {
            text.truncate(stem);
            Cow::Owned(text)
        }
    })
}

fn decode(segment: &str) -> Result<Cow<'_, str>, Malformed> {
    // Most have no escape, and a request should cost little.
    if !segment.contains('%') {
        return Ok(Cow::Borrowed(segment));
    }
    if !escapes_are_whole(segment.as_bytes()) {
        return Err(Malformed);
    }
    percent_decode_str(segment)
        .decode_utf8()
        .map_err(|_| Malformed)
}

/// Whether two hexadecimal digits follow every `%`. The decoder passes over those that lack them.
fn escapes_are_whole(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'%')
        .all(|(at, _)| {
            let digits = bytes.get(at + 1..at + 3);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        })
}

/// The length without a trailing `.png`, where there is one.
fn stem_of_png(text: &str) -> Option<usize> {
    let stem = text.len().checked_sub(".png".len())?;
    let suffix = text.get(stem..)?;
    suffix.eq_ignore_ascii_case(".png").then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_segments() {
        let rows: &[(&str, &[&str])] = &[
            ("/", &[""]),
            ("/head", &["head"]),
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
            assert_eq!(segments(path), Err(Malformed), "{path}");
        }
    }
}
