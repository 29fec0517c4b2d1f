//! The files of a folder of skins, of which only those that have changed are read.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::skin_file::{FileChecks, MAX_FILE_BYTES, SkinFile, SkinFileError};

/// The most files in a folder.
const MAX_FILES: usize = 10_000;

/// The most bytes of all skins and capes.
const MAX_TOTAL_BYTES: usize = 64 << 20;

/// The time after which another change of a file has another time. Until then, it is read again.
const CLOCK_PRECISION: Duration = Duration::from_secs(2);

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

/// The files of a folder by their names.
pub(super) type Listing = BTreeMap<OsString, Arc<ListedFile>>;

/// A file as it was read.
#[derive(PartialEq, Eq)]
pub(super) struct ListedFile {
    /// Its state at that time, or `None` if that says nothing about later changes.
    state: Option<FileState>,
    /// The file, or the reason why it cannot be used.
    pub(super) content: Result<SkinFile, String>,
}

/// The properties of a file that change with its contents.
#[derive(PartialEq, Eq)]
struct FileState {
    bytes: u64,
    modified: SystemTime,
}

/// Reads the files of a folder that have changed since the last time.
pub(super) fn read(
    path: &Path,
    last: &Listing,
    checks: FileChecks,
) -> Result<Listing, SkinFolderError> {
    let folder = || path.to_owned();
    let names = names(path).map_err(|source| SkinFolderError::Read {
        path: folder(),
        source,
    })?;
    if names.len() > MAX_FILES {
        return Err(SkinFolderError::TooManyFiles { path: folder() });
    }
    let (mut listing, mut bytes) = (Listing::new(), 0);
    for name in names {
        let file = path.join(&name);
        let is_png = |extension: &OsStr| extension.eq_ignore_ascii_case("png");
        if !file.extension().is_some_and(is_png) {
            continue;
        }
        let file = read_changed(&file, last.get(&name), checks);
        bytes += file.content.as_ref().map_or(0, |file| file.data.len());
        if bytes > MAX_TOTAL_BYTES {
            return Err(SkinFolderError::TooLong { path: folder() });
        }
        listing.insert(name, file);
    }
    Ok(listing)
}

fn read_changed(
    path: &Path,
    last: Option<&Arc<ListedFile>>,
    checks: FileChecks,
) -> Arc<ListedFile> {
    let metadata = fs::metadata(path);
    let state = metadata.as_ref().ok().and_then(FileState::new);
    if let Some(last) = last
        && state.is_some()
        && last.state == state
    {
        return Arc::clone(last);
    }
    let data = metadata.map_err(SkinFileError::Read);
    let data = data.and_then(|metadata| read_file(path, &metadata));
    let content = data.and_then(|data| {
        let name = path.file_name().and_then(OsStr::to_str);
        SkinFile::new(name.ok_or(SkinFileError::NotUtf8)?, data, checks)
    });
    Arc::new(ListedFile {
        state: state.filter(|state| state.is_settled(SystemTime::now())),
        content: content.map_err(|error| reason(&error)),
    })
}

/// Returns the names of the files, at most one more than allowed.
fn names(path: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(path)?.take(MAX_FILES + 1);
    entries.map(|entry| Ok(entry?.file_name())).collect()
}

fn read_file(path: &Path, metadata: &Metadata) -> Result<Vec<u8>, SkinFileError> {
    // Opening a pipe would wait for its other end.
    if !metadata.is_file() {
        return Err(SkinFileError::NotAFile);
    }
    let mut data = Vec::new();
    // A longer file is refused by its length.
    let mut file = File::open(path)?.take(MAX_FILE_BYTES as u64 + 1);
    file.read_to_end(&mut data)?;
    Ok(data)
}

/// Returns an error with its causes.
pub(super) fn reason(error: &SkinFileError) -> String {
    let causes = iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

impl FileState {
    fn new(metadata: &Metadata) -> Option<Self> {
        Some(Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok()?,
        })
    }

    /// Returns `true` if a change from `now` on changes the state.
    fn is_settled(&self, now: SystemTime) -> bool {
        let apart = now
            .duration_since(self.modified)
            .unwrap_or_else(|error| error.duration());
        apart > CLOCK_PRECISION
    }
}
