//! Several pictures into a folder.

use std::{
    collections::HashSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use super::{format, progress::Progress, renderer::Renderer, write};
use crate::{cli::RenderArgs, commands::print_line, failure::Failure};

/// The number of pictures that are made at once. Most of the time goes into waiting for answers.
const THREADS: usize = 4;

/// A picture to make.
struct Task<'a> {
    skin: &'a str,
    file: PathBuf,
}

/// Draws all pictures. A picture that fails is reported and does not stop the others.
pub(super) fn render(args: &RenderArgs, skins: &[String]) -> Result<(), Failure> {
    let folder = folder(args)?;
    let renderer = Renderer::new(args, format(args))?;
    let tasks = tasks(&renderer, &folder, skins)?;
    fs::create_dir_all(&folder).map_err(|source| Failure::Write {
        to: folder.display().to_string(),
        source,
    })?;
    let of = tasks.len();
    let failed = run(&renderer, &tasks);
    let written = of - failed;
    let pictures = if written == 1 { "picture" } else { "pictures" };
    let folder = folder.display();
    print_line(&format!("Wrote {written} {pictures} to {folder}"))?;
    if failed > 0 {
        return Err(Failure::Incomplete { failed, of });
    }
    Ok(())
}

fn folder(args: &RenderArgs) -> Result<PathBuf, Failure> {
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("."));
    if folder == Path::new("-") || folder.is_file() {
        return Err(Failure::NotAFolder { path: folder });
    }
    Ok(folder)
}

/// Chooses the file of each skin. Two skins of one name would overwrite each other.
fn tasks<'a>(
    renderer: &Renderer,
    folder: &Path,
    skins: &'a [String],
) -> Result<Vec<Task<'a>>, Failure> {
    let mut taken = HashSet::new();
    let task = |skin: &'a String| {
        let file = folder.join(renderer.file_name(skin));
        if taken.insert(file.clone()) {
            Ok(Task { skin, file })
        } else {
            Err(Failure::SameFile { path: file })
        }
    };
    skins.iter().map(task).collect()
}

/// Draws the pictures on a few threads and returns the number of failures.
fn run(renderer: &Renderer, tasks: &[Task<'_>]) -> usize {
    let next = AtomicUsize::new(0);
    let (sender, outcomes) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..THREADS.min(tasks.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = renderer.draw(task.skin);
                    let outcome = bytes.and_then(|bytes| write(&task.file, &bytes));
                    // The receiver outlives all senders.
                    let _ = sender.send((task.skin, outcome));
                }
            });
        }
        drop(sender);
        let mut progress = Progress::start(tasks.len());
        let mut failed = 0;
        for (skin, outcome) in outcomes {
            if let Err(failure) = outcome {
                failed += 1;
                progress.clear();
                // If standard error is closed, the exit code alone tells of the failure.
                let _ = writeln!(io::stderr(), "effigy: {skin}: {}", failure.sentence());
            }
            progress.advance(skin);
        }
        progress.clear();
        failed
    })
}
