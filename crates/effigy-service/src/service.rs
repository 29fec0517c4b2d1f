//! The service: its parts, and what it answers apart from files.

use std::{
    fmt, io,
    net::IpAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::SystemTime,
};

use effigy_player::Edition;
use effigy_store::{LIFETIME, Store, StoreError};
use effigy_upstream::{Revision, SkinSource, UpstreamState};
use twox_hash::XxHash3_128;

use crate::{
    Client, Clock, HealthReport, Image, ServiceConfig, ServiceError, ServiceMetrics,
    ServiceSnapshot,
    cache::{memory::MemoryCache, reads::StoreReads, writer::Writer},
    error::{Shared, error_chain},
    gate::Gate,
    health::HealthChecks,
    players::{LookUp, ResolvedPlayers, SkinId},
    request::key::CacheKey,
    single_flight::SingleFlight,
};

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
        let state = State {
            gate: Gate::new(config.client_limits)?,
            memory: MemoryCache::new(config.memory_cache_bytes, lifetime),
            reads: StoreReads::new(Arc::clone(&store), lifetime),
            writer: Writer::start(Arc::clone(&store)),
            metrics: ServiceMetrics::default(),
            files: SingleFlight::default(),
            look_ups: SingleFlight::default(),
            players: ResolvedPlayers::new(config.player_ttl, source.ignores_case()),
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
        let report = (state.health).report(
            &*state.store,
            &state.source,
            &state.clock,
            state.config.health_ttl,
        );
        report.await
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

    /// Returns the state of each upstream, for metrics.
    #[must_use]
    pub fn states(&self) -> Vec<UpstreamState> {
        self.state.source.states()
    }

    /// Returns what the service has done since its start, for metrics.
    #[must_use]
    pub fn metrics(&self) -> &ServiceMetrics {
        &self.state.metrics
    }

    /// Returns the state of the service, for metrics.
    #[must_use]
    pub fn snapshot(&self) -> ServiceSnapshot {
        let state = &self.state;
        let (memory_entries, memory_bytes) = state.memory.usage();
        let writes = &state.writer.shared;
        ServiceSnapshot {
            memory_entries,
            memory_bytes,
            misses_in_flight: state.files.in_flight(),
            look_ups_in_flight: state.look_ups.in_flight(),
            reads_are_down: state.reads.is_paused(),
            queued_images: state.writer.queued_images(),
            queued_bytes: writes.queued_bytes.load(Relaxed),
            dropped_images: writes.dropped.load(Relaxed),
            writes_are_down: writes.is_down.load(Relaxed),
            gate: state.gate.snapshot(),
        }
    }

    /// Returns the time on the service's clock.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.state.clock.now()
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

/// The parts of a service.
pub(crate) struct State {
    store: Arc<dyn Store>,
    pub(crate) source: Arc<dyn SkinSource>,
    pub(crate) clock: Clock,
    pub(crate) config: ServiceConfig,
    pub(crate) metrics: ServiceMetrics,
    pub(crate) gate: Arc<Gate>,
    pub(crate) memory: MemoryCache,
    pub(crate) reads: StoreReads,
    pub(crate) writer: Writer,
    /// The files that are being made, by their keys.
    pub(crate) files: SingleFlight<String, Shared<Image>>,
    /// The skins that are being looked up.
    pub(crate) look_ups: SingleFlight<SkinId, Shared<LookUp>>,
    pub(crate) players: ResolvedPlayers,
    health: HealthChecks,
}

impl State {
    pub(crate) fn now(&self) -> SystemTime {
        self.clock.now()
    }

    /// Returns the key of the file that shows the players' skins as they are now.
    ///
    /// It contains the revision of the players in the folder of skins, so a changed skin makes another file,
    /// which every process with the same folder finds.
    pub(crate) fn current(&self, key: &CacheKey) -> CacheKey {
        match self.revision(key) {
            Some(revision) => key.at(revision),
            None => key.clone(),
        }
    }

    /// Returns `true` if the players' skins are still those of the key.
    pub(crate) fn is_current(&self, key: &CacheKey) -> bool {
        self.revision(key) == key.revision
    }

    /// Returns the revision of all players together, or `None` if none of them is in the folder of skins.
    pub(crate) fn revision(&self, key: &CacheKey) -> Option<Revision> {
        let revisions = key.inputs().map(|input| self.source.revision(input));
        if revisions.clone().all(|revision| revision.is_none()) {
            return None;
        }
        let text = |revision: Option<Revision>| revision.map_or("-".to_owned(), |r| r.to_string());
        let all: String = revisions.map(text).collect();
        Some(Revision::new(XxHash3_128::oneshot(all.as_bytes())))
    }
}
