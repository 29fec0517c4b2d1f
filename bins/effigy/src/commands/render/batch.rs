//! Many pictures into a folder.

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

use effigy_render::ImageFormat;

use super::{NetworkResolver, drawn, file_name, format, progress::Progress, write};
use crate::{cli::RenderArgs, commands::say, failure::Failure};

/// How many are made at once: most of the time goes into waiting for answers.
const AT_ONCE: usize = 4;

/// Draws all of them. What fails is told, and the others are drawn all the same.
pub(super) fn render(
    args: &RenderArgs,
    source: &NetworkResolver,
    skins: &[String],
) -> Result<(), Failure> {
    let folder = folder(args)?;
    let format = format(args, None)?;
    let files = files(args, format, &folder, skins)?;
    fs::create_dir_all(&folder).map_err(|source| Failure::Write {
        to: folder.display().to_string(),
        source,
    })?;
    let failed = all(args, format, source, skins, &files);
    let written = skins.len() - failed;
    let pictures = if written == 1 { "picture" } else { "pictures" };
    say(&format!(
        "Wrote {written} {pictures} to {}",
        folder.display()
    ))?;
    if failed > 0 {
        let of = skins.len();
        return Err(Failure::Incomplete { failed, of });
    }
    Ok(())
}

fn folder(args: &RenderArgs) -> Result<PathBuf, Failure> {
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("."));
    if folder == Path::new("-") || folder.is_file() {
        return Err(Failure::NoFolder { path: folder });
    }
    Ok(folder)
}

/// The file of each skin. Two skins of one name would end in one file.
fn files(
    args: &RenderArgs,
    format: ImageFormat,
    folder: &Path,
    skins: &[String],
) -> Result<Vec<PathBuf>, Failure> {
    let mut taken = HashSet::new();
    let file = |skin: &String| {
        let path = folder.join(file_name(args, format, skin));
        if taken.insert(path.clone()) {
            Ok(path)
        } else {
            Err(Failure::SameFile { path })
        }
    };
    skins.iter().map(file).collect()
}

/// Draws them a few at once; how many could not be.
fn all(
    args: &RenderArgs,
    format: ImageFormat,
    source: &NetworkResolver,
    skins: &[String],
    files: &[PathBuf],
) -> usize {
    let next = AtomicUsize::new(0);
    let (outcomes, told) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(skins.len()) {
            let (outcomes, next) = (outcomes.clone(), &next);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(skin), Some(file)) = (skins.get(at), files.get(at)) else {
                        break;
                    };
                    let bytes = drawn(args, format, source, skin);
                    let outcome = bytes.and_then(|bytes| write(file, &bytes));
                    // The receiver outlives all who send.
                    let _ = outcomes.send((skin, outcome));
                }
            });
        }
        drop(outcomes);
        let mut progress = Progress::begin(skins.len());
        let mut failed = 0;
        for (skin, outcome) in told {
            if let Err(failure) = outcome {
                failed += 1;
                progress.interrupt();
                // Where standard error is closed there is nobody to tell.
                let _ = writeln!(io::stderr(), "effigy: {skin}: {}", failure.sentence());
            }
            progress.advance(skin);
        }
        progress.interrupt();
        failed
    })
}
