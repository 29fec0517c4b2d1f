//! The files of a folder of skins, of which only those that have changed are read.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::error::{SkinFileError, SkinFolderError};
use super::skin_file::{FileChecks, MAX_FILE_BYTES, SkinFile, is_png};

/// The most files in a folder.
pub(super) const MAX_FILES: usize = 10_000;

/// The most bytes of all skins and capes.
pub(super) const MAX_TOTAL_BYTES: usize = 64 << 20;

/// The time after which another change of a file has another time. Until then, it is read again.
const CLOCK_PRECISION: Duration = Duration::from_secs(2);

/// The files of a folder by their names.
pub(super) type Listing = BTreeMap<OsString, Arc<ListedFile>>;

/// A file as it was read.
#[derive(Debug)]
pub(super) struct ListedFile {
    /// Its state at that time, or `None` if that says nothing about later changes.
    state: Option<State>,
    pub(super) content: Result<SkinFile, SkinFileError>,
}

/// Files are the same if their contents are, or the reason why they cannot be used.
impl PartialEq for ListedFile {
    fn eq(&self, other: &Self) -> bool {
        match (&self.content, &other.content) {
            (Ok(one), Ok(other)) => one == other,
            (Err(one), Err(other)) => one.reason() == other.reason(),
            _ => false,
        }
    }
}

impl Eq for ListedFile {}

/// The properties of a file that change with its contents.
#[derive(Debug, PartialEq, Eq)]
struct State {
    bytes: u64,
    modified: SystemTime,
}

/// Reads the files of a folder that have changed since the last time.
pub(super) fn read(
    path: &Path,
    last: &Listing,
    checks: FileChecks,
) -> Result<Listing, SkinFolderError> {
    let names = names(path).map_err(|source| SkinFolderError::Read {
        path: path.to_owned(),
        source,
    })?;
    if names.len() > MAX_FILES {
        let path = path.to_owned();
        return Err(SkinFolderError::TooManyFiles { path });
    }
    let (mut listing, mut bytes) = (Listing::new(), 0);
    for name in names
        .into_iter()
        .filter(|name| is_png(name.as_encoded_bytes()))
    {
        let file = read_changed(&path.join(&name), last.get(&name), checks);
        bytes += file
            .content
            .as_ref()
            .map_or(0, |file| file.texture.file().len());
        if bytes > MAX_TOTAL_BYTES {
            let path = path.to_owned();
            return Err(SkinFolderError::TooLong { path });
        }
        listing.insert(name, file);
    }
    Ok(listing)
}

/// Returns the names of the files, or so many that there are too many.
fn names(path: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(path)?.take(MAX_FILES + 1);
    entries.map(|entry| Ok(entry?.file_name())).collect()
}

fn read_changed(
    path: &Path,
    last: Option<&Arc<ListedFile>>,
    checks: FileChecks,
) -> Arc<ListedFile> {
    let metadata = fs::metadata(path);
    let state = metadata.as_ref().ok().and_then(State::of);
    if let Some(last) = last
        && state.is_some()
        && last.state == state
    {
        return Arc::clone(last);
    }
    let content = metadata
        .map_err(SkinFileError::Read)
        .and_then(|metadata| read_file(path, &metadata))
        .and_then(|bytes| checked(path, bytes, checks));
    let state = state.filter(|state| state.is_settled(SystemTime::now()));
    Arc::new(ListedFile { state, content })
}

fn read_file(path: &Path, metadata: &Metadata) -> Result<Vec<u8>, SkinFileError> {
    // Opening a pipe would wait for its other end.
    if !metadata.is_file() {
        return Err(SkinFileError::NotAFile);
    }
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    // A longer file is refused by its length.
    file.take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn checked(path: &Path, bytes: Vec<u8>, checks: FileChecks) -> Result<SkinFile, SkinFileError> {
    let name = path.file_name().and_then(|name| name.to_str());
    SkinFile::new(name.ok_or(SkinFileError::NotUtf8)?, bytes, checks)
}

impl State {
    fn of(metadata: &Metadata) -> Option<Self> {
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
