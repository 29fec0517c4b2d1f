//! The service: its parts, and what it answers apart from files.

use std::{
    fmt, io,
    net::IpAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::SystemTime,
};

use effigy_player::Edition;
use effigy_store::{LIFETIME, Store, StoreError};
use effigy_upstream::{SkinSource, error_chain};
use prometheus::proto::MetricFamily;

use crate::{
    Client, Clock, HealthReport, Image, ServiceConfig, ServiceError,
    cache::{memory::MemoryCache, reads::StoreReads, writer::Writer},
    error::Shared,
    gate::Gate,
    health::HealthChecks,
    metrics::{ServiceMetrics, values},
    players::{LookUp, Resolved, SkinId},
    request::key::CacheKey,
    single_flight::SingleFlight,
};

/// The approximate size of the resolved players in memory, with their textures.
const PLAYER_BYTES: u64 = 16 << 20;

/// The request flow over a store and a source of skins. Clones are handles to one service.
#[derive(Clone)]
pub struct Service {
    pub(crate) state: Arc<State>,
}

impl Service {
    /// A service that stores pictures in `store` and gets skins from `source`. It must be created in a
    /// runtime of `tokio`, which runs the task that writes to the store.
    ///
    /// # Errors
    /// If a drawing thread cannot be started.
    pub fn new(
        store: Arc<dyn Store>,
        source: Arc<dyn SkinSource>,
        clock: Clock,
        config: ServiceConfig,
    ) -> io::Result<Self> {
        let lifetime = LIFETIME.saturating_add(config.stale_if_error);
        let metrics = ServiceMetrics::new();
        let state = State {
            gate: Gate::new(config.client_limits, metrics.refused.clone())?,
            memory: MemoryCache::new(config.memory_cache_bytes, lifetime),
            reads: StoreReads::new(Arc::clone(&store), lifetime),
            writer: Writer::start(Arc::clone(&store)),
            metrics,
            files: SingleFlight::default(),
            look_ups: SingleFlight::default(),
            players: Arc::new(MemoryCache::new(PLAYER_BYTES, config.player_ttl)),
            health: HealthChecks::default(),
            store,
            source,
            clock,
            config,
        };
        Ok(Self {
            state: Arc::new(state),
        })
    }

    /// Returns the client at an address, in whose name work is done. One that is not limited takes its turn
    /// like any other, but is refused only if a limit of all clients is reached.
    #[must_use]
    pub fn client(&self, address: IpAddr, is_limited: bool) -> Client {
        self.state.gate.client(address, is_limited)
    }

    /// Returns a client without an address, for work that no client is charged for.
    #[must_use]
    pub fn own_client(&self) -> Client {
        self.state.gate.own_client()
    }

    /// Returns `true` if so many bytes wait for clients that the longest-stalled response should go.
    #[must_use]
    pub fn is_short_of_bytes(&self) -> bool {
        self.state.gate.is_short_of_bytes()
    }

    /// Checks the service's health, or returns the last report if it is recent. Simultaneous calls share one
    /// check.
    pub async fn health(&self) -> HealthReport {
        let state = &self.state;
        state.health.report(state).await
    }

    /// Returns the number of pictures rendered for each edition, descending; Java first on a tie.
    ///
    /// # Errors
    /// If the client is refused, or the database fails.
    pub async fn counts(&self, client: &Client) -> Result<Vec<(Edition, u64)>, ServiceError> {
        client.read()?;
        let counts = self.state.writer.counts().await;
        let warn = |error: &StoreError| tracing::warn!("no counts: {}", error_chain(error));
        Ok(counts.inspect_err(warn)?)
    }

    /// Waits until the queue of pictures and counts is written to the store, which does not happen while the
    /// store fails. Call it last before the program ends.
    pub async fn flush(&self) {
        self.state.writer.flush().await;
    }

    /// Returns what the service has done since its start, and its state, for Prometheus.
    #[must_use]
    pub fn metrics(&self) -> Vec<MetricFamily> {
        let state = &self.state;
        let (gate, writes) = (&state.gate, &state.writer.shared);
        let (waiting, running) = gate.jobs();
        let (entries, bytes) = state.memory.usage();
        let now = values! {
            effigy_clients "Clients whose use of the service is remembered." gate.clients();
            effigy_waiting_bytes "Bytes of responses and uploads that wait for clients." gate.waiting_bytes();
            effigy_work_waiting "Pictures and documents that wait for a drawing thread." waiting;
            effigy_work_running "Pictures and documents that drawing threads work on." running;
            effigy_misses_in_flight "Files that are being made, or waited for." state.files.in_flight();
            effigy_resolves_in_flight "Players being looked up." state.look_ups.in_flight();
            effigy_memory_cache_entries "Approximate number of pictures in memory." entries;
            effigy_memory_cache_bytes "Approximate bytes of pictures in memory." bytes;
            effigy_database_reads_down "1 while the database does not answer reads."
                u8::from(state.reads.is_paused());
            effigy_database_writes_down "1 while the database accepts no writes."
                u8::from(writes.is_down.load(Relaxed));
            effigy_write_queue_images "Pictures that wait to be written to the database."
                state.writer.queued_images();
            effigy_write_queue_bytes "Bytes of pictures that wait to be written to the database."
                writes.queued_bytes.load(Relaxed);
            effigy_write_dropped_images_total
                "Pictures that were not stored because too many waited or the database refused them."
                writes.dropped.load(Relaxed);
        };
        let mut families = state.metrics.gather(&state.source.states());
        families.extend(now.into_iter().flatten());
        families
    }

    /// Returns the time on the service's clock.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.state.now()
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

/// The parts of a service.
pub(crate) struct State {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) source: Arc<dyn SkinSource>,
    pub(crate) clock: Clock,
    pub(crate) config: ServiceConfig,
    pub(crate) metrics: ServiceMetrics,
    pub(crate) gate: Arc<Gate>,
    /// The most requested files, in front of the store, with the store's lifetime.
    pub(crate) memory: MemoryCache<String, Image>,
    pub(crate) reads: StoreReads,
    pub(crate) writer: Writer,
    /// The files that are being made, by their keys.
    pub(crate) files: SingleFlight<String, Shared<Image>>,
    /// The skins that are being looked up.
    pub(crate) look_ups: SingleFlight<SkinId, Shared<LookUp>>,
    /// Those that were found a moment ago, so that several pictures of a player take one look-up.
    pub(crate) players: Arc<MemoryCache<SkinId, Resolved>>,
    health: HealthChecks,
}

impl State {
    pub(crate) fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// Returns the file under a key if it is in memory and fresh.
    pub(crate) fn in_memory(&self, key: &str) -> Option<Image> {
        let now = self.now();
        let found = self.memory.get(key, now);
        found.filter(|image| image.is_fresh(now))
    }

    /// Returns the key of the file that shows the players' skins as they are now.
    ///
    /// It contains the revision of the players in the folder of skins, so a changed skin makes another file,
    /// which every process with the same folder finds.
    pub(crate) fn current(&self, key: &CacheKey) -> CacheKey {
        match key.revision_in(&*self.source) {
            Some(revision) => key.at(revision),
            None => key.clone(),
        }
    }
}
