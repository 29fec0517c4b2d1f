//! `effigy render`: pictures to files, without a server or a database.

mod batch;
mod inputs;
mod renderer;

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use effigy_cli::RenderArgs;
use effigy_render::ImageFormat;

use self::renderer::Renderer;
use super::{print, tell};
use crate::{failure::UsageError, log};

/// Draws one picture, or several into a folder.
pub(crate) fn render(args: &RenderArgs) -> Result<()> {
    log::start(&args.log, None);
    let inputs = inputs::expand(&args.inputs)?;
    match args.inputs.as_slice() {
        [input] if !Path::new(input).is_dir() => one(args, &inputs),
        _ if args.is_of_all() => one(args, &inputs),
        _ => batch::render(args, &inputs),
    }
}

fn one(args: &RenderArgs, inputs: &[String]) -> Result<()> {
    let output = args.output.as_deref();
    let file = output.filter(|path| !is_standard_output(path) && !is_folder(path));
    let renderer = Renderer::new(args, format(args, file)?)?;
    let bytes = renderer.draw(inputs)?;
    let name = || renderer.file_name(&inputs[0]);
    let path = match output {
        None => PathBuf::from(name()),
        Some(path) if is_standard_output(path) => return print(&bytes),
        Some(path) if is_folder(path) => path.join(name()),
        Some(path) => path.to_owned(),
    };
    write(&path, &bytes)?;
    tell(&format!("Wrote {}", path.display()));
    Ok(())
}

/// Returns the format by the extension of the output file, if it has one, or by the flag.
fn format(args: &RenderArgs, file: Option<&Path>) -> Result<ImageFormat, UsageError> {
    let by_flag = if args.svg {
        ImageFormat::Svg
    } else {
        ImageFormat::Png
    };
    let Some(extension) = file.and_then(Path::extension) else {
        return Ok(by_flag);
    };
    match format_of(extension) {
        Some(ImageFormat::Png) if args.svg => Err(UsageError::new(
            "--svg: the output file ends in .png; end it in .svg, or leave out --svg",
        )),
        Some(ImageFormat::Svg) if args.motion().is_some() => Err(UsageError::new(
            "--output: a moving picture is an APNG; end the file in .apng or .png",
        )),
        Some(format) => Ok(format),
        None if args.motion().is_some() && extension.eq_ignore_ascii_case("apng") => {
            Ok(ImageFormat::Png)
        }
        None => Err(UsageError::new(format!(
            "--output: pictures are PNG or SVG, not {}; end the file in .png or .svg",
            extension.display()
        ))),
    }
}

fn format_of(extension: &OsStr) -> Option<ImageFormat> {
    let mut formats = ImageFormat::ALL.iter().copied();
    formats.find(|format| extension.eq_ignore_ascii_case(format.extension()))
}

fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
