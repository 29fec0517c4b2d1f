//! The format of a picture, by the extension at the end of its path.

use effigy_render::ImageFormat;

use super::{operation::Rejection, url::without_extension};

/// The extensions of formats that pictures do not have, and that no name of a player ends with.
const OTHER_EXTENSIONS: [&str; 10] = [
    ".webp", ".jpg", ".jpeg", ".gif", ".avif", ".bmp", ".ico", ".jxl", ".tif", ".tiff",
];

const BAD_FORMAT: &str = "Pictures are PNG or SVG: end the path with \".png\", \".svg\" or neither";
pub(super) const BAD_ARRANGEMENT_FORMAT: &str = "Pictures of several players are PNG: end the path with \".png\" or without an \
    extension. With \".json\" it is the place of each player";

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
            assert_eq!(rejected(url), Rejection::NOT_FOUND, "{url}");
        }
        for url in ["/v1/head/.gif", "/v1/head/webp", "/head/Notch.webp"] {
            assert!(parse(url).operation.is_ok(), "{url}");
        }
    }
}
