//! `effigy render`: pictures to files, without a server or a database.

mod batch;
mod progress;
mod renderer;
mod spec;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use effigy_render::ImageFormat;

use self::renderer::Renderer;
use super::{print, print_line, start_log};
use crate::cli::RenderArgs;

/// Draws one picture, or several into a folder.
pub(crate) fn render(args: &RenderArgs) -> Result<()> {
    start_log(&args.log);
    match args.skins.as_slice() {
        [skin] => one(args, skin),
        skins => batch::render(args, skins),
    }
}

fn one(args: &RenderArgs, skin: &str) -> Result<()> {
    let format = match &args.output {
        Some(path) if has_extension(path, ImageFormat::Svg.extension()) => ImageFormat::Svg,
        _ => format(args),
    };
    let renderer = Renderer::new(args, format)?;
    let bytes = renderer.draw(skin)?;
    let path = match &args.output {
        None => PathBuf::from(renderer.file_name(skin)),
        Some(path) if path == Path::new("-") => return print(&bytes),
        Some(path) if is_folder(path) => path.join(renderer.file_name(skin)),
        Some(path) => path.clone(),
    };
    write(&path, &bytes)?;
    print_line(&format!("Wrote {}", path.display()))
}

/// Returns the format that the flags request.
fn format(args: &RenderArgs) -> ImageFormat {
    if args.svg {
        ImageFormat::Svg
    } else {
        ImageFormat::Png
    }
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
