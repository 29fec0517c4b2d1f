//! The connections of an open database and the time limit of a call.

use std::sync::Arc;
use std::time::Duration;

use super::connection_cache::ConnectionCache;
use crate::{DatabaseError, StoreError};

/// The connections of one database.
pub(super) struct Connections<DB: sqlx::Database> {
    /// Connections for statements that only read.
    pub(super) readers: Arc<ConnectionCache<DB>>,
    /// Connections for statements that write.
    pub(super) writers: Arc<ConnectionCache<DB>>,
    /// Time limit of a call, including the wait for a connection.
    pub(super) timeout: Duration,
}

impl<DB: sqlx::Database> Connections<DB> {
    /// Runs `work` and names the operation in its error.
    pub(super) async fn within_timeout<T>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        match tokio::time::timeout(self.timeout, work).await {
            Ok(outcome) => outcome.map_err(|error| StoreError::Database {
                operation,
                source: DatabaseError(error),
            }),
            Err(_) => Err(StoreError::TimedOut {
                operation,
                limit: self.timeout,
            }),
        }
    }

    pub(super) async fn close(&self) {
        let close = async {
            self.readers.close().await;
            self.writers.close().await;
        };
        // An unreachable server never confirms. Its connections end with the process.
        let _ = tokio::time::timeout(self.timeout, close).await;
    }
}
