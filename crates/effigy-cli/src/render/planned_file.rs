//! The files of several pictures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{FileNames, Input};

/// A file with the inputs whose pictures would be written to it. Several are a collision.
#[derive(Debug)]
pub struct PlannedFile<'a> {
    /// The path of the file.
    pub path: PathBuf,
    /// The inputs.
    pub inputs: Vec<&'a Input>,
}

impl<'a> PlannedFile<'a> {
    /// Returns the files of all inputs, in the order of their paths.
    #[must_use]
    pub fn all(folder: &Path, names: &FileNames, inputs: &'a [Input]) -> Vec<Self> {
        let mut by_path: BTreeMap<PathBuf, Vec<&Input>> = BTreeMap::new();
        for input in inputs {
            let name = names.of(&input.stem());
            let path = folder.join(&input.subfolder).join(name);
            by_path.entry(path).or_default().push(input);
        }
        let mut files = Vec::new();
        for (path, colliding) in by_path {
            files.push(PlannedFile {
                path,
                inputs: colliding,
            });
        }
        files
    }
}
