//! The operator's own skins: a folder of files, or files in memory.

pub(crate) mod skins;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use effigy_player::PlayerId;
use parking_lot::{Mutex, RwLock};

use super::{Provider, files};
use crate::{Profile, TextureHash, UpstreamConfig, error::Result, fetcher::Fetcher};
use skins::{FileChecks, LocalSkins, MAX_FILE_BYTES};

/// The most files in a folder.
const MAX_FILES: usize = 10_000;

/// The most bytes of all skins and capes.
const MAX_TOTAL_BYTES: u64 = 64 << 20;

/// The time after which another change of a file has another time. A file that changed less than
/// this time ago is read again.
const CLOCK_PRECISION: Duration = Duration::from_secs(2);

/// The files of a folder.
type Listing = BTreeMap<PathBuf, FileState>;

/// The state of a file, by which later changes are noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileState {
    /// The file is missing, or cannot be examined.
    Missing,
    /// The file changed a moment ago. Another change might not be noticed, so it is read again.
    JustChanged,
    /// The file has not changed for a while.
    Known(Fingerprint),
}

/// The properties that change with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fingerprint {
    length: u64,
    /// The time of the last change of the content.
    modified: SystemTime,
    /// The time of the last change of the file or its properties, which nobody can set, in seconds
    /// and nanoseconds. Zeros if the system has no such time.
    changed: [i64; 2],
}

/// The folder as it was last read.
#[derive(Debug, Default)]
struct LastRead {
    listing: Listing,
    /// The problems of its files.
    problems: BTreeSet<String>,
}

/// A folder of skins and capes, or skins that were in memory from the start. Look-ups read no file:
/// all are read at the start, and when one of them has changed.
pub(crate) struct SkinFolder {
    /// `None` for skins without a folder.
    path: Option<PathBuf>,
    checks: FileChecks,
    last: Mutex<LastRead>,
    skins: RwLock<LocalSkins>,
}

/// Reads a folder. Files that cannot be used are logged. It is refused if it cannot be read, or has
/// too many or too long files.
pub(super) fn set_up(target: &str, config: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    let folder = SkinFolder {
        path: Some(PathBuf::from(target)),
        ..SkinFolder::in_memory([], config.checks)
    };
    folder.read(Path::new(target))?;
    Ok(Box::new(folder))
}

impl SkinFolder {
    /// Skins without a folder. Files that cannot be used are logged.
    pub(crate) fn in_memory(
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        checks: FileChecks,
    ) -> Self {
        let read = files
            .into_iter()
            .map(|(name, data)| (PathBuf::from(name), Ok(data)));
        let loaded = LocalSkins::load(read, checks);
        for problem in loaded.problems {
            tracing::warn!("{problem}");
        }
        Self {
            path: None,
            checks,
            last: Mutex::default(),
            skins: RwLock::new(loaded.skins),
        }
    }

    /// Reads the folder if it has changed. After an error, everything is as it was before.
    fn read(&self, path: &Path) -> Result<(), String> {
        let mut last = self.last.lock();
        let listing = list(path)?;
        let just_changed = listing.values().any(|file| *file == FileState::JustChanged);
        if listing == last.listing && !just_changed {
            return Ok(());
        }
        // A longer file is refused by its length.
        let read = |file: &PathBuf| (file.clone(), files::read(file, MAX_FILE_BYTES));
        let loaded = LocalSkins::load(listing.keys().map(read), self.checks);
        let new_problems: Vec<&str> = loaded
            .problems
            .difference(&last.problems)
            .map(String::as_str)
            .collect();
        if !new_problems.is_empty() {
            // In one event, because warnings that one place repeats are held back.
            tracing::warn!("{}", new_problems.join("; "));
        }
        if loaded.skins != *self.skins.read() {
            let folder = path.display();
            let unused = loaded.problems.len();
            let used = listing.len() - unused;
            tracing::info!(%folder, used, unused, "the files of skins were read");
            *self.skins.write() = loaded.skins;
        }
        *last = LastRead {
            listing,
            problems: loaded.problems,
        };
        Ok(())
    }
}

impl Provider for SkinFolder {
    fn can_know(&self, _: &PlayerId) -> bool {
        true
    }

    fn is_in_memory(&self) -> bool {
        true
    }

    fn profile_at_hand(&self, player: &PlayerId) -> Option<Profile> {
        self.skins.read().find(player).cloned()
    }

    fn profile(&self, _: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        Ok(self.profile_at_hand(player))
    }

    /// The file is named after the player that is asked for, so that file is found again.
    fn renewal_id(&self, _: &Profile, player: &PlayerId) -> PlayerId {
        player.clone()
    }

    fn ignores_case(&self) -> bool {
        true
    }

    fn texture_by_hash(&self, hash: &TextureHash) -> Option<Vec<u8>> {
        let skins = self.skins.read();
        skins.textures.get(hash)?.file().map(<[u8]>::to_vec)
    }

    fn refresh(&self, _: &Fetcher) {
        if let Some(path) = &self.path
            && let Err(reason) = self.read(path)
        {
            let folder = path.display();
            tracing::warn!(
                %folder,
                "the skins that were read last stay in use: the folder {reason}"
            );
        }
    }
}

/// Lists the skins and capes of a folder.
///
/// # Errors
///
/// The reason why the folder cannot be used.
fn list(folder: &Path) -> Result<Listing, String> {
    let unreadable = |error| format!("cannot be read: {error}");
    let mut listing = Listing::new();
    let mut bytes = 0;
    for (number, entry) in fs::read_dir(folder).map_err(unreadable)?.enumerate() {
        let file = entry.map_err(unreadable)?.path();
        if number == MAX_FILES {
            return Err(format!("has more than {MAX_FILES} files"));
        }
        let is_png = |extension: &OsStr| extension.eq_ignore_ascii_case("png");
        if !file.extension().is_some_and(is_png) {
            continue;
        }
        let Ok(metadata) = fs::metadata(&file) else {
            listing.insert(file, FileState::Missing);
            continue;
        };
        bytes += metadata.len().min(MAX_FILE_BYTES as u64);
        if bytes > MAX_TOTAL_BYTES {
            let mib = MAX_TOTAL_BYTES >> 20;
            return Err(format!("has more than {mib} MiB of files"));
        }
        listing.insert(file, state(&metadata));
    }
    Ok(listing)
}

/// Returns the state of a file that exists.
fn state(metadata: &Metadata) -> FileState {
    let Ok(modified) = metadata.modified() else {
        return FileState::JustChanged;
    };
    let age = match SystemTime::now().duration_since(modified) {
        Ok(age) => age,
        // Far in the future, the time of the next change is another one, too.
        Err(error) => error.duration(),
    };
    if age <= CLOCK_PRECISION {
        return FileState::JustChanged;
    }
    #[cfg(unix)]
    let changed = [metadata.ctime(), metadata.ctime_nsec()];
    #[cfg(not(unix))]
    let changed = [0; 2];
    FileState::Known(Fingerprint {
        length: metadata.len(),
        modified,
        changed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_just_changed_is_read_again() {
        let state_of = |path: &Path| state(&fs::metadata(path).expect("a file"));
        let old = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(matches!(state_of(old), FileState::Known(_)));
        assert_eq!(state_of(old), state_of(old));
        let new = tempfile::NamedTempFile::new().expect("a file");
        assert_eq!(state_of(new.path()), FileState::JustChanged);
    }
}
