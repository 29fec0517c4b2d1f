//! The format of a picture's file: by the extension of `--output`, and by `--svg`.

use std::path::Path;

use effigy_render::ImageFormat;

use super::RenderArgs;
use crate::UsageError;

impl RenderArgs {
    /// Returns the format of files whose extension the command chooses.
    pub(super) fn chosen_format(&self) -> ImageFormat {
        if self.svg {
            ImageFormat::Svg
        } else {
            ImageFormat::Png
        }
    }

    /// Returns the format of a file by its extension, if it has one.
    pub(super) fn format_of(&self, file: &Path) -> Result<ImageFormat, UsageError> {
        let moves = self.motion().is_some();
        let problem = match &*extension(file) {
            "" => return Ok(self.chosen_format()),
            "svg" | "apng" | "gif" if self.backdrop().is_some() => {
                "is not a PNG file, as --onto makes: end it in .png, or leave out --onto"
            }
            "png" if self.svg => "ends in .png: end it in .svg, or leave out --svg",
            "png" => return Ok(ImageFormat::Png),
            "svg" if moves => "ends in .svg: a moving picture is .apng or .gif",
            "svg" if self.spec().is_none() => "cannot be SVG: skin and cape are PNG files",
            "svg" => return Ok(ImageFormat::Svg),
            "apng" | "gif" if self.svg || !moves => {
                "is a moving picture: only figures, portraits and cubes move, and not as SVG"
            }
            "apng" => return Ok(ImageFormat::Png),
            "gif" => return Ok(ImageFormat::Gif),
            _ => "must end in .png or .svg, or for a moving picture in .apng or .gif",
        };
        Err(unusable_output(file, problem))
    }

    /// Returns `true` if the output has the extension of a moving picture.
    pub(super) fn has_moving_extension(&self) -> bool {
        let output = self.output.as_deref().unwrap_or(Path::new(""));
        matches!(&*extension(output), "apng" | "gif")
    }
}

/// Returns the extension of a file in lower case, or an empty text.
pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Returns the error of an output that cannot be used.
pub(super) fn unusable_output(output: &Path, problem: &str) -> UsageError {
    UsageError::new(
        "--output",
        format!("{:?} {problem}", output.to_string_lossy()),
    )
}
