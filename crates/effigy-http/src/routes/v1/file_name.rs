//! Segments of a path that name a file, and the formats that their extensions select.

use effigy_parameters::find_view;
use effigy_render::{ImageFormat, View};

use crate::routes::{
    path::{FileName, without_extension},
    rejection::{Parsed, Rejection},
};

/// The extensions of formats that pictures do not have, and that no player's name ends with.
const OTHER_EXTENSIONS: [&str; 11] = [
    ".webp", ".jpg", ".jpeg", ".apng", ".gif", ".avif", ".bmp", ".ico", ".jxl", ".tif", ".tiff",
];

/// The formats of moving pictures.
const MOVING_FORMATS: [(&str, ImageFormat); 2] =
    [(".apng", ImageFormat::Png), (".gif", ImageFormat::Gif)];

pub(super) const BAD_FORMAT: &str = "Pictures are PNG or SVG: end the path with \".png\", \".svg\" \
    or neither. Figures, portraits and cubes of players can move: end theirs with \".apng\" or \
    \".gif\"";

/// A picture whose path names the view and the format, but no player.
pub(super) struct ViewFile {
    pub(super) view: View,
    pub(super) format: ImageFormat,
    pub(super) moves: bool,
}

impl ViewFile {
    /// Parses a segment such as `figure.gif`.
    pub(super) fn parse(segment: &str) -> Option<Self> {
        let moving = moving(segment);
        let file = moving.unwrap_or_else(|| FileName::of_still(segment));
        Some(Self {
            view: find_view(file.stem)?,
            format: file.format,
            moves: moving.is_some(),
        })
    }
}

/// Splits the extension of a moving picture from a segment, if it has one. `.apng` alone is the
/// gamertag of a Bedrock player.
pub(super) fn moving(segment: &str) -> Option<FileName<'_>> {
    let text = segment.trim();
    for (extension, format) in MOVING_FORMATS {
        if let Some(stem) = without_extension(text, extension)
            && !stem.is_empty()
        {
            return Some(FileName { stem, format });
        }
    }
    None
}

/// Splits the extension of a still picture from a segment, which may be empty.
///
/// # Errors
/// If the extension is of a format that pictures do not have.
pub(super) fn still(segment: &str) -> Parsed<FileName<'_>> {
    Ok(FileName::of_still(checked(segment)?))
}

/// Returns a segment that names a PNG file, without whitespace around it.
///
/// # Errors
/// If its extension is of another format.
pub(super) fn png(segment: &str) -> Parsed<&str> {
    let file = still(segment)?;
    if file.format != ImageFormat::Png {
        return Err(Rejection::bad_request("Skins and capes are PNG files"));
    }
    Ok(file.stem)
}

/// Checks the extension of a segment, and returns the segment without whitespace around it. `.gif`
/// alone is the gamertag of a Bedrock player.
///
/// # Errors
/// If the extension is of a format that pictures do not have.
pub(super) fn checked(segment: &str) -> Parsed<&str> {
    let text = segment.trim();
    for extension in OTHER_EXTENSIONS {
        if without_extension(text, extension).is_some_and(|stem| !stem.is_empty()) {
            return Err(Rejection::bad_request(BAD_FORMAT));
        }
    }
    Ok(text)
}

/// Returns a segment without whitespace around it, which is often copied together with a name.
///
/// # Errors
/// If nothing is left.
pub(super) fn trimmed(segment: &str) -> Parsed<&str> {
    match segment.trim() {
        "" => Err(Rejection::NOT_FOUND),
        text => Ok(text),
    }
}
