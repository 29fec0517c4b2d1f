//! The format of a picture, by its file's extension or by a flag.

use std::path::Path;

use effigy_cli::RenderArgs;
use effigy_render::ImageFormat;

use super::{is_folder, is_standard_output};
use crate::failure::ExitError;

/// Returns the format of the only picture: that of the output file's extension, else that of the flags.
pub(super) fn of_file(args: &RenderArgs) -> Result<ImageFormat, ExitError> {
    let file = args.output.as_deref();
    let file = file.filter(|path| !is_standard_output(path) && !is_folder(path));
    let Some(extension) = file.and_then(Path::extension) else {
        return Ok(of_flags(args));
    };
    let extension = extension.to_string_lossy().to_lowercase();
    let mut formats = ImageFormat::ALL.into_iter();
    match formats.find(|format| format.extension() == extension) {
        Some(ImageFormat::Png) if args.svg => Err(ExitError::usage(
            "--svg: the output file ends in .png; end it in .svg, or leave out --svg",
        )),
        Some(format) => Ok(format),
        None => Err(ExitError::usage(format!(
            "--output: pictures are PNG or SVG, not {extension:?}; end the file in .png or .svg"
        ))),
    }
}

/// Returns the format that the flags request.
pub(super) fn of_flags(args: &RenderArgs) -> ImageFormat {
    if args.svg {
        ImageFormat::Svg
    } else {
        ImageFormat::Png
    }
}
