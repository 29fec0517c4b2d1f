//! A folder of skin files, which is asked before another source.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use effigy_player::PlayerId;

use super::LocalSkins;
use super::error::SkinFolderError;
use super::listing::{self, Listing};
use super::player::normalized;
use super::skin_file::FileChecks;
use crate::error::UpstreamError;
use crate::limits::UpstreamState;
use crate::profile::Profile;
use crate::source::{FoundNames, Revision, SkinSource};
use crate::texture::{TextureHash, TextureUrl};

/// A folder of [`SkinFile`](crate::SkinFile)s. Another source is asked for the players that have none there.
///
/// Look-ups in the folder read no file: it is read by [`open`](Self::open) and
/// [`refresh`](Self::refresh).
pub struct SkinFolder {
    path: PathBuf,
    base_url: String,
    checks: FileChecks,
    inner: Box<dyn SkinSource>,
    /// The files as they were last read.
    files: Mutex<Files>,
    skins: RwLock<Arc<LocalSkins>>,
}

#[derive(Default)]
struct Files {
    listing: Listing,
    problems: Problems,
}

/// The reasons why files are not used, by the names of the files.
type Problems = BTreeMap<OsString, String>;

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
            files: Mutex::default(),
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
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let listing = listing::read(&self.path, &files.listing, self.checks)?;
        if listing == files.listing {
            // The states of the files may be newer.
            files.listing = listing;
            return Ok(());
        }
        let (skins, problems) = self.skins_of(&listing);
        self.log_new(&problems, &files.problems);
        if skins != *self.skins() {
            let (folder, used) = (self.path.display(), listing.len() - problems.len());
            tracing::info!(%folder, files = used, "skins were read");
            *self.skins.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(skins);
        }
        *files = Files { listing, problems };
        Ok(())
    }

    /// Returns the players of files, and the files that are not used.
    fn skins_of(&self, listing: &Listing) -> (LocalSkins, Problems) {
        let mut skins = LocalSkins::new(self.base_url.clone());
        let good = listing
            .values()
            .filter_map(|file| file.content.as_ref().ok());
        let unused = skins.insert_files(good).into_iter();
        let mut problems: Problems = unused
            .map(|(file, error)| (file.name.clone().into(), error.reason()))
            .collect();
        problems.extend(listing.iter().filter_map(|(name, file)| {
            let error = file.content.as_ref().err()?;
            Some((name.clone(), error.reason()))
        }));
        (skins, problems)
    }

    fn log_new(&self, problems: &Problems, last: &Problems) {
        for (name, problem) in problems {
            if last.get(name) != Some(problem) {
                // In quotes, so that a name cannot forge a line.
                tracing::warn!("{:?} is not used: {problem}", self.path.join(name));
            }
        }
    }

    fn skins(&self) -> Arc<LocalSkins> {
        let skins = self.skins.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&skins)
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
        let is_known = |player| known.players.contains_key(&normalized(&player));
        // Those of this folder are left to the other methods.
        let others = names.iter().cloned();
        let others: Vec<String> = others
            .filter(|name| !is_known(PlayerId::JavaName(name.clone())))
            .collect();
        let mut found = self.inner.java_uuids(&others)?;
        // So are those whose UUID has a file, since a request by the name does not show that.
        found.retain(|_, uuid| uuid.is_none_or(|uuid| !is_known(PlayerId::JavaUuid(uuid))));
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
        let player = PlayerId::detect(input).ok()?;
        let known = self.skins();
        let known = known.players.get(&normalized(&player))?;
        Some(known.revision)
    }
}

impl fmt::Debug for SkinFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkinFolder")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
