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

/// The time after which another change of a file has another time. Until then, it is read again.
const CLOCK_PRECISION: Duration = Duration::from_secs(2);

/// The files of a folder, each with its state, or with none if that says nothing about later
/// changes.
type Listing = BTreeMap<PathBuf, Option<State>>;

/// The properties that change with a file: its length, the time of its content, and the time of the
/// last change of anything about it, which nobody can set, in seconds and nanoseconds. A missing
/// file has zeros.
type State = (u64, SystemTime, [i64; 2]);

/// A folder of skins and capes, or skins that were in memory from the start. Look-ups read no file:
/// all are read at the start, and when one of them has changed.
pub(crate) struct SkinFolder {
    /// `None` for skins without a folder.
    path: Option<PathBuf>,
    checks: FileChecks,
    /// The folder as it was last read, and the problems of its files.
    last: Mutex<(Listing, BTreeSet<String>)>,
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
        let files = files.into_iter();
        let files = files.map(|(name, data)| (PathBuf::from(name), Ok(data)));
        let (skins, problems) = LocalSkins::new(files, checks);
        for problem in problems {
            tracing::warn!("{problem}");
        }
        Self {
            path: None,
            checks,
            last: Mutex::default(),
            skins: RwLock::new(skins),
        }
    }

    /// Reads the folder if it has changed. After an error, everything is as it was before.
    fn read(&self, path: &Path) -> Result<(), String> {
        let mut last = self.last.lock();
        let listing = list(path)?;
        if listing == last.0 && listing.values().all(Option::is_some) {
            return Ok(());
        }
        // A longer file is refused by its length.
        let read = |file: &PathBuf| (file.clone(), files::read(file, MAX_FILE_BYTES));
        let (skins, problems) = LocalSkins::new(listing.keys().map(read), self.checks);
        // In one event, because warnings that one place repeats are held back.
        let new: Vec<&str> = problems.difference(&last.1).map(String::as_str).collect();
        if !new.is_empty() {
            tracing::warn!("{}", new.join("; "));
        }
        if skins != *self.skins.read() {
            let (folder, unused) = (path.display(), problems.len());
            let used = listing.len() - unused;
            tracing::info!(%folder, used, unused, "the files of skins were read");
            *self.skins.write() = skins;
        }
        *last = (listing, problems);
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

    /// The file of the player counts that is asked for, whomever it is said to be.
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
        let missing = Some((0, SystemTime::UNIX_EPOCH, [0; 2]));
        listing.insert(file, metadata.map_or(missing, |metadata| state(&metadata)));
    }
    Ok(listing)
}

/// Returns what changes with a file from now on.
fn state(metadata: &Metadata) -> Option<State> {
    let modified = metadata.modified().ok()?;
    #[cfg(unix)]
    let changed = [metadata.ctime(), metadata.ctime_nsec()];
    #[cfg(not(unix))]
    let changed = [0; 2];
    let apart = SystemTime::now().duration_since(modified);
    let apart = apart.unwrap_or_else(|error| error.duration());
    (apart > CLOCK_PRECISION).then_some((metadata.len(), modified, changed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_not_changed_for_a_while_has_a_state() {
        let known = |path: &Path| state(&fs::metadata(path).expect("a file"));
        let old = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(known(old).is_some() && known(old) == known(old));
        let new = tempfile::NamedTempFile::new().expect("a file");
        assert_eq!(known(new.path()), None);
    }
}
