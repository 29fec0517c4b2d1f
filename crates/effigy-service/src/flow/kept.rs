//! Files that are kept under their keys: in memory, in the store, or being made.

use super::Flow;
use crate::{Origin, ServedFile, ShelfLife, error::Result, request::key::Key, state::State};

/// The longest file that is kept.
const MAX_KEPT_BYTES: usize = 8 << 20;

impl State {
    /// Returns the file if it is in memory.
    pub(crate) fn in_memory(&self, key: &Key) -> Option<ServedFile> {
        self.memory.get(key, self.now())
    }

    /// Remembers a file, if later requests may have it, and returns it for this request.
    fn remember_made(&self, key: &Key, made: Made) -> ServedFile {
        if let Some(kept) = made.kept() {
            let created_at = kept.file.created_at;
            let from_cache = kept.clone().with_origin(Origin::Cache);
            self.memory.insert(key.clone(), created_at, from_cache);
        }
        made.into_file()
    }
}

/// A file that was found in the store or made just now.
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
    /// Returns the file under a key: kept, or made once for all who ask meanwhile.
    ///
    /// It is looked for in this order:
    /// 1. in memory ([`State::in_memory`]);
    /// 2. in flight: if another caller finds or makes it, this one waits for the same outcome
    ///    ([`run_once`](Self::run_once));
    /// 3. in the store, and if it isn't there, `make` makes it, and it is queued for the store
    ///    ([`stored_or_made`](Self::stored_or_made));
    /// 4. the file is put into memory, unless it is [incomplete](Made::Incomplete) or very long.
    ///
    /// The work runs on a flow of its own ([`alone`](Self::alone)): callers who join become askers
    /// of this file only, and not of anything else that the request needs.
    pub(crate) async fn kept_or_made<F>(
        &self,
        key: &Key,
        make: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<ServedFile>
    where
        F: Future<Output = Result<Made>> + Send,
    {
        let known = || self.state.in_memory(key);
        let own_key = key.clone();
        let find_or_make =
            move |flow: Self| async move { flow.stored_or_made(&own_key, make).await };
        let in_flight = &self.state.in_flight;
        self.alone()
            .run_once(in_flight, key.clone(), known, find_or_make)
            .await
    }

    /// Returns the file under a key: in memory, or made once for all who ask for it until it is
    /// finished. It is neither read from the store nor written to it.
    ///
    /// Callers who join are added to the askers of this flow.
    pub(crate) async fn remembered_or_made<F>(
        &self,
        key: &Key,
        make: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<ServedFile>
    where
        F: Future<Output = Result<Made>> + Send,
    {
        let known = || self.state.in_memory(key);
        let own_key = key.clone();
        let make_and_remember = move |flow: Self| async move {
            let made = make(flow.clone()).await?;
            Ok(flow.state.remember_made(&own_key, made))
        };
        let in_flight = &self.state.in_flight;
        self.clone()
            .run_once(in_flight, key.clone(), known, make_and_remember)
            .await
    }

    /// Returns the file under a key from the store, or makes and queues it. Either way, it is put
    /// into memory.
    async fn stored_or_made<F>(&self, key: &Key, make: impl FnOnce(Self) -> F) -> Result<ServedFile>
    where
        F: Future<Output = Result<Made>>,
    {
        let text = key.text();
        if let Some(stored) = self.stored(key, &text).await {
            return Ok(self.state.remember_made(key, Made::Complete(stored)));
        }
        let made = make(self.clone()).await?;
        self.store(text, &made);
        Ok(self.state.remember_made(key, made))
    }

    /// Returns the file under a key in the store, where the key is `text`, if it may still be used.
    async fn stored(&self, key: &Key, text: &str) -> Option<ServedFile> {
        let state = &self.state;
        let now = state.now();
        let times = &state.metrics.database_reads;
        let lifetime = key.lifetime(state.config.picture_age);
        let file = state.files.read(text, now, lifetime, times).await?;
        let stored = ServedFile::new(file, Origin::Cache);
        if key.is_immutable() {
            Some(stored)
        } else {
            Some(stored.with_shelf_life(ShelfLife::RestOfHour))
        }
    }

    /// Queues a new file for the store, if later requests may have it. Then the queue and the counts
    /// of renders are written soon.
    fn store(&self, text: String, made: &Made) {
        let files = &self.state.files;
        if let Some(kept) = made.kept() {
            files.put_picture(text, &kept.file);
        }
        files.write_soon();
    }
}
