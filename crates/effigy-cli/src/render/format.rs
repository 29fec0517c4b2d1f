//! The format of a picture's file: by the extension of `--output`, and by `--svg` and `--gif`.

use std::path::Path;

use effigy_render::ImageFormat;

use super::RenderArgs;
use crate::UsageError;

impl RenderArgs {
    /// Returns the format of files whose extension the command chooses.
    pub(super) fn chosen_format(&self) -> ImageFormat {
        if self.svg {
            ImageFormat::Svg
        } else if self.gif {
            ImageFormat::Gif
        } else {
            ImageFormat::Png
        }
    }

    /// Returns the format of the file that is the output, by its extension if it has one. The error
    /// is the problem of the extension.
    pub(super) fn format_of_output(&self) -> Result<ImageFormat, &'static str> {
        let extension = &*self.output_extension();
        if self.backdrop().is_some() && matches!(extension, "svg" | "apng" | "gif") {
            return Err("is not a PNG file, as --onto makes: end it in .png, or leave out --onto");
        }
        match extension {
            "" => Ok(self.chosen_format()),
            "png" => self.check_png().map(|()| ImageFormat::Png),
            "svg" => self.check_svg().map(|()| ImageFormat::Svg),
            // APNG is PNG with further frames.
            "apng" => self.check_apng().map(|()| ImageFormat::Png),
            "gif" => self.check_moving_file().map(|()| ImageFormat::Gif),
            _ => Err("must end in .png or .svg, or for a moving picture in .apng or .gif"),
        }
    }

    /// Checks that no flag contradicts the extension `.png`, which a moving picture may have, too.
    fn check_png(&self) -> Result<(), &'static str> {
        if self.svg {
            return Err("ends in .png: end it in .svg, or leave out --svg");
        }
        if self.gif {
            return Err("ends in .png: end it in .gif, or leave out --gif");
        }
        Ok(())
    }

    /// Checks that the picture can be SVG.
    fn check_svg(&self) -> Result<(), &'static str> {
        if self.motion().is_some() {
            return Err("ends in .svg: a moving picture is .apng or .gif");
        }
        if self.spec().is_none() {
            return Err("cannot be SVG: skin and cape are PNG files");
        }
        Ok(())
    }

    /// Checks that the picture moves, and that no flag contradicts the extension `.apng`.
    fn check_apng(&self) -> Result<(), &'static str> {
        if self.gif {
            return Err("ends in .apng: end it in .gif, or leave out --gif");
        }
        self.check_moving_file()
    }

    /// Checks that the picture moves.
    fn check_moving_file(&self) -> Result<(), &'static str> {
        if self.svg || self.motion().is_none() {
            return Err(
                "is a moving picture: only figures, portraits and cubes move, and not as SVG",
            );
        }
        Ok(())
    }

    /// Returns `true` if the format is one of moving pictures.
    pub(super) fn asks_for_moving_file(&self) -> bool {
        self.gif || matches!(&*self.output_extension(), "apng" | "gif")
    }

    /// Returns the extension of the output in lower case, or an empty text.
    fn output_extension(&self) -> String {
        match &self.output {
            Some(output) => extension(output),
            None => String::new(),
        }
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
