//! A folder of skin files, which is asked before another source.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use effigy_player::PlayerId;

use super::listing::{self, Listing, SkinFolderError, reason};
use super::skin_file::FileChecks;
use super::skins::LocalSkins;
use crate::error::UpstreamError;
use crate::limits::UpstreamState;
use crate::profile::Profile;
use crate::source::{FoundNames, Revision, SkinSource};
use crate::texture::{TextureHash, TextureUrl};

/// The most problems in one line of the log.
const MAX_LOGGED: usize = 10;

/// A folder of [`SkinFile`](crate::SkinFile)s. Another source is asked for the players that have none there.
///
/// Look-ups in the folder read no file: it is read by [`open`](Self::open) and
/// [`refresh`](Self::refresh).
pub struct SkinFolder {
    path: PathBuf,
    base_url: String,
    checks: FileChecks,
    inner: Box<dyn SkinSource>,
    last: Mutex<LastRead>,
    skins: RwLock<Arc<LocalSkins>>,
}

/// The folder as it was last read.
#[derive(Default)]
struct LastRead {
    listing: Listing,
    problems: BTreeSet<String>,
}

impl SkinFolder {
    /// Reads a folder, which is asked before `inner`. Profiles name the URL of a texture as
    /// `<base_url>/<hash>`. Files that cannot be used are logged.
    ///
    /// # Errors
    ///
    /// [`SkinFolderError`] if the folder cannot be read, or has too many or too long files.
    pub fn open(
        path: impl Into<PathBuf>,
        base_url: impl Into<String>,
        checks: FileChecks,
        inner: impl SkinSource,
    ) -> Result<Self, SkinFolderError> {
        let base_url = base_url.into();
        let folder = Self {
            path: path.into(),
            skins: RwLock::new(Arc::new(LocalSkins::new(base_url.clone()))),
            base_url,
            checks,
            inner: Box::new(inner),
            last: Mutex::default(),
        };
        folder.refresh()?;
        Ok(folder)
    }

    /// Reads the files that have changed. After an error, everything is as it was before. Blocks.
    ///
    /// # Errors
    ///
    /// [`SkinFolderError`] if the folder cannot be read, or has too many or too long files.
    pub fn refresh(&self) -> Result<(), SkinFolderError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let listing = listing::read(&self.path, &last.listing, self.checks)?;
        if listing == last.listing {
            return Ok(());
        }
        let mut skins = LocalSkins::new(self.base_url.clone());
        let good = listing
            .values()
            .filter_map(|read| read.content.as_ref().ok());
        let unused = skins.insert_files(good).into_iter();
        let mut problems: BTreeSet<String> = unused
            .map(|(file, error)| self.problem(file.name.as_ref(), &reason(&error)))
            .collect();
        problems.extend(listing.iter().filter_map(|(name, read)| {
            let reason = read.content.as_ref().err()?;
            Some(self.problem(name.as_ref(), reason))
        }));
        log(problems.difference(&last.problems));
        if skins != *self.skins() {
            let (folder, used) = (self.path.display(), listing.len() - problems.len());
            tracing::info!(%folder, files = used, "skins were read");
            *self.skins.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(skins);
        }
        *last = LastRead { listing, problems };
        Ok(())
    }

    /// Describes why a file is not used. Its name is in quotes, so that it cannot forge a line.
    fn problem(&self, name: &Path, reason: &str) -> String {
        format!("{:?} is not used: {reason}", self.path.join(name))
    }

    fn skins(&self) -> Arc<LocalSkins> {
        let skins = self.skins.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&skins)
    }
}

/// Logs problems in one line: lines that come together may be held back as too many.
fn log<'a>(problems: impl Iterator<Item = &'a String>) {
    let problems: Vec<&str> = problems.map(String::as_str).collect();
    let mut line = problems[..problems.len().min(MAX_LOGGED)].join("; ");
    if problems.len() > MAX_LOGGED {
        line += &format!("; and {} more", problems.len() - MAX_LOGGED);
    }
    if !line.is_empty() {
        tracing::warn!("{line}");
    }
}

impl SkinSource for SkinFolder {
    fn deadline(&self) -> Instant {
        self.inner.deadline()
    }

    fn profile(&self, player: &PlayerId, deadline: Instant) -> Result<Profile, UpstreamError> {
        match self.skins().profile(player, deadline) {
            Err(UpstreamError::PlayerNotFound { .. }) => self.inner.profile(player, deadline),
            found => found,
        }
    }

    fn java_uuids(&self, names: &[String]) -> Result<FoundNames, UpstreamError> {
        let known = self.skins();
        // Those of this folder are left to `profile`.
        let is_other = |name: &&String| !known.contains(&PlayerId::JavaName((*name).clone()));
        let others: Vec<String> = names.iter().filter(is_other).cloned().collect();
        let mut found = self.inner.java_uuids(&others)?;
        // So are those whose UUID has a file, since a request by the name does not show that.
        let is_known = |uuid| known.contains(&PlayerId::JavaUuid(uuid));
        found.retain(|_, uuid| !uuid.is_some_and(is_known));
        Ok(found)
    }

    fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Vec<u8>, UpstreamError> {
        match self.skins().texture(url, deadline) {
            Err(UpstreamError::TextureUrl { .. }) => self.inner.texture(url, deadline),
            found => found,
        }
    }

    fn texture_by_hash(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
        match self.skins().texture_by_hash(hash) {
            Err(UpstreamError::TextureNotFound { .. }) => self.inner.texture_by_hash(hash),
            found => found,
        }
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        self.inner.ping()
    }

    fn states(&self) -> Vec<UpstreamState> {
        self.inner.states()
    }

    fn revision(&self, input: &str) -> Option<Revision> {
        self.skins().revision_of(input)
    }
}

impl fmt::Debug for SkinFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkinFolder")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
