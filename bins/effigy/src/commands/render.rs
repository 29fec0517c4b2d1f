//! `effigy render`: pictures to files, without a server or a database.

mod inputs;
mod renderer;

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    slice,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use anyhow::{Context, Result, ensure};
use effigy_cli::RenderArgs;
use effigy_render::ImageFormat;
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use self::renderer::Renderer;
use super::{print, tell};
use crate::{failure::UsageError, log};

/// The number of pictures that are made at once. Most of the time goes into waiting for answers.
const THREADS: usize = 4;

/// Draws one picture, or several into a folder.
pub(crate) fn render(args: &RenderArgs) -> Result<()> {
    log::start(&args.log, None);
    let inputs = inputs::expand(&args.inputs)?;
    match args.inputs.as_slice() {
        [input] if !Path::new(input).is_dir() => one(args, &inputs),
        _ if args.is_of_all() => one(args, &inputs),
        _ => each(args, &inputs),
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

/// Draws the pictures of all inputs. A picture that fails is reported and does not stop the others.
fn each(args: &RenderArgs, inputs: &[String]) -> Result<()> {
    let folder = args.output.as_deref().unwrap_or(Path::new("."));
    let folder_name = folder.display();
    let is_picture = folder
        .extension()
        .is_some_and(|end| format_of(end).is_some());
    if is_standard_output(folder) || folder.is_file() || is_picture && !folder.is_dir() {
        return Err(UsageError::new(format!(
            "--output: {folder_name} is not a folder, which several pictures need; `effigy render group` draws \
             several players in one picture"
        ))
        .into());
    }
    let renderer = Renderer::new(args, format(args, None)?)?;
    let files = inputs
        .iter()
        .map(|input| folder.join(renderer.file_name(input)));
    let files: Vec<PathBuf> = files.collect();
    let mut taken = HashSet::new();
    if let Some(file) = files.iter().find(|file| !taken.insert(*file)) {
        let message = format!("two of the pictures would be written to {}", file.display());
        return Err(UsageError::new(message).into());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot write {folder_name}"))?;
    let failed = draw_all(&renderer, inputs, &files)?;
    let of = files.len();
    let written = of - failed;
    let pictures = if written == 1 { "picture" } else { "pictures" };
    tell(&format!("Wrote {written} {pictures} to {folder_name}"));
    ensure!(failed == 0, "{failed} of {of} pictures could not be made");
    Ok(())
}

/// Draws the pictures on a few threads and returns the number of failures. A terminal shows the progress.
fn draw_all(renderer: &Renderer<'_>, inputs: &[String], files: &[PathBuf]) -> Result<usize> {
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}")?;
    let progress = ProgressBar::new(files.len() as u64).with_style(style);
    let tasks = Mutex::new(inputs.iter().zip(files));
    let next = || tasks.lock().next();
    let failed = AtomicUsize::new(0);
    let work = || {
        while let Some((input, file)) = next() {
            let bytes = renderer.draw(slice::from_ref(input));
            if let Err(failure) = bytes.and_then(|bytes| write(file, &bytes)) {
                failed.fetch_add(1, Ordering::Relaxed);
                progress.suspend(|| tell(&format!("effigy: {input}: {failure:#}")));
            }
            progress.inc(1);
        }
    };
    thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(work))));
    progress.finish_and_clear();
    Ok(failed.into_inner())
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
    let is_moving = args.motion().is_some();
    let problem = match format_of(extension) {
        Some(ImageFormat::Png) if args.svg => {
            "--svg: the output file ends in .png; end it in .svg, or leave out --svg"
        }
        Some(ImageFormat::Svg) if is_moving => {
            "--output: a moving picture is an APNG; end the file in .apng or .png"
        }
        Some(format) => return Ok(format),
        None if is_moving && extension.eq_ignore_ascii_case("apng") => return Ok(ImageFormat::Png),
        None => "--output: pictures are PNG or SVG; end the file in .png or .svg",
    };
    Err(UsageError::new(problem))
}

fn format_of(extension: &OsStr) -> Option<ImageFormat> {
    let mut formats = ImageFormat::ALL.iter().copied();
    formats.find(|format| extension.eq_ignore_ascii_case(format.as_str()))
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
