//! Files kept for later requests: in memory, and in the store. Each is made once for all simultaneous callers.

pub(crate) mod reads;
pub(crate) mod writer;

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_store::Store;

use self::{reads::StoreReads, writer::Writer};
use crate::{
    Image, Origin, error::Result, flow::Flow, memory_cache::MemoryCache, request::key::Key,
    single_flight::SingleFlight,
};

/// The longest file that is kept.
const MAX_KEPT_BYTES: usize = 8 << 20;

/// The files of a service, by their keys.
pub(crate) struct Files {
    /// The most requested files, in front of the store, with the store's lifetime.
    pub(crate) memory: MemoryCache<Key, Image>,
    pub(crate) reads: StoreReads,
    pub(crate) writer: Writer,
    /// The files that are being made.
    pub(crate) in_flight: SingleFlight<Key, Image>,
}

impl Files {
    /// The files in `store` until they are `lifetime` old, with so many bytes of them in memory.
    pub(crate) fn new(store: Arc<dyn Store>, memory_bytes: u64, lifetime: Duration) -> Self {
        Self {
            memory: MemoryCache::new(memory_bytes, lifetime),
            reads: StoreReads::new(Arc::clone(&store), lifetime),
            writer: Writer::start(store),
            in_flight: SingleFlight::new(false),
        }
    }

    /// Returns the file if it is fresh in memory.
    pub(crate) fn in_memory(&self, key: &Key, now: SystemTime) -> Option<Image> {
        let kept = self.memory.get(key, now);
        kept.filter(|image| image.is_fresh(now))
    }

    /// Returns the file from memory or the store, or the one that `make` makes, once for all simultaneous callers.
    ///
    /// `make` gets the flow to make it in, and is told whether a stale file is available in an outage.
    pub(crate) async fn get_or_make<F>(
        &self,
        flow: &Flow,
        key: &Key,
        make: impl FnOnce(Flow, bool) -> F + Send + 'static,
    ) -> Result<Image>
    where
        F: Future<Output = Result<Image>> + Send + 'static,
    {
        let known = || self.in_memory(key, flow.now());
        let work = |client| {
            let (flow, key) = (flow.of(client), key.clone());
            async move { flow.find_or_make(&key, make).await }
        };
        self.in_flight
            .run(&flow.client, key.clone(), known, work)
            .await
    }

    /// Stores a file in memory.
    fn remember(&self, key: &Key, image: Image) {
        let (created_at, bytes) = (image.file.created_at, image.file.data.len());
        self.memory.insert(key.clone(), created_at, bytes, image);
    }
}

impl Flow {
    async fn find_or_make<F: Future<Output = Result<Image>>>(
        &self,
        key: &Key,
        make: impl FnOnce(Self, bool) -> F,
    ) -> Result<Image> {
        let made = match self.find(key).await {
            Ok(Some(image)) if image.is_fresh(self.now()) => return Ok(image),
            Ok(stale) => {
                let made = make(self.clone(), stale.is_some()).await;
                made.map_err(|error| (error, stale))
            }
            Err(refused) => Err((refused, None)),
        };
        match made {
            Ok(image) => Ok(self.keep(key, image)),
            Err((error, stale)) => {
                self.log_failure(key.spec().endpoint(), &key.spec().input(), &error);
                // It is better than nothing if an outage is the cause.
                let stale = stale.filter(|_| error.is_outage());
                stale.map_or(Err(error), |image| Ok(image.with_origin(Origin::Stale)))
            }
        }
    }

    /// Returns the newest file in memory or in the store, which may be stale.
    async fn find(&self, key: &Key) -> Result<Option<Image>> {
        self.client.read()?;
        let (files, now) = (&self.state.files, self.now());
        let times = &self.state.metrics.database_reads;
        let stored = files.reads.read(&key.text(), now, times).await;
        let bytes = stored.as_ref().map_or(0, |file| file.data.len());
        self.client.charge_bytes(bytes);
        let stored = stored.map(|file| Image {
            may_change: key.may_change(),
            ..Image::new(file, Origin::Cache)
        });
        let newest = stored.into_iter().chain(files.memory.get(key, now));
        let newest = newest.max_by_key(|image| image.file.created_at);
        if let Some(image) = &newest {
            files.remember(key, image.clone());
        }
        Ok(newest)
    }

    /// Keeps a new file for later requests, unless it is too long, or shows the wrong player or an
    /// outdated skin.
    fn keep(&self, key: &Key, mut image: Image) -> Image {
        image.may_change = key.may_change();
        let is_right = image.origin == Origin::Render && key.is_current(&*self.state.source);
        let bytes = image.file.data.len();
        if is_right && bytes <= MAX_KEPT_BYTES {
            let room = self.client.write(bytes);
            self.state.files.writer.store(key.text(), &image.file, room);
            let kept = image.clone().with_origin(Origin::Cache);
            self.state.files.remember(key, kept);
        }
        image
    }
}
