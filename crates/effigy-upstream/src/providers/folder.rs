//! The operator's own skins: a folder of files, or files in memory.

mod listing;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use effigy_player::PlayerId;

use crate::caller::Caller;
use crate::error::{Result, UpstreamError, with_causes};
use crate::local::skin_file::{FileChecks, SkinFileError};
use crate::local::skins::LocalSkins;
use crate::lock::lock;
use crate::provider::Provider;
use crate::records::Found;
use listing::Listing;

/// The most problems in one line of the log.
const MAX_LOGGED: usize = 10;

/// A folder of [`SkinFile`](crate::SkinFile)s. Look-ups read no file: all are read at the start, and when one of
/// them has changed.
pub(crate) struct SkinFolder {
    path: PathBuf,
    base_url: String,
    checks: FileChecks,
    /// The folder as it was last read, and the problems of its files.
    last: Mutex<(Listing, BTreeSet<String>)>,
    skins: Mutex<Arc<LocalSkins>>,
}

impl SkinFolder {
    /// Reads a folder. Profiles name the URL of a texture as `<base_url>/<hash>`. Files that cannot be used are
    /// logged.
    ///
    /// # Errors
    ///
    /// The reason if the folder cannot be read, or has too many or too long files.
    pub(crate) fn open(path: &Path, base_url: &str, checks: FileChecks) -> Result<Self, String> {
        let folder = Self {
            path: path.to_owned(),
            skins: Mutex::new(Arc::new(LocalSkins::new(base_url))),
            base_url: base_url.to_owned(),
            checks,
            last: Mutex::default(),
        };
        folder.read().map(|()| folder)
    }

    /// Reads the folder if it has changed. After an error, everything is as it was before.
    fn read(&self) -> Result<(), String> {
        let mut last = lock(&self.last);
        let listing = listing::list(&self.path)?;
        if listing == last.0 && listing.values().all(Option::is_some) {
            return Ok(());
        }
        // The names of files are in quotes, so that they cannot forge a line of the log.
        let problem = |file: &Path, error: SkinFileError| {
            format!("{file:?} is not used: {}", with_causes(&error))
        };
        let (mut files, mut problems) = (Vec::new(), BTreeSet::new());
        for file in listing.keys() {
            match listing::read(file, self.checks) {
                Ok(read) => files.push(read),
                Err(error) => drop(problems.insert(problem(file, error))),
            }
        }
        let mut skins = LocalSkins::new(self.base_url.clone());
        for (file, error) in skins.insert_files(&files) {
            problems.insert(problem(&self.path.join(&file.name), error));
        }
        log(&problems.difference(&last.1).cloned().collect::<Vec<_>>());
        if skins != *self.skins() {
            let (folder, used) = (self.path.display(), listing.len() - problems.len());
            tracing::info!(%folder, files = used, "skins were read");
            *lock(&self.skins) = Arc::new(skins);
        }
        *last = (listing, problems);
        Ok(())
    }

    fn skins(&self) -> Arc<LocalSkins> {
        Arc::clone(&lock(&self.skins))
    }
}

/// Logs problems in one line: lines that come together may be held back as too many.
fn log(problems: &[String]) {
    let mut line = problems[..problems.len().min(MAX_LOGGED)].join("; ");
    if problems.len() > MAX_LOGGED {
        line += &format!("; and {} more", problems.len() - MAX_LOGGED);
    }
    if !line.is_empty() {
        tracing::warn!("{line}");
    }
}

impl Provider for SkinFolder {
    fn can_know(&self, _: &PlayerId) -> bool {
        true
    }

    fn look_up(&self, _: &Caller, player: &PlayerId) -> Result<Found> {
        let found = self.skins().find(player);
        found.ok_or_else(|| UpstreamError::no_player(player))
    }

    fn local(&self) -> Option<Arc<LocalSkins>> {
        Some(self.skins())
    }

    fn refresh(&self, _: &Caller) {
        if let Err(reason) = self.read() {
            tracing::warn!("the skins of a folder stay as they were: {reason}");
        }
    }
}

impl Provider for Arc<LocalSkins> {
    fn can_know(&self, _: &PlayerId) -> bool {
        true
    }

    fn look_up(&self, _: &Caller, player: &PlayerId) -> Result<Found> {
        self.find(player)
            .ok_or_else(|| UpstreamError::no_player(player))
    }

    fn local(&self) -> Option<Arc<LocalSkins>> {
        Some(Self::clone(self))
    }
}
