//! The service: its parts, and what it answers apart from files.

use std::{fmt, io, net::IpAddr, sync::Arc, time::SystemTime};

use effigy_player::Edition;
use effigy_store::{LIFETIME, Store};
use effigy_upstream::{SkinSource, UpstreamState};
use tokio::sync::{Mutex, Semaphore};

use crate::{
    Clock, Endpoint, ServiceConfig, ServiceError, ServiceMetrics, ServiceSnapshot,
    cache::{memory::MemoryCache, reads::StoreReads, writer::Writer},
    error::error_chain,
    gate::{Client, Gate},
    players::ResolvedPlayers,
    single_flight::SingleFlight,
    state::State,
};

/// Calls of the source of skins at once: twice the limit of one upstream, so that a hanging upstream leaves
/// room for the others. A call mostly waits, so this is about memory, not processors.
const MAX_SOURCE_CALLS: usize = 256;

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
            source,
            clock,
            metrics: ServiceMetrics::default(),
            gate: Gate::new(config.client_limits)?,
            memory: MemoryCache::new(config.memory_cache_bytes, lifetime),
            reads: StoreReads::new(Arc::clone(&store), lifetime),
            writer: Writer::start(Arc::clone(&store)),
            files: SingleFlight::new(),
            look_ups: SingleFlight::new(),
            players: ResolvedPlayers::new(config.player_ttl),
            reuses_players: config.player_ttl_everywhere,
            health_ttl: config.health_ttl,
            last_report: Mutex::default(),
            ping: Arc::default(),
            source_calls: Arc::new(Semaphore::new(MAX_SOURCE_CALLS)),
            store,
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

    /// Returns `true` if so many bytes wait for clients that the longest-stalled response should go.
    #[must_use]
    pub fn is_short_of_bytes(&self) -> bool {
        self.state.gate.is_short_of_bytes()
    }

    /// Returns the number of pictures rendered for players of `edition`.
    ///
    /// # Errors
    /// If the client is refused, or the database fails.
    pub async fn count(&self, client: &Client, edition: Edition) -> Result<u64, ServiceError> {
        let endpoint = match edition {
            Edition::Java => Endpoint::AllStats,
            Edition::Bedrock => Endpoint::AllStatsBedrock,
        };
        let counts = self.read_counts(client, endpoint).await?;
        let count = counts.into_iter().find(|(found, _)| *found == edition);
        Ok(count.map_or(0, |(_, count)| count))
    }

    /// Returns the count of every edition, descending; Java first on a tie.
    ///
    /// # Errors
    /// If the client is refused, or the database fails.
    pub async fn counts(&self, client: &Client) -> Result<Vec<(Edition, u64)>, ServiceError> {
        self.read_counts(client, Endpoint::AllStatsSorted).await
    }

    async fn read_counts(
        &self,
        client: &Client,
        endpoint: Endpoint,
    ) -> Result<Vec<(Edition, u64)>, ServiceError> {
        client.read()?;
        let counts = self.state.writer.counts().await;
        Ok(counts.inspect_err(|error| {
            tracing::warn!(endpoint = endpoint.word(), "{}", error_chain(error));
        })?)
    }

    /// Writes the queue of pictures and counts to the store. Call it last before the program ends.
    ///
    /// # Errors
    /// If the database fails. Pictures that were queued may be lost.
    pub async fn flush(&self) -> Result<(), ServiceError> {
        Ok(self.state.writer.flush().await?)
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
        ServiceSnapshot {
            memory_entries,
            memory_bytes,
            misses_in_flight: state.files.in_flight(),
            look_ups_in_flight: state.look_ups.in_flight(),
            reads_are_down: state.reads.is_paused(),
            writes: state.writer.snapshot(),
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
