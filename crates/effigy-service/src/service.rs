//! The service: its parts, and what it answers apart from files.

use std::{fmt, io, sync::Arc, time::SystemTime};

use effigy_player::Edition;
use effigy_store::{LIFETIME, Store, StoreError};
use effigy_upstream::{SkinSource, UpstreamState, error_chain};

use crate::{
    Client, Clock, ServiceConfig, ServiceMetrics, SharedResource, WriteStatus, error::Result,
    files::Files, gate::Gate, health::HealthChecks, players::Players,
};

/// The state of a service at one moment.
#[derive(Debug, Clone)]
pub struct ServiceStatus {
    /// Clients whose use of the service is remembered.
    pub clients: usize,
    /// Bytes of responses and uploads that wait for clients.
    pub waiting_bytes: usize,
    /// Pictures and documents that wait for a drawing thread.
    pub work_waiting: usize,
    /// Pictures and documents that drawing threads work on.
    pub work_running: usize,
    /// Files that are being made, or waited for.
    pub files_in_flight: usize,
    /// Players being looked up.
    pub look_ups_in_flight: usize,
    /// Approximate number of files in memory.
    pub memory_cache_files: u64,
    /// Approximate bytes of files in memory.
    pub memory_cache_bytes: u64,
    /// `true` while the database does not answer reads.
    pub is_reading_paused: bool,
    /// The way of files to the database.
    pub writes: WriteStatus,
    /// The limits of each upstream.
    pub upstreams: Vec<UpstreamState>,
}

/// The request flow over a store and a source of skins. Clones are handles to one service.
#[derive(Clone)]
pub struct Service {
    pub(crate) state: Arc<State>,
}

impl Service {
    /// A service that stores pictures in `store` and gets skins from `source`, and counts what it does in `metrics`.
    /// It must be created in a runtime of `tokio`, which runs the task that writes to the store.
    ///
    /// # Errors
    /// If a drawing thread cannot be started.
    pub fn new(
        store: Arc<dyn Store>,
        source: Arc<dyn SkinSource>,
        clock: Clock,
        config: ServiceConfig,
        metrics: ServiceMetrics,
    ) -> io::Result<Self> {
        let lifetime = LIFETIME.saturating_add(config.stale_if_error);
        let state = Arc::new(State {
            gate: Gate::new(config.client_limits, metrics.refused.clone())?,
            files: Files::new(Arc::clone(&store), config.memory_cache_bytes, lifetime),
            players: Players::new(config.player_ttl),
            metrics,
            health: HealthChecks::default(),
            store,
            source,
            clock,
            config,
        });
        Ok(Self { state })
    }

    /// Returns the bounds of all clients, which all work of the service passes.
    #[must_use]
    pub fn gate(&self) -> &Arc<Gate> {
        &self.state.gate
    }

    /// Returns the number of pictures rendered for each edition, descending; Java first on a tie.
    ///
    /// # Errors
    /// If the client is refused, or the database fails.
    pub async fn counts(&self, client: &Client) -> Result<Vec<(Edition, u64)>> {
        client.read()?;
        let counts = self.state.files.writer.counts().await;
        let warn = |error: &StoreError| tracing::warn!("no counts: {}", error_chain(error));
        Ok(counts.inspect_err(warn)?)
    }

    /// Waits until the queue of pictures and counts is written to the store, which does not happen while the
    /// store fails. Call it last before the program ends.
    pub async fn flush(&self) {
        self.state.files.writer.flush().await;
    }

    /// Returns the state of the service at the moment.
    #[must_use]
    pub fn status(&self) -> ServiceStatus {
        let state = &self.state;
        let (work_waiting, work_running) = state.gate.jobs();
        let (memory_cache_files, memory_cache_bytes) = state.files.memory.usage();
        ServiceStatus {
            clients: state.gate.clients(),
            waiting_bytes: state.gate.used(SharedResource::Bytes),
            work_waiting,
            work_running,
            files_in_flight: state.files.in_flight.in_flight(),
            look_ups_in_flight: state.players.in_flight(),
            memory_cache_files,
            memory_cache_bytes,
            is_reading_paused: state.files.reads.is_paused(),
            writes: state
                .files
                .writer
                .status(state.gate.used(SharedResource::Writes)),
            upstreams: state.source.states(),
        }
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
    pub(crate) files: Files,
    pub(crate) players: Players,
    pub(crate) health: HealthChecks,
}

impl State {
    pub(crate) fn now(&self) -> SystemTime {
        (self.clock)()
    }
}
