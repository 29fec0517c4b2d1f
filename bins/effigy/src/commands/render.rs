//! `effigy render`: pictures to files, without a server or a database.

mod batch;
mod format;
mod inputs;
mod progress;
mod renderer;
mod spec;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use effigy_cli::RenderArgs;

use self::renderer::Renderer;
use super::{print, print_line, start_log};

/// Draws one picture, or several into a folder.
pub(crate) fn render(args: &RenderArgs) -> Result<()> {
    start_log(&args.log);
    match args.skins.as_slice() {
        [skin] if !Path::new(skin).is_dir() => one(args, skin),
        skins => batch::render(args, &inputs::expand(skins)?),
    }
}

fn one(args: &RenderArgs, skin: &str) -> Result<()> {
    let renderer = Renderer::new(args, format::of_file(args)?)?;
    let bytes = renderer.draw(skin)?;
    let path = match &args.output {
        None => PathBuf::from(renderer.file_name(skin)),
        Some(path) if is_standard_output(path) => return print(&bytes),
        Some(path) if is_folder(path) => path.join(renderer.file_name(skin)),
        Some(path) => path.clone(),
    };
    write(&path, &bytes)?;
    print_line(&format!("Wrote {}", path.display()))
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
