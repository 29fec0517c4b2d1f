//! Files that are kept under their keys: in memory, in the store, or being made.

use std::{sync::Arc, time::Duration};

use effigy_store::LIFETIME;

use super::Flow;
use crate::{Origin, ServedFile, ShelfLife, error::Result, request::key::Key, state::State};

/// The longest file that is kept.
const MAX_KEPT_BYTES: usize = 8 << 20;

impl State {
    /// Returns the file if it is in memory.
    pub(crate) fn in_memory(&self, key: &Key) -> Option<ServedFile> {
        let now = self.now();
        let kept = self.memory.get(key, now)?;
        let age = now.duration_since(kept.file.created_at).ok()?;
        if age < self.lifetime_of(key) {
            Some(kept)
        } else {
            None
        }
    }

    /// Remembers a file for later requests.
    fn remember(&self, key: &Key, served: &ServedFile) {
        let kept = served.clone().with_origin(Origin::Cache);
        let created_at = served.file.created_at;
        self.memory.insert(key.clone(), created_at, kept);
    }

    /// Returns the age up to which a kept picture is used.
    fn lifetime_of(&self, key: &Key) -> Duration {
        if key.is_immutable() {
            self.config.picture_age
        } else {
            LIFETIME
        }
    }
}

/// A file that was made just now.
pub(crate) enum Made {
    /// It shows all that its key names.
    Complete(ServedFile),
    /// It lacks something that its key names, so it answers this request only.
    Incomplete(ServedFile),
}

impl Made {
    /// A file that is `complete` or lacks something.
    pub(crate) const fn new(served: ServedFile, complete: bool) -> Self {
        if complete {
            Self::Complete(served)
        } else {
            Self::Incomplete(served)
        }
    }

    /// Returns the file, which clients must not cache if it is incomplete.
    pub(crate) fn into_file(self) -> ServedFile {
        match self {
            Self::Complete(served) => served,
            Self::Incomplete(served) => served.with_shelf_life(ShelfLife::Revalidate),
        }
    }

    /// Returns the file if later requests may have it.
    fn kept(&self) -> Option<&ServedFile> {
        match self {
            Self::Complete(served) if served.file.data.len() <= MAX_KEPT_BYTES => Some(served),
            Self::Complete(_) | Self::Incomplete(_) => None,
        }
    }
}

impl Flow {
    /// Returns the file under a key: in memory, stored, or made once for all who ask for it until
    /// it is finished.
    pub(crate) async fn kept_or_made<F>(
        &self,
        key: &Key,
        make: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<ServedFile>
    where
        F: Future<Output = Result<Made>> + Send,
    {
        let own_key = key.clone();
        let find_or_make = move |flow: Self| async move {
            let text = own_key.text();
            if let Some(stored) = flow.stored(&own_key, &text).await {
                return Ok(Made::Complete(stored));
            }
            let made = make(flow.clone()).await?;
            flow.store(text, &made);
            Ok(made)
        };
        self.alone().remembered_or_made(key, find_or_make).await
    }

    /// Returns the file under a key: in memory, or made once for all who ask for it until it is
    /// finished. They become askers of this flow.
    pub(crate) async fn remembered_or_made<F>(
        self,
        key: &Key,
        make: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<ServedFile>
    where
        F: Future<Output = Result<Made>> + Send,
    {
        let state = Arc::clone(&self.state);
        let known = || state.in_memory(key);
        let own_key = key.clone();
        let make_and_remember = move |flow: Self| async move {
            let made = make(flow.clone()).await?;
            if let Some(kept) = made.kept() {
                flow.state.remember(&own_key, kept);
            }
            Ok(made.into_file())
        };
        self.run_once(&state.in_flight, key.clone(), known, make_and_remember)
            .await
    }

    /// Returns the file under a key in the store, where the key is `text`, if it may still be used.
    async fn stored(&self, key: &Key, text: &str) -> Option<ServedFile> {
        let state = &self.state;
        let now = state.now();
        let times = &state.metrics.database_reads;
        let lifetime = state.lifetime_of(key);
        let file = state.files.read(text, now, lifetime, times).await?;
        let stored = ServedFile::new(file, Origin::Cache);
        if key.is_immutable() {
            Some(stored)
        } else {
            Some(stored.with_shelf_life(ShelfLife::RestOfHour))
        }
    }

    /// Queues a new file for the store, if later requests may have it, and the counts.
    fn store(&self, text: String, made: &Made) {
        let files = &self.state.files;
        if let Some(kept) = made.kept() {
            files.put_picture(text, &kept.file);
        }
        files.write_soon();
    }
}
