//! The errors of files and folders of skins.

use std::error::Error;
use std::path::PathBuf;
use std::{io, iter};

use effigy_player::InputError;

use super::listing::{MAX_FILES, MAX_TOTAL_BYTES};
use super::skin_file::{BoxError, MAX_FILE_BYTES};

/// The reason why a file is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkinFileError {
    /// The name does not end in `.png`.
    #[error("its name does not end in .png")]
    NotPng,
    /// The name is not UTF-8.
    #[error("its name is not UTF-8")]
    NotUtf8,
    /// The name cannot mean a player.
    #[error("its name is not a player's")]
    Name(#[from] InputError),
    /// It is a folder, or something else that is not a file.
    #[error("it is not a file")]
    NotAFile,
    /// It cannot be read.
    #[error("it cannot be read")]
    Read(#[from] io::Error),
    /// It is longer than a texture may be.
    #[error("it is longer than {} MiB", MAX_FILE_BYTES >> 20)]
    TooLong,
    /// It is not a skin, or not a cape.
    #[error("it cannot be drawn")]
    Decode(#[source] BoxError),
    /// An earlier file has the skin or the cape of the same player.
    #[error("{other} is for the same player")]
    Duplicate {
        /// The name of the earlier file.
        other: String,
    },
    /// It is a cape, and no file has the skin.
    #[error("there is no skin for this cape: no file with its name but without .cape")]
    NoSkin,
}

impl SkinFileError {
    /// Returns the error with its causes.
    pub(super) fn reason(&self) -> String {
        let causes = iter::successors(self.source(), |cause| (*cause).source());
        causes.fold(self.to_string(), |text, cause| format!("{text}: {cause}"))
    }
}

/// The reason why a folder of skins cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkinFolderError {
    /// The folder cannot be read.
    #[error("cannot read the folder {}", path.display())]
    Read {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        source: io::Error,
    },
    /// There are too many files in the folder.
    #[error("the folder {} has more than {MAX_FILES} files", path.display())]
    TooManyFiles {
        /// The folder.
        path: PathBuf,
    },
    /// The files are too long together.
    #[error("the files of the folder {} are longer than {} MiB together", path.display(), MAX_TOTAL_BYTES >> 20)]
    TooLong {
        /// The folder.
        path: PathBuf,
    },
}
