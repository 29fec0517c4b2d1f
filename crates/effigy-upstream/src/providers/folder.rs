//! The operator's own skins: a folder of files, or files in memory.

mod listing;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use effigy_player::PlayerId;
use parking_lot::Mutex;

use super::files;
use super::local::skin_file::{FileChecks, MAX_FILE_BYTES};
use super::local::skins::LocalSkins;
use super::provider::{Opened, Provider};
use crate::caller::Caller;
use crate::config::UpstreamConfig;
use crate::error::{Result, UpstreamError};
use crate::profile::Profile;
use listing::Listing;

/// A folder of skins and capes, or skins that were in memory from the start. Look-ups read no file:
/// all are read at the start, and when one of them has changed.
pub(crate) struct SkinFolder {
    /// `None` for skins without a folder.
    path: Option<PathBuf>,
    checks: FileChecks,
    /// The folder as it was last read, and the problems of its files.
    last: Mutex<(Listing, BTreeSet<String>)>,
    skins: Mutex<Arc<LocalSkins>>,
}

/// Reads a folder. Files that cannot be used are logged. It is refused if it cannot be read, or has too many or too
/// long files.
pub(super) fn open(place: &str, config: &UpstreamConfig) -> Result<Opened, String> {
    let folder = SkinFolder {
        path: Some(PathBuf::from(place)),
        ..SkinFolder::in_memory([], config.checks)
    };
    folder.read()?;
    Ok(Opened::local(folder))
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
            skins: Mutex::new(Arc::new(skins)),
        }
    }

    /// Reads the folder if it has changed. After an error, everything is as it was before.
    fn read(&self) -> Result<(), String> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut last = self.last.lock();
        let listing = listing::list(path)?;
        if listing == last.0 && listing.values().all(Option::is_some) {
            return Ok(());
        }
        // A longer file is refused by its length.
        let read = |path: &PathBuf| (path.clone(), files::read(path, MAX_FILE_BYTES));
        let (skins, problems) = LocalSkins::new(listing.keys().map(read), self.checks);
        for problem in problems.difference(&last.1) {
            tracing::warn!("{problem}");
        }
        if skins != *self.skins() {
            let (folder, unused) = (path.display(), problems.len());
            let used = listing.len() - unused;
            tracing::info!(%folder, used, unused, "the files of skins were read");
            *self.skins.lock() = Arc::new(skins);
        }
        *last = (listing, problems);
        Ok(())
    }

    fn skins(&self) -> Arc<LocalSkins> {
        Arc::clone(&self.skins.lock())
    }
}

impl Provider for SkinFolder {
    fn can_know(&self, _: &PlayerId) -> bool {
        true
    }

    fn look_up(&self, _: &Caller, player: &PlayerId) -> Result<Profile> {
        let skins = self.skins();
        let (found, _) = skins
            .find(player)
            .ok_or_else(|| UpstreamError::no_player(player))?;
        Ok(found.clone())
    }

    fn local(&self) -> Option<Arc<LocalSkins>> {
        Some(self.skins())
    }

    fn refresh(&self, _: &Caller) {
        if let Err(reason) = self.read() {
            tracing::warn!("the skins that were read last stay in use: {reason}");
        }
    }
}
