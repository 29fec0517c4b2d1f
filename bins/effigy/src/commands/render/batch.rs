//! Several pictures into a folder.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::{Context, Result, bail};
use effigy_cli::RenderArgs;

use super::{format, is_standard_output, progress::Progress, renderer::Renderer, write};
use crate::{commands::print_line, failure::ExitError};

/// The number of pictures that are made at once. Most of the time goes into waiting for answers.
const THREADS: usize = 4;

/// A picture to make.
struct Task<'a> {
    skin: &'a str,
    file: PathBuf,
}

/// Draws all pictures. A picture that fails is reported and does not stop the others.
pub(super) fn render(args: &RenderArgs, skins: &[String]) -> Result<()> {
    let folder = folder(args)?;
    let renderer = Renderer::new(args, format::of_flags(args))?;
    let tasks = tasks(&renderer, &folder, skins)?;
    let folder_name = folder.display();
    fs::create_dir_all(&folder).with_context(|| format!("cannot write {folder_name}"))?;
    let of = tasks.len();
    let failed = run(&renderer, &tasks);
    let written = of - failed;
    let pictures = if written == 1 { "picture" } else { "pictures" };
    print_line(&format!("Wrote {written} {pictures} to {folder_name}"))?;
    if failed > 0 {
        bail!("{failed} of {of} pictures could not be made");
    }
    Ok(())
}

fn folder(args: &RenderArgs) -> Result<PathBuf, ExitError> {
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("."));
    if is_standard_output(&folder) || folder.is_file() {
        return Err(ExitError::usage(format!(
            "--output: {} is not a folder, which several pictures need",
            folder.display()
        )));
    }
    Ok(folder)
}

/// Chooses the file of each skin. Two skins of one name would overwrite each other.
fn tasks<'a>(
    renderer: &Renderer,
    folder: &Path,
    skins: &'a [String],
) -> Result<Vec<Task<'a>>, ExitError> {
    let mut taken = HashSet::new();
    let task = |skin: &'a String| {
        let file = folder.join(renderer.file_name(skin));
        if taken.insert(file.clone()) {
            Ok(Task { skin, file })
        } else {
            let file = file.display();
            let message = format!("two of the pictures would be written to {file}");
            Err(ExitError::usage(message))
        }
    };
    skins.iter().map(task).collect()
}

/// Draws the pictures on a few threads and returns the number of failures.
fn run(renderer: &Renderer, tasks: &[Task<'_>]) -> usize {
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::start(tasks.len()));
    thread::scope(|scope| {
        for _ in 0..THREADS.min(tasks.len()) {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = renderer.draw(task.skin);
                    let outcome = bytes.and_then(|bytes| write(&task.file, &bytes));
                    let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                    progress.advance(task.skin, outcome);
                }
            });
        }
    });
    let progress = progress.into_inner();
    progress.unwrap_or_else(PoisonError::into_inner).finish()
}
