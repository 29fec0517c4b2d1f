//! The connections that a kind of statement runs on, and their way from one to the next.
//!
//! A pool asks a connection whether it still lives, once when it comes back and once when it goes out:
//! a statement would be two to four trips to the database and back. So a connection whose statement was
//! just answered rests here, and goes to the next one as it is. Once in a while it passes through the
//! pool, which looks after it: whether it lives, how old it is, how long it has been idle.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{Pool, Postgres, Sqlite};
use tokio::sync::{Semaphore, SemaphorePermit};

/// So long a connection stays out of its pool.
const OUT: Duration = Duration::from_secs(1);

/// Connections to one database.
pub(crate) struct Lane<DB: Abandon> {
    pool: Pool<DB>,
    /// As many as the pool has connections, so that who waits, waits here.
    places: Semaphore,
    /// The one that was used last is the last.
    rested: Mutex<Vec<Out<DB>>>,
}

/// A connection out of its pool.
struct Out<DB: sqlx::Database> {
    connection: PoolConnection<DB>,
    since: Instant,
}

impl<DB: Abandon> Lane<DB> {
    pub(crate) fn new(pool: Pool<DB>) -> Self {
        let places = pool.options().get_max_connections() as usize;
        Self {
            pool,
            places: Semaphore::new(places),
            rested: Mutex::default(),
        }
    }

    /// A connection for one statement.
    pub(crate) async fn lease(&self) -> Result<Lease<'_, DB>, sqlx::Error> {
        let place = self.places.acquire();
        let place = tokio::time::timeout(self.pool.options().get_acquire_timeout(), place)
            .await
            .map_err(|_| sqlx::Error::PoolTimedOut)?
            .map_err(|_| sqlx::Error::PoolClosed)?;
        let out = match self.rested_now() {
            Some(out) => out,
            None => Out {
                connection: self.pool.acquire().await?,
                since: Instant::now(),
            },
        };
        Ok(Lease {
            lane: self,
            out: Some(out),
            _place: place,
        })
    }

    /// A connection that has not been out for too long; those that have go back to the pool.
    fn rested_now(&self) -> Option<Out<DB>> {
        let mut rested = self.rested();
        rested.retain(|out| out.since.elapsed() < OUT);
        rested.pop()
    }

    fn rested(&self) -> MutexGuard<'_, Vec<Out<DB>>> {
        self.rested.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes every connection, once its statement has ended. There are no leases after that.
    pub(crate) async fn close(&self) {
        self.places.close();
        self.rested().clear();
        self.pool.close().await;
    }
}

impl<DB: Abandon> Drop for Lane<DB> {
    fn drop(&mut self) {
        // There may be no runtime any more that could bring them back to the pool.
        for out in self.rested().drain(..) {
            drop(out.connection.detach());
        }
    }
}

/// A kind of database whose connections know what to do when nobody waits for them any longer.
pub(crate) trait Abandon: sqlx::Database {
    /// Gives up a connection that was left in the middle of a statement.
    fn abandon(connection: PoolConnection<Self>);
}

impl Abandon for Sqlite {
    fn abandon(connection: PoolConnection<Self>) {
        // Its thread finishes the statement, and then the connection is as good as before.
        drop(connection);
    }
}

impl Abandon for Postgres {
    fn abandon(connection: PoolConnection<Self>) {
        // The server may be unreachable. Back in the pool the connection would wait for it, and
        // keep its place from those that could connect again, for as long as TCP hopes.
        drop(connection.detach());
    }
}

/// A connection on loan. When the wait for a statement's answer ends early, it is abandoned.
pub(crate) struct Lease<'a, DB: Abandon> {
    lane: &'a Lane<DB>,
    out: Option<Out<DB>>,
    /// It is free once the connection is where the next one looks for it.
    _place: SemaphorePermit<'a>,
}

impl<DB: Abandon> Lease<'_, DB> {
    pub(crate) fn connection(&mut self) -> Result<&mut DB::Connection, sqlx::Error> {
        let out = self.out.as_mut().ok_or(sqlx::Error::PoolClosed)?;
        Ok(&mut out.connection)
    }

    /// Gives the connection back. After a statement that failed, the pool finds out how it is.
    pub(crate) fn give_back(mut self, answered: bool) {
        let out = self.out.take();
        let mut rested = self.lane.rested();
        // Who closes the lane first says so and then looks who rests.
        if answered && !self.lane.places.is_closed() {
            rested.extend(out);
        }
    }
}

impl<DB: Abandon> Drop for Lease<'_, DB> {
    fn drop(&mut self) {
        if let Some(out) = self.out.take() {
            DB::abandon(out.connection);
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqlitePoolOptions;

    use super::*;

    fn lane(connections: u32) -> Lane<Sqlite> {
        let pool = SqlitePoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(Duration::from_millis(200))
            .connect_lazy("sqlite::memory:");
        Lane::new(pool.expect("the URL is one"))
    }

    impl Lane<Sqlite> {
        async fn leased(&self) -> Lease<'_, Sqlite> {
            self.lease().await.expect("there is a connection")
        }

        /// Waits until so many connections are back in the pool.
        async fn wait_for_idle(&self, count: usize) {
            let back = async {
                while self.pool.num_idle() != count {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            };
            let waited = tokio::time::timeout(Duration::from_secs(10), back).await;
            waited.expect("they come back");
        }
    }

    #[tokio::test]
    async fn after_an_answer_a_connection_goes_to_the_next_as_it_is() {
        let lane = lane(1);
        for _ in 0..3 {
            lane.leased().await.give_back(true);
            assert_eq!((lane.rested().len(), lane.pool.num_idle()), (1, 0));
        }
        let out = Instant::now().checked_sub(OUT).expect("later than that");
        lane.rested()[0].since = out;
        assert!(lane.rested_now().is_none());
        lane.wait_for_idle(1).await;
        lane.leased().await.give_back(true);
        assert!(lane.rested()[0].since > out);
    }

    #[tokio::test]
    async fn without_an_answer_the_pool_looks_after_it() {
        let lane = lane(1);
        lane.leased().await.give_back(false);
        assert!(lane.rested().is_empty());
        lane.wait_for_idle(1).await;
        drop(lane.leased().await);
        assert!(lane.rested().is_empty());
        lane.wait_for_idle(1).await;
    }

    #[tokio::test]
    async fn nobody_waits_for_a_connection_without_end() {
        let lane = lane(1);
        let first = lane.leased().await;
        let second = lane.lease().await.map(drop);
        assert!(matches!(second, Err(sqlx::Error::PoolTimedOut)));
        first.give_back(true);
        lane.leased().await.give_back(true);
    }

    #[tokio::test]
    async fn closing_waits_for_leases_and_leaves_none() {
        let lane = lane(2);
        let (first, second) = (lane.leased().await, lane.leased().await);
        first.give_back(true);
        let close = lane.close();
        let give_back = async {
            tokio::task::yield_now().await;
            second.give_back(true);
        };
        tokio::join!(close, give_back);
        assert_eq!((lane.pool.size(), lane.rested().len()), (0, 0));
        let after = lane.lease().await.map(drop);
        assert!(matches!(after, Err(sqlx::Error::PoolClosed)));
    }

    #[test]
    fn a_lane_may_outlive_its_runtime() {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let lane = runtime.block_on(async {
            let lane = lane(1);
            lane.leased().await.give_back(true);
            lane
        });
        drop(runtime);
        assert_eq!(lane.rested().len(), 1);
        drop(lane);
    }
}
