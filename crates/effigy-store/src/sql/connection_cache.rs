//! Reuse of connections from one statement to the next.
//!
//! sqlx's pool pings a connection when it is returned and again when it is acquired, which makes a
//! statement two to four round trips to the database. A connection whose statement has just
//! succeeded therefore stays in this cache, and the next statement uses it without a ping. Once a
//! second it goes back to the pool, which checks that it is alive and not too old.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{Database, Pool};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Time after which a connection goes back to the pool.
const MAX_TIME_OUTSIDE_POOL: Duration = Duration::from_secs(1);

/// A pool of connections with a cache of connections in use.
pub(super) struct ConnectionCache<DB: Database> {
    pool: Pool<DB>,
    /// One permit per connection of the pool. A statement waits here, not in the pool.
    permits: Semaphore,
    /// A stack: the connection used last is reused first.
    idle: Mutex<Vec<CheckedOut<DB>>>,
    /// Disposes of a connection whose statement was interrupted.
    abandon: fn(PoolConnection<DB>),
}

/// A connection outside its pool.
struct CheckedOut<DB: Database> {
    connection: PoolConnection<DB>,
    since: Instant,
}

impl<DB: Database> ConnectionCache<DB> {
    /// Creates an empty cache. `abandon` disposes of a connection whose statement was interrupted.
    pub(super) fn new(pool: Pool<DB>, abandon: fn(PoolConnection<DB>)) -> Self {
        let connections = pool.options().get_max_connections() as usize;
        Self {
            pool,
            permits: Semaphore::new(connections),
            idle: Mutex::default(),
            abandon,
        }
    }

    /// Checks out a connection for one statement.
    pub(super) async fn checkout(&self) -> Result<Lease<'_, DB>, sqlx::Error> {
        let timeout = self.pool.options().get_acquire_timeout();
        let permit = tokio::time::timeout(timeout, self.permits.acquire())
            .await
            .map_err(|_| sqlx::Error::PoolTimedOut)?
            .map_err(|_| sqlx::Error::PoolClosed)?;
        let connection = match self.pop_idle() {
            Some(connection) => connection,
            None => CheckedOut {
                connection: self.pool.acquire().await?,
                since: Instant::now(),
            },
        };
        Ok(Lease {
            cache: self,
            connection: Some(connection),
            _permit: permit,
        })
    }

    /// Returns overdue connections to the pool and takes the last of the others.
    fn pop_idle(&self) -> Option<CheckedOut<DB>> {
        let mut idle = self.idle();
        idle.retain(|connection| connection.since.elapsed() < MAX_TIME_OUTSIDE_POOL);
        idle.pop()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<CheckedOut<DB>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes every connection after its statement and refuses further checkouts.
    pub(super) async fn close(&self) {
        self.permits.close();
        self.idle().clear();
        self.pool.close().await;
    }
}

impl<DB: Database> Drop for ConnectionCache<DB> {
    fn drop(&mut self) {
        // Returning a connection to the pool needs a runtime, which may have ended already.
        for idle in self.idle().drain(..) {
            drop(idle.connection.detach());
        }
    }
}

/// A checked-out connection. Dropping it in the middle of a statement abandons the connection.
pub(super) struct Lease<'a, DB: Database> {
    cache: &'a ConnectionCache<DB>,
    /// `None` only while the lease is given back or dropped.
    connection: Option<CheckedOut<DB>>,
    /// Released after `drop`, when the connection is back in the cache or the pool.
    _permit: SemaphorePermit<'a>,
}

impl<DB: Database> Lease<'_, DB> {
    pub(super) fn connection(&mut self) -> &mut DB::Connection {
        let connection = self.connection.as_mut();
        &mut connection.expect("a lease has its connection").connection
    }

    /// Gives the connection back: to the cache after a success, to the pool, which will check it,
    /// after a failure.
    pub(super) fn give_back(mut self, succeeded: bool) {
        let connection = self.connection.take();
        let mut idle = self.cache.idle();
        // `close` first closes the semaphore and then clears `idle`, so nothing stays behind.
        if succeeded && !self.cache.permits.is_closed() {
            idle.extend(connection);
        }
    }
}

impl<DB: Database> Drop for Lease<'_, DB> {
    fn drop(&mut self) {
        if let Some(interrupted) = self.connection.take() {
            (self.cache.abandon)(interrupted.connection);
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Sqlite;
    use sqlx::sqlite::SqlitePoolOptions;

    use super::*;

    fn cache(connections: u32) -> ConnectionCache<Sqlite> {
        let pool = SqlitePoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(Duration::from_millis(200))
            .connect_lazy("sqlite::memory:");
        ConnectionCache::new(pool.expect("the URL is valid"), drop)
    }

    impl ConnectionCache<Sqlite> {
        async fn lease(&self) -> Lease<'_, Sqlite> {
            self.checkout().await.expect("a connection is free")
        }

        /// Waits until `count` connections are back in the pool.
        async fn wait_for_pooled(&self, count: usize) {
            let returned = async {
                while self.pool.num_idle() != count {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            };
            let waited = tokio::time::timeout(Duration::from_secs(10), returned).await;
            waited.expect("the connections return to the pool");
        }
    }

    #[tokio::test]
    async fn after_a_success_the_next_statement_gets_the_same_connection() {
        let cache = cache(1);
        for _ in 0..3 {
            cache.lease().await.give_back(true);
            assert_eq!((cache.idle().len(), cache.pool.num_idle()), (1, 0));
        }
        let long_ago = Instant::now().checked_sub(MAX_TIME_OUTSIDE_POOL);
        let long_ago = long_ago.expect("the clock is past its first second");
        cache.idle()[0].since = long_ago;
        assert!(cache.pop_idle().is_none());
        cache.wait_for_pooled(1).await;
        cache.lease().await.give_back(true);
        assert!(cache.idle()[0].since > long_ago);
    }

    #[tokio::test]
    async fn after_a_failure_the_pool_gets_the_connection() {
        let cache = cache(1);
        cache.lease().await.give_back(false);
        assert!(cache.idle().is_empty());
        cache.wait_for_pooled(1).await;
        drop(cache.lease().await);
        assert!(cache.idle().is_empty());
        cache.wait_for_pooled(1).await;
    }

    #[tokio::test]
    async fn the_wait_for_a_connection_is_limited() {
        let cache = cache(1);
        let first = cache.lease().await;
        let second = cache.checkout().await.map(drop);
        assert!(matches!(second, Err(sqlx::Error::PoolTimedOut)));
        first.give_back(true);
        cache.lease().await.give_back(true);
    }

    #[tokio::test]
    async fn closing_waits_for_leases_and_leaves_none() {
        let cache = cache(2);
        let (first, second) = (cache.lease().await, cache.lease().await);
        first.give_back(true);
        let close = cache.close();
        let give_back = async {
            tokio::task::yield_now().await;
            second.give_back(true);
        };
        tokio::join!(close, give_back);
        assert_eq!((cache.pool.size(), cache.idle().len()), (0, 0));
        let after = cache.checkout().await.map(drop);
        assert!(matches!(after, Err(sqlx::Error::PoolClosed)));
    }

    #[test]
    fn a_cache_may_outlive_its_runtime() {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let cache = runtime.block_on(async {
            let cache = cache(1);
            cache.lease().await.give_back(true);
            cache
        });
        drop(runtime);
        assert_eq!(cache.idle().len(), 1);
        drop(cache);
    }
}
