//! The service: everything it holds, and what it answers beside pictures.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

use effigy_player::{Edition, Model, PlayerId};
use effigy_store::{LIFETIME, Store, StoreError};
use effigy_upstream::{SkinSource, TextureHash};
use tokio::sync::Semaphore;

use crate::{
    Clock, Endpoint, Figures, HealthReport, Image, Observer, PlayerSkin, ServiceConfig,
    ServiceError, cache::memory::MemoryCache, cache::store_state::StoreState,
    cache::write_behind::WriteBehind, error::chain, health::last_ping::LastPing,
    log_throttle::Seldom, pool::blocking::BlockingPool, pool::drawing::DrawingPool,
    pool::large_pictures::LongPlaces, single_flight::SingleFlight,
};

/// Players that may be looked up at once: twice as many as one upstream has places for, so that one
/// that hangs leaves room for the others. A look-up mostly waits, so this is about memory, not
/// processors.
const UPSTREAM_CALLS: usize = 256;

/// Renders that may wait for a processor; they take milliseconds each.
const WAITING_RENDERS: usize = 512;

/// Pictures that may be in the making at once, from the look into the database to the last byte.
/// Who comes after that is refused at once, so that those who are served are served in good time.
const MISSES: usize = 512;

/// How long pictures are not looked for in a database that failed to answer.
const READ_PAUSE: Duration = Duration::from_secs(1);

/// The log says at most so often that requests are refused.
const OVERLOAD_NOTICE: Duration = Duration::from_secs(10);

/// An error that everybody who waited for the work gets.
pub(crate) type Shared<T> = Result<T, Arc<ServiceError>>;

/// The request flow over a store and a source of skins. Clones are handles to one service.
pub struct Service<St, So> {
    pub(crate) inner: Arc<Inner<St, So>>,
}

pub(crate) struct Inner<St, So> {
    pub(crate) store: Arc<St>,
    pub(crate) source: So,
    pub(crate) clock: Clock,
    pub(crate) observer: Observer,
    pub(crate) memory: MemoryCache,
    /// How old a picture may be that is served in an outage.
    pub(crate) lifetime: Duration,
    pub(crate) writer: WriteBehind<St>,
    /// Whether pictures can be read from the store.
    pub(crate) reads: StoreState,
    pub(crate) misses: Semaphore,
    pub(crate) overload: Seldom,
    pub(crate) renders: SingleFlight<String, Shared<Image>>,
    pub(crate) look_ups: SingleFlight<PlayerId, Shared<Arc<PlayerSkin>>>,
    pub(crate) textures: SingleFlight<(TextureHash, Model), Shared<Arc<PlayerSkin>>>,
    pub(crate) health_checks: SingleFlight<(), HealthReport>,
    pub(crate) last_ping: LastPing,
    pub(crate) upstream_calls: BlockingPool,
    pub(crate) drawing: DrawingPool,
    pub(crate) long_places: LongPlaces,
    /// The health check's own lane, so that a full house does not look like an outage.
    pub(crate) pings: BlockingPool,
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// A service that keeps its pictures in `store` and gets its skins from `source`.
    #[must_use]
    pub fn new(store: St, source: So, clock: Clock, config: ServiceConfig) -> Self {
        let store = Arc::new(store);
        let lifetime = LIFETIME.saturating_add(config.stale_if_error);
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            inner: Arc::new(Inner {
                source,
                clock,
                observer: config.observer,
                memory: MemoryCache::new(config.memory_cache, lifetime),
                lifetime,
                writer: WriteBehind::new(Arc::clone(&store)),
                reads: StoreState::new("answers reads", READ_PAUSE),
                misses: Semaphore::new(MISSES),
                overload: Seldom::new(OVERLOAD_NOTICE),
                renders: SingleFlight::new(),
                look_ups: SingleFlight::new(),
                textures: SingleFlight::new(),
                health_checks: SingleFlight::new(),
                last_ping: LastPing::new(config.health_ping_every),
                upstream_calls: BlockingPool::new("upstream calls", UPSTREAM_CALLS, 0),
                drawing: DrawingPool::new(processors, WAITING_RENDERS),
                long_places: LongPlaces::new(processors),
                pings: BlockingPool::new("pings", 1, 0),
                store,
            }),
        }
    }

    /// How many pictures were rendered for players of `edition`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count(&self, edition: Edition) -> Result<u64, ServiceError> {
        let endpoint = match edition {
            Edition::Java => Endpoint::AllStats,
            Edition::Bedrock => Endpoint::AllStatsBedrock,
        };
        let counts = logged(endpoint, self.inner.writer.counts().await)?;
        Ok(counts.of(edition))
    }

    /// The count of every edition, descending; equal ones with Java first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn counts(&self) -> Result<Vec<(Edition, u64)>, ServiceError> {
        let counts = logged(Endpoint::AllStatsSorted, self.inner.writer.counts().await)?;
        Ok(counts.descending())
    }

    /// Writes to the store whatever still waits to be written. A service that ends does so last.
    ///
    /// # Errors
    /// When the database fails; what was not written waits on.
    pub async fn flush(&self) -> Result<(), ServiceError> {
        Ok(self.inner.writer.flush().await?)
    }

    /// Where its skins come from.
    #[must_use]
    pub fn source(&self) -> &So {
        &self.inner.source
    }

    /// The state of the service in numbers.
    #[must_use]
    pub fn figures(&self) -> Figures {
        let inner = &self.inner;
        let (memory_entries, memory_bytes) = inner.memory.size();
        Figures {
            memory_entries,
            memory_bytes,
            misses_in_flight: MISSES.saturating_sub(inner.misses.available_permits()),
            look_ups_in_flight: inner.look_ups.in_flight(),
            renders_in_flight: inner.drawing.taken(),
            long_pictures_in_flight: inner.long_places.taken(),
            reads_are_down: inner.reads.is_down(),
            writes: inner.writer.figures(),
        }
    }

    /// The time on the service's clock.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.inner.clock.now()
    }
}

/// A number from the database, or the error for the caller after the log has it.
fn logged<T>(endpoint: Endpoint, answer: Result<T, StoreError>) -> Result<T, ServiceError> {
    answer.map_err(ServiceError::Store).inspect_err(|error| {
        tracing::warn!(endpoint = endpoint.word(), "{}", chain(error));
    })
}

impl<St, So> Clone for Service<St, So> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<St, So> fmt::Debug for Service<St, So> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}
