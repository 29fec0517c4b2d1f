//! The service: its parts, its limits, and what it answers apart from files.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

use effigy_player::Edition;
use effigy_store::{LIFETIME, Store, StoreError};
use effigy_upstream::{SkinSource, UpstreamState, warn_throttled};

use crate::{
    Clock, Endpoint, HealthReport, Image, MetricsSink, MetricsSnapshot, ServiceConfig,
    ServiceError,
    cache::{circuit_breaker::CircuitBreaker, memory::MemoryCache, write_behind::WriteBehind},
    error::{Shared, chain},
    flow::{
        resolved_players::ResolvedPlayers,
        skin::{PlayerSkin, SkinId},
    },
    health::ping_cache::PingCache,
    pool::{drawing::DrawingPool, large::LargePictures, limit::Limit},
    single_flight::SingleFlight,
};

/// Players resolved at once: twice the limit of one upstream, so that a hanging upstream leaves room
/// for the others. A call mostly waits, so this is about memory, not processors.
const MAX_UPSTREAM_CALLS: usize = 256;

/// Pictures that may wait for a drawing thread. Each takes milliseconds.
const MAX_WAITING_RENDERS: usize = 512;

/// Files being made at once, from the lookup in the database to the last byte. Further requests are
/// rejected at once, so that the accepted ones are answered in time.
const MAX_MISSES: usize = 512;

/// The pause of reads from a failing database.
const READ_PAUSE: Duration = Duration::from_secs(1);

/// The request flow over a store and a source of skins. Clones are handles to one service.
#[derive(Clone)]
pub struct Service {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) source: Arc<dyn SkinSource>,
    pub(crate) clock: Clock,
    pub(crate) metrics: Option<Arc<dyn MetricsSink>>,
    pub(crate) memory: MemoryCache,
    /// The age until which a file may be served in an outage.
    pub(crate) lifetime: Duration,
    pub(crate) writer: Arc<WriteBehind>,
    /// The circuit of reads from the store.
    pub(crate) reads: CircuitBreaker,
    pub(crate) misses: Limit,
    pub(crate) renders: SingleFlight<String, Shared<Image>>,
    pub(crate) resolves: SingleFlight<SkinId, Shared<Arc<PlayerSkin>>>,
    pub(crate) players: ResolvedPlayers,
    /// `true` if requests reuse players without asking for it.
    pub(crate) reuses_players: bool,
    pub(crate) health_checks: SingleFlight<(), HealthReport>,
    pub(crate) ping_cache: PingCache,
    pub(crate) upstream_calls: Limit,
    pub(crate) drawing: DrawingPool,
    pub(crate) large_pictures: LargePictures,
    /// A limit of its own, so that a full one does not look like an outage.
    pub(crate) pings: Limit,
}

impl Service {
    /// A service that stores pictures in `store` and gets skins from `source`.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        source: Arc<dyn SkinSource>,
        clock: Clock,
        config: ServiceConfig,
    ) -> Self {
        let lifetime = LIFETIME.saturating_add(config.stale_if_error);
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let inner = Inner {
            source,
            clock,
            metrics: config.metrics,
            memory: MemoryCache::new(config.memory_cache_bytes, lifetime),
            lifetime,
            writer: WriteBehind::new(Arc::clone(&store)),
            reads: CircuitBreaker::new("answers reads", READ_PAUSE),
            misses: Limit::new("pictures", MAX_MISSES),
            renders: SingleFlight::new(),
            resolves: SingleFlight::new(),
            players: ResolvedPlayers::new(config.player_ttl),
            reuses_players: config.player_ttl_everywhere,
            health_checks: SingleFlight::new(),
            ping_cache: PingCache::new(config.health_ping_interval),
            upstream_calls: Limit::new("upstream calls", MAX_UPSTREAM_CALLS),
            drawing: DrawingPool::new(processors, MAX_WAITING_RENDERS),
            large_pictures: LargePictures::new(processors),
            pings: Limit::new("pings", 1),
            store,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Returns the number of pictures rendered for players of `edition`.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn count(&self, edition: Edition) -> Result<u64, ServiceError> {
        let endpoint = match edition {
            Edition::Java => Endpoint::AllStats,
            Edition::Bedrock => Endpoint::AllStatsBedrock,
        };
        let counts = logged(endpoint, self.inner.writer.counts().await)?;
        Ok(counts.of(edition))
    }

    /// Returns the count of every edition, descending; Java first on a tie.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn counts(&self) -> Result<Vec<(Edition, u64)>, ServiceError> {
        let counts = logged(Endpoint::AllStatsSorted, self.inner.writer.counts().await)?;
        Ok(counts.descending())
    }

    /// Writes the queue of pictures and counts to the store. Call it last before the program ends.
    ///
    /// # Errors
    /// If the database fails. The rest stays in the queue.
    pub async fn flush(&self) -> Result<(), ServiceError> {
        Ok(self.inner.writer.flush().await?)
    }

    /// Returns the state of each upstream, for metrics.
    #[must_use]
    pub fn states(&self) -> Vec<UpstreamState> {
        self.inner.source.states()
    }

    /// Returns the state of the service, for metrics.
    #[must_use]
    pub fn snapshot(&self) -> MetricsSnapshot {
        let inner = &self.inner;
        let (memory_entries, memory_bytes) = inner.memory.usage();
        MetricsSnapshot {
            memory_entries,
            memory_bytes,
            misses_in_flight: inner.misses.in_flight(),
            resolves_in_flight: inner.resolves.in_flight(),
            renders_in_flight: inner.drawing.limit.in_flight(),
            large_pictures_in_flight: inner.large_pictures.limit.in_flight(),
            reads_fail: inner.reads.is_open(),
            write_queue: inner.writer.snapshot(),
        }
    }

    /// Returns the time on the service's clock.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.inner.clock.now()
    }
}

/// Logs a failure of the database.
fn logged<T>(endpoint: Endpoint, answer: Result<T, StoreError>) -> Result<T, ServiceError> {
    answer.map_err(ServiceError::Store).inspect_err(|error| {
        warn_throttled!(endpoint = endpoint.word(), "{}", chain(error));
    })
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}
