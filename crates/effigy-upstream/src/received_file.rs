//! The kinds of files that upstreams send in place of a texture.

use std::fmt;

use crate::error::Result;
use crate::{Response, Step, UpstreamError};

/// The beginning of every PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A file that an upstream has sent in place of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReceivedFile {
    /// A JPEG image.
    Jpeg,
    /// A GIF image.
    Gif,
    /// A WebP image.
    WebP,
    /// An HTML page.
    Html,
    /// JSON.
    Json,
    /// A file without content.
    Empty,
    /// Any other file that is not a PNG.
    Other,
    /// A status that means that the file does not exist or is refused: 400 to 499, except 429.
    Status(u16),
}

impl ReceivedFile {
    /// Recognizes a file that does not begin like a PNG.
    fn recognize(file: &[u8]) -> Self {
        if file.is_empty() {
            return Self::Empty;
        }
        if file.starts_with(b"\xff\xd8\xff") {
            return Self::Jpeg;
        }
        if file.starts_with(b"GIF8") {
            return Self::Gif;
        }
        if file.starts_with(b"RIFF") && file.get(8..12) == Some(b"WEBP") {
            return Self::WebP;
        }
        let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let text = text.trim_ascii_start();
        if begins_like_html(text) {
            return Self::Html;
        }
        if text.starts_with(b"{") || text.starts_with(b"[") {
            return Self::Json;
        }
        Self::Other
    }
}

impl fmt::Display for ReceivedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jpeg => f.pad("a JPEG image"),
            Self::Gif => f.pad("a GIF image"),
            Self::WebP => f.pad("a WebP image"),
            Self::Html => f.pad("an HTML page"),
            Self::Json => f.pad("a JSON document"),
            Self::Empty => f.pad("an empty file"),
            Self::Other => f.pad("a file of an unknown kind"),
            Self::Status(status) => write!(f, "status {status}"),
        }
    }
}

/// Returns the body of a response if it begins like a PNG.
pub(crate) fn png(response: Response) -> Result<Vec<u8>> {
    let received = match response.status {
        200 if response.body.starts_with(PNG_SIGNATURE) => return Ok(response.body),
        200 => ReceivedFile::recognize(&response.body),
        429 => return Err(response.failure(Step::Texture)),
        status @ 400..500 => ReceivedFile::Status(status),
        _ => return Err(response.failure(Step::Texture)),
    };
    Err(UpstreamError::BadTexture { received })
}

fn begins_like_html(text: &[u8]) -> bool {
    for tag in ["<!doctype html", "<html", "<head", "<body"] {
        if let Some(beginning) = text.get(..tag.len())
            && beginning.eq_ignore_ascii_case(tag.as_bytes())
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognized_by_their_beginning() {
        for (file, expected) in [
            (&b"\xff\xd8\xff\xe0\0\x10JFIF"[..], "a JPEG image"),
            (b"GIF89a\x01\0", "a GIF image"),
            (b"GIF87a\x01\0", "a GIF image"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
            (b"RIFF\x24\0\0\0WAVEfmt ", "a file of an unknown kind"),
            (b"<html>", "an HTML page"),
            (b"\xef\xbb\xbf \r\n<!DOCTYPE HTML>", "an HTML page"),
            (b"<!doctype html><title>x", "an HTML page"),
            (b"<svg>", "a file of an unknown kind"),
            (b" {\"error\":1}", "a JSON document"),
            (b"[]", "a JSON document"),
            (b"", "an empty file"),
            (b"\x89PNG\r\n", "a file of an unknown kind"),
            (b"\xff\xd8", "a file of an unknown kind"),
        ] {
            let received = ReceivedFile::recognize(file).to_string();
            assert_eq!(received, expected, "{file:?}");
        }
    }
}
