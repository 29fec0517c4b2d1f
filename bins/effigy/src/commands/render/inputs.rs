//! The inputs of the arguments, with the skin files of folders.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, bail, ensure};
use effigy_cli::{Input, RenderArgs, is_png};

use crate::commands::counted;

/// The inputs of a command.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) all: Vec<Input>,
    /// The number of subfolders that are not read.
    left_out: u64,
}

/// Returns the inputs of the arguments, with the skin files of each folder in its place.
pub(super) fn expand(args: &RenderArgs) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    for text in &args.inputs {
        if Path::new(text).is_dir() {
            inputs.add_folder(args, text)?;
            continue;
        }
        ensure!(!text.ends_with('/'), "there is no folder {text}");
        let file_exists = Path::new(text).is_file();
        inputs.all.push(Input::new(text, file_exists));
    }
    Ok(inputs)
}

impl Inputs {
    /// Returns a sentence about subfolders that are not read, if there are any.
    pub(super) fn notice(&self) -> Option<String> {
        if self.left_out == 0 {
            return None;
        }
        let subfolders = counted(self.left_out, "subfolder");
        Some(format!("Left out {subfolders}; --recursive takes them"))
    }

    /// Adds the inputs of a folder.
    fn add_folder(&mut self, args: &RenderArgs, text: &str) -> Result<()> {
        let left_out_before = self.left_out;
        let mut files = Vec::new();
        self.collect_files(args, Path::new(text), Path::new(""), &mut files)?;
        let inputs = args.inputs_of_folder(files);
        if !inputs.is_empty() {
            self.all.extend(inputs);
            return Ok(());
        }
        let left_out = self.left_out - left_out_before;
        ensure!(
            left_out == 0,
            "the folder {text} has no skin itself, only {}: add --recursive",
            counted(left_out, "subfolder")
        );
        bail!("the folder {text} {}", args.lack_of_inputs());
    }

    /// Collects the files of a subfolder of `root`, followed by those of its own subfolders.
    fn collect_files(
        &mut self,
        args: &RenderArgs,
        root: &Path,
        subfolder: &Path,
        files: &mut Vec<Input>,
    ) -> Result<()> {
        let folder = root.join(subfolder);
        let contents = Contents::of(&folder, args);
        let contents =
            contents.with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for file in contents.files {
            files.push(Input::of_folder(&file, subfolder));
        }
        if !args.recursive {
            self.left_out += contents.subfolders.len() as u64;
            return Ok(());
        }
        for name in contents.subfolders {
            self.collect_files(args, root, &subfolder.join(name), files)?;
        }
        Ok(())
    }
}

/// The files and the subfolders of a folder, in the order of their names.
#[derive(Default)]
struct Contents {
    /// The paths of PNG files. The file of `--onto` is not one of them.
    files: Vec<PathBuf>,
    /// The names of subfolders, except for hidden folders and the folder of the pictures. Links are
    /// not followed, because they may lead back.
    subfolders: Vec<OsString>,
}

impl Contents {
    fn of(folder: &Path, args: &RenderArgs) -> io::Result<Self> {
        let mut contents = Self::default();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                let is_output = is_same_file(&path, args.output.as_deref());
                if !is_output && !name.to_string_lossy().starts_with('.') {
                    contents.subfolders.push(name);
                }
            } else if is_png(&path) && path.is_file() && !is_same_file(&path, args.backdrop()) {
                contents.files.push(path);
            }
        }
        contents.files.sort();
        contents.subfolders.sort();
        Ok(contents)
    }
}

/// Returns `true` if both paths lead to the same file or folder.
fn is_same_file(path: &Path, other: Option<&Path>) -> bool {
    let Some(other) = other else {
        return false;
    };
    match (path.canonicalize(), other.canonicalize()) {
        (Ok(path), Ok(other)) => path == other,
        _ => false,
    }
}
