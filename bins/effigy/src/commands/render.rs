//! `effigy render`: pictures to files, without a server or a database.

mod backdrop;
mod files;
mod inputs;
mod load;
mod renderer;

use std::{path::Path, slice, thread};

use anyhow::{Result, bail, ensure};
use effigy_cli::{Input, Place, PlannedFile, RenderArgs};
use indicatif::{ProgressBar, ProgressStyle};

use self::files::InputFiles;
use self::renderer::Renderer;
use super::{counted, print, print_error};

/// The number of pictures that are made at once. Most of the time is spent waiting for answers.
const THREADS: usize = 4;

/// Draws one picture, or several into a folder.
pub(crate) fn run(args: &RenderArgs) -> Result<()> {
    let inputs = inputs::expand(args)?;
    if let Some(notice) = inputs.notice() {
        print_error(&notice);
    }
    let is_single = match args.inputs.as_slice() {
        [input] => !Path::new(input).is_dir(),
        _ => false,
    };
    if is_single || args.combines_players() {
        draw_one(args, &inputs.all)
    } else {
        draw_each(args, &inputs.all)
    }
}

/// Draws the picture of one input, or one picture of all inputs.
fn draw_one(args: &RenderArgs, inputs: &[Input]) -> Result<()> {
    let output = args.output_file(files::existing(args.output.as_deref()))?;
    let renderer = Renderer::new(args, output.format)?;
    let path = match output.place {
        Place::StandardOutput => return print(renderer.draw(inputs)?),
        Place::File(path) => path,
        Place::Folder(folder, names) => folder.join(names.of(&inputs[0].stem())),
    };
    InputFiles::of(args, inputs).check_not_replaced(&path)?;
    files::write(&path, &renderer.draw(inputs)?)?;
    print_error(&format!("Wrote {}", path.display()));
    Ok(())
}

/// Draws a picture of each input on a few threads, and shows the progress on a terminal. A picture
/// that fails is reported, and doesn't stop the others.
fn draw_each(args: &RenderArgs, inputs: &[Input]) -> Result<()> {
    let (folder, format) = args.output_folder(files::existing(args.output.as_deref()))?;
    let batch = Batch {
        renderer: Renderer::new(args, format)?,
        files: PlannedFile::all(folder, &args.file_names(format), inputs),
        input_files: InputFiles::of(args, inputs),
        written: ProgressBar::new(inputs.len() as u64)
            .with_style(ProgressStyle::with_template("{bar:24} {pos}/{len}")?),
    };
    files::create_folders(folder, &batch.files)?;
    thread::scope(|scope| {
        for first in 0..THREADS {
            let batch = &batch;
            scope.spawn(move || batch.draw_every_fourth(first));
        }
    });
    let written = batch.written.position();
    batch.written.finish_and_clear();
    let pictures = counted(written, "picture");
    print_error(&format!("Wrote {pictures} to {}", folder.display()));
    let all = inputs.len() as u64;
    let failed = all - written;
    ensure!(failed == 0, "{failed} of {all} pictures could not be made");
    Ok(())
}

/// The pictures of several inputs.
struct Batch<'a> {
    renderer: Renderer<'a>,
    /// One for each path. Several inputs of a file are a collision of names.
    files: Vec<PlannedFile<'a>>,
    input_files: InputFiles,
    /// The progress, which counts the files that are written.
    written: ProgressBar,
}

impl Batch<'_> {
    /// Draws the files of one thread.
    fn draw_every_fourth(&self, first: usize) {
        for file in self.files.iter().skip(first).step_by(THREADS) {
            match self.draw(file) {
                Ok(()) => self.written.inc(1),
                Err(error) => {
                    self.written
                        .suspend(|| print_error(&format!("error: {error:#}")));
                }
            }
        }
    }

    fn draw(&self, file: &PlannedFile<'_>) -> Result<()> {
        self.input_files.check_not_replaced(&file.path)?;
        let [input] = file.inputs.as_slice() else {
            let names = Input::list(file.inputs.iter().copied());
            bail!(
                "{names} would all be written to {}: rename them, or draw each into a folder of \
                 its own with --output",
                file.path.display()
            );
        };
        let bytes = self.renderer.draw(slice::from_ref(*input))?;
        files::write(&file.path, &bytes)
    }
}
