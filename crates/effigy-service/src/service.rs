//! The service: everything it holds, and what it answers beside pictures.

use std::{fmt, num::NonZeroUsize, sync::Arc, thread, time::SystemTime};

use effigy_player::{Edition, PlayerId};
use effigy_render::Skin;
use effigy_store::{Store, StoreError};
use effigy_upstream::{Resolved, SkinSource};

use crate::{
    Clock, Endpoint, HealthReport, Image, ServiceError, blocking::BlockingPool, error::chain,
    single_flight::SingleFlight,
};

/// Calls to the upstreams that may be under way at once. A call mostly waits, so this is about
/// memory, not processors.
const UPSTREAM_CALLS: usize = 128;

/// Renders that may wait for a processor; they take milliseconds each.
const WAITING_RENDERS: usize = 1024;

/// An error that everybody who waited for the work gets.
pub(crate) type Shared<T> = Result<T, Arc<ServiceError>>;

/// The request flow over a store and a source of skins. Clones are handles to one service.
pub struct Service<St, So> {
    pub(crate) inner: Arc<Inner<St, So>>,
}

pub(crate) struct Inner<St, So> {
    pub(crate) store: St,
    pub(crate) source: So,
    pub(crate) clock: Clock,
    pub(crate) renders: SingleFlight<String, Shared<Image>>,
    pub(crate) look_ups: SingleFlight<PlayerId, Shared<Arc<Resolved<Skin>>>>,
    pub(crate) health_checks: SingleFlight<(), HealthReport>,
    pub(crate) upstream_calls: BlockingPool,
    pub(crate) drawing: BlockingPool,
    /// The health check's own lane, so that a full house does not look like an outage.
    pub(crate) pings: BlockingPool,
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    /// A service that keeps its pictures in `store` and gets its skins from `source`.
    #[must_use]
    pub fn new(store: St, source: So, clock: Clock) -> Self {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            inner: Arc::new(Inner {
                store,
                source,
                clock,
                renders: SingleFlight::new(),
                look_ups: SingleFlight::new(),
                health_checks: SingleFlight::new(),
                upstream_calls: BlockingPool::new("upstream calls", UPSTREAM_CALLS, 0),
                drawing: BlockingPool::new("renders", processors, WAITING_RENDERS),
                pings: BlockingPool::new("pings", 1, 0),
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
        logged(endpoint, self.inner.store.count(edition).await)
    }

    /// The count of every edition, descending; equal ones with Java first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn counts(&self) -> Result<Vec<(Edition, u64)>, ServiceError> {
        logged(Endpoint::AllStatsSorted, self.inner.store.counts().await)
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
