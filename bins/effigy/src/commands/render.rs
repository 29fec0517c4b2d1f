//! `effigy render`: pictures to files, without a server or a database.

mod inputs;
mod renderer;

use std::{collections::BTreeMap, fs, path::Path, slice, thread};

use anyhow::{Context, Result, ensure};
use effigy_cli::RenderArgs;
use effigy_render::ImageFormat;
use effigy_upstream::ConfigError;
use indicatif::{ProgressBar, ProgressStyle};

use self::{inputs::extension, renderer::Renderer};
use crate::log;
use crate::output::{print, print_error};

/// The number of pictures that are made at once. Most of the time goes into waiting for answers.
const THREADS: usize = 4;

const NO_FOLDER: &str = "is not a folder, which several pictures need; `effigy render group` draws several \
                         players in one picture";

/// The output that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Draws one picture, or several into a folder.
pub(crate) fn run(args: &RenderArgs) -> Result<()> {
    log::start(&args.log, None);
    let inputs = inputs::expand(&args.inputs)?;
    match args.inputs.as_slice() {
        [input] if !Path::new(input).is_dir() => one(args, &inputs),
        _ if args.is_of_all() => one(args, &inputs),
        _ => each(args, &inputs),
    }
}

fn one(args: &RenderArgs, inputs: &[String]) -> Result<()> {
    // Without a name, the file is in the current folder.
    let output = args.output.as_deref().unwrap_or(Path::new(""));
    let name = output.to_string_lossy();
    let is_folder = output.is_dir() || name.is_empty() || name.ends_with('/');
    let renderer = Renderer::new(args, format(args, (!is_folder).then_some(output))?)?;
    let bytes = renderer.draw(inputs)?;
    if name == STANDARD_OUTPUT {
        return print(bytes);
    }
    let path = match is_folder {
        true => output.join(renderer.file_name(&inputs[0])),
        false => output.to_owned(),
    };
    write(&path, &bytes)?;
    print_error(&format!("Wrote {}", path.display()));
    Ok(())
}

/// Draws the pictures of all inputs on a few threads, and shows the progress on a terminal. A picture that fails is
/// reported and does not stop the others.
fn each(args: &RenderArgs, inputs: &[String]) -> Result<()> {
    let folder = args.output.as_deref().unwrap_or(Path::new("."));
    let name = folder.display();
    let is_file = folder.is_file() || matches!(&*extension(folder), "png" | "svg" | "apng" | "gif");
    let is_folder = folder.is_dir() || !is_file && folder != STANDARD_OUTPUT;
    ensure!(is_folder, unusable(folder, NO_FOLDER));
    let renderer = Renderer::new(args, format(args, None)?)?;
    let mut files = BTreeMap::new();
    for input in inputs {
        let file = folder.join(renderer.file_name(input));
        let error = unusable(&file, "would be the file of two of the pictures");
        ensure!(files.insert(file, input).is_none(), error);
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot write {name}"))?;
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}")?;
    let written = ProgressBar::new(files.len() as u64).with_style(style);
    let work = |first: usize| {
        for (file, input) in files.iter().skip(first).step_by(THREADS) {
            let bytes = renderer.draw(slice::from_ref(input));
            match bytes.and_then(|bytes| write(file, &bytes)) {
                Ok(()) => written.inc(1),
                Err(error) => written.suspend(|| print_error(&format!("error: {error:#}"))),
            }
        }
    };
    thread::scope(|scope| (0..THREADS).for_each(|first| drop(scope.spawn(move || work(first)))));
    let (count, all) = (written.position(), files.len() as u64);
    written.finish_and_clear();
    let pictures = if count == 1 { "picture" } else { "pictures" };
    print_error(&format!("Wrote {count} {pictures} to {name}"));
    let failed = all - count;
    ensure!(failed == 0, "{failed} of {all} pictures could not be made");
    Ok(())
}

/// Returns the format by the extension of the output file, if it has one, or by the flag.
fn format(args: &RenderArgs, file: Option<&Path>) -> Result<ImageFormat, ConfigError> {
    let file = file.unwrap_or(Path::new(""));
    let is_moving = args.motion().is_some();
    let problem = match (&*extension(file), args.svg) {
        ("" | "png", false) => return Ok(ImageFormat::Png),
        ("apng", false) if is_moving => return Ok(ImageFormat::Png),
        ("gif", false) if is_moving => return Ok(ImageFormat::Gif),
        ("apng" | "gif", _) => "moves: only a figure, portrait or cube does, and no SVG",
        ("svg", _) if is_moving => "ends in .svg: a moving picture is .apng or .gif",
        ("svg", _) if args.spec().is_none() => "ends in .svg: a skin file cannot be svg",
        ("" | "svg", _) => return Ok(ImageFormat::Svg),
        ("png", true) => "ends in .png: end it in .svg, or leave out --svg",
        _ => "ends in neither .png nor .svg: pictures are PNG or SVG, and moving ones APNG or GIF",
    };
    Err(unusable(file, problem))
}

fn unusable(output: &Path, problem: &'static str) -> ConfigError {
    ConfigError::new("--output", &output.to_string_lossy(), problem)
}

/// Writes a file, in a folder that is created if it is missing.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let created = fs::create_dir_all(folder);
    created.with_context(|| format!("cannot create the folder {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
