//! Several pictures into a folder.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    slice,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::{Context, Result, ensure};
use effigy_cli::RenderArgs;
use indicatif::{ProgressBar, ProgressStyle};

use super::{format, format_of, is_standard_output, renderer::Renderer, write};
use crate::{commands::tell, failure::UsageError};

/// The number of pictures that are made at once. Most of the time goes into waiting for answers.
const THREADS: usize = 4;

/// Draws the pictures of all inputs. A picture that fails is reported and does not stop the others.
pub(super) fn render(args: &RenderArgs, inputs: &[String]) -> Result<()> {
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
    let failed = run(&renderer, inputs, &files)?;
    let of = files.len();
    let written = of - failed;
    let pictures = if written == 1 { "picture" } else { "pictures" };
    tell(&format!("Wrote {written} {pictures} to {folder_name}"));
    ensure!(failed == 0, "{failed} of {of} pictures could not be made");
    Ok(())
}

/// Draws the pictures on a few threads and returns the number of failures. A terminal shows the progress.
fn run(renderer: &Renderer<'_>, inputs: &[String], files: &[PathBuf]) -> Result<usize> {
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}")?;
    let progress = ProgressBar::new(files.len() as u64).with_style(style);
    let tasks = Mutex::new(inputs.iter().zip(files));
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
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
