//! The operator's own skins: a folder of files, or files in memory.

mod listing;
pub(crate) mod skin_file;
mod skins;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use effigy_player::PlayerId;
use parking_lot::{Mutex, RwLock};

use super::{Provider, ProviderSetup, files};
use crate::{Profile, Revision, TextureHash, UpstreamConfig, error::Result, fetcher::Fetcher};
use listing::Listing;
use skin_file::{FileChecks, MAX_FILE_BYTES};
use skins::LocalSkins;

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

/// Reads a folder. Files that cannot be used are logged. It is refused if it cannot be read, or has too many or too
/// long files.
pub(super) fn set_up(target: &str, config: &UpstreamConfig) -> Result<ProviderSetup, String> {
    let folder = SkinFolder {
        path: Some(PathBuf::from(target)),
        ..SkinFolder::in_memory([], config.checks)
    };
    folder.read()?;
    Ok(ProviderSetup::local(folder))
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

    fn profile(&self, _: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        let skins = self.skins.read();
        Ok(skins.find(player).map(|(profile, _)| profile.clone()))
    }

    fn ignores_case(&self) -> bool {
        true
    }

    fn revision(&self, input: &str) -> Option<Revision> {
        let player = PlayerId::detect(input).ok()?;
        let skins = self.skins.read();
        skins.find(&player).map(|(_, revision)| *revision)
    }

    fn texture_by_hash(&self, hash: &TextureHash) -> Option<Vec<u8>> {
        let skins = self.skins.read();
        skins.textures.get(hash).map(|file| file.to_vec())
    }

    fn refresh(&self, _: &Fetcher) {
        if let Err(reason) = self.read() {
            let folder = self.path.as_deref().unwrap_or(Path::new("")).display();
            tracing::warn!(%folder, "the skins that were read last stay in use: the folder {reason}");
        }
    }
}
