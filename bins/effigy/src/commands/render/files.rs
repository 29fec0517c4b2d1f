//! The files of pictures: which exist, and how they are written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io, process};

use anyhow::{Context, Result, ensure};
use effigy_cli::{Existing, Input, PlannedFile, RenderArgs, Source};

/// Returns the kind of file that exists at the path of `--output`.
pub(super) fn existing(output: Option<&Path>) -> Existing {
    let Some(metadata) = output.and_then(|path| path.metadata().ok()) else {
        return Existing::Nothing;
    };
    if metadata.is_dir() {
        Existing::Folder
    } else if metadata.is_file() {
        Existing::File
    } else {
        Existing::Device
    }
}

/// The files that a command reads.
pub(super) struct InputFiles {
    skins: HashSet<PathBuf>,
    /// The file of `--onto`.
    backdrop: Option<PathBuf>,
}

impl InputFiles {
    pub(super) fn of(args: &RenderArgs, inputs: &[Input]) -> Self {
        let mut skins = HashSet::new();
        for input in inputs {
            if let Source::File(path) = input.source()
                && let Ok(path) = path.canonicalize()
            {
                skins.insert(path);
            }
        }
        let backdrop = args.backdrop().and_then(|path| path.canonicalize().ok());
        Self { skins, backdrop }
    }

    /// Refuses to replace an input with a picture.
    pub(super) fn check_not_replaced(&self, path: &Path) -> Result<()> {
        let Ok(existing) = path.canonicalize() else {
            return Ok(());
        };
        let name = path.display();
        ensure!(
            !self.skins.contains(&existing),
            "the picture would replace the skin {name}: choose another place with --output, or \
             another --file-name"
        );
        ensure!(
            self.backdrop != Some(existing),
            "the picture would replace the --onto file {name}: choose another place with \
             --output, or another --file-name"
        );
        Ok(())
    }
}

/// Creates the folders of files, and tries to write to them, so that an unusable folder is one
/// error and not one for each file.
pub(super) fn create_folders(root: &Path, files: &[PlannedFile<'_>]) -> Result<()> {
    let mut folders = vec![root];
    for file in files {
        if let Some(parent) = file.path.parent()
            && !folders.contains(&parent)
        {
            folders.push(parent);
        }
    }
    for folder in folders {
        let usable = fs::create_dir_all(folder).and_then(|()| try_to_write(folder));
        usable.with_context(|| format!("cannot write to the folder {}", folder.display()))?;
    }
    Ok(())
}

/// Creates an empty file in a folder, and removes it.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let file = folder.join(format!(".effigy-{}", process::id()));
    fs::write(&file, [])?;
    fs::remove_file(&file)
}

/// Writes a file, and creates its folder if it is missing.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let created = fs::create_dir_all(folder);
    created.with_context(|| format!("cannot create the folder {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
