//! The files of a folder of skins, and whether they have changed.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{collections::BTreeMap, ffi::OsStr};

use super::skin_file::MAX_FILE_BYTES;

/// The most files in a folder.
const MAX_FILES: usize = 10_000;

/// The most bytes of all skins and capes.
const MAX_TOTAL_BYTES: u64 = 64 << 20;

/// The time after which another change of a file has another time. Until then, it is read again.
const CLOCK_PRECISION: Duration = Duration::from_secs(2);

/// The files of a folder, each with its length and its time, or with none if these say nothing about later
/// changes.
pub(super) type Listing = BTreeMap<PathBuf, Option<(u64, SystemTime)>>;

/// Lists the skins and capes of a folder.
///
/// # Errors
///
/// The reason why the folder cannot be used.
pub(super) fn list(folder: &Path) -> Result<Listing, String> {
    let unreadable = |error| format!("cannot be read: {error}");
    let (mut listing, mut bytes) = (Listing::new(), 0);
    for (number, entry) in fs::read_dir(folder).map_err(unreadable)?.enumerate() {
        let file = entry.map_err(unreadable)?.path();
        if number == MAX_FILES {
            return Err(format!("has more than {MAX_FILES} files"));
        }
        let is_png = |extension: &OsStr| extension.eq_ignore_ascii_case("png");
        if !file.extension().is_some_and(is_png) {
            continue;
        }
        let metadata = fs::metadata(&file).ok();
        let length = metadata.as_ref().map_or(0, Metadata::len);
        bytes += length.min(MAX_FILE_BYTES as u64);
        if bytes > MAX_TOTAL_BYTES {
            let mib = MAX_TOTAL_BYTES >> 20;
            return Err(format!("has more than {mib} MiB of files"));
        }
        listing.insert(file, metadata.as_ref().and_then(state));
    }
    Ok(listing)
}

/// Returns what changes with a file from now on.
fn state(metadata: &Metadata) -> Option<(u64, SystemTime)> {
    let modified = metadata.modified().ok()?;
    let apart = SystemTime::now().duration_since(modified);
    let apart = apart.unwrap_or_else(|error| error.duration());
    (apart > CLOCK_PRECISION).then_some((metadata.len(), modified))
}
