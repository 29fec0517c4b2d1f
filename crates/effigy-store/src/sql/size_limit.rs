//! The maximum size of the stored images.

use std::sync::atomic::{AtomicU64, Ordering};

use super::SqlStore;
use super::database::{Database, execute, run};
use super::{postgres, sqlite};
use crate::{CachedImage, StoreError};

/// The lengths of the oldest images, without their overhead.
const OLDEST: &str = "
    SELECT CAST(length(key) + length(data) AS BIGINT) FROM images
    ORDER BY created_at LIMIT $1";

const EVICT: &str = "
    DELETE FROM images
    WHERE key IN (SELECT key FROM images ORDER BY created_at LIMIT $1)";

/// Maximum of images, and about that of bytes, that one statement deletes, so that others can write in
/// between.
const BATCH_IMAGES: i64 = 256;
const BATCH_BYTES: u64 = 4 << 20;

/// Maximum of batches at once. A database that is far too large gets smaller with every write, and no
/// write waits long.
const MAX_BATCHES: usize = 16;

/// Approximate bytes that an image takes in addition to its key and data.
const OVERHEAD_BYTES: u64 = 100;

/// One part in this many is freed at once, so that a full database is not measured at every write.
const FREED_SHARE: u64 = 64;

/// A maximum size and an estimate of the current one.
pub(super) struct SizeLimit {
    max_bytes: u64,
    /// The size when it was measured last, and what was written since.
    estimate: AtomicU64,
}

impl SizeLimit {
    pub(super) fn new(max_bytes: u64) -> Self {
        let estimate = AtomicU64::new(u64::MAX);
        Self {
            max_bytes,
            estimate,
        }
    }

    /// Adds images that were written. One that has replaced another counts until the next measurement.
    pub(super) fn add(&self, images: &[(&str, &CachedImage)]) {
        let bytes = |(key, image): &(&str, &CachedImage)| {
            (key.len() + image.data.len()) as u64 + OVERHEAD_BYTES
        };
        let added = images.iter().map(bytes).sum();
        let add = |estimate: u64| Some(estimate.saturating_add(added));
        // It always succeeds.
        let _ = self
            .estimate
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Forgets the estimate, so that the size is measured next time.
    pub(super) fn forget(&self) {
        self.estimate.store(u64::MAX, Ordering::Relaxed);
    }

    fn may_be_exceeded(&self) -> bool {
        self.estimate.load(Ordering::Relaxed) > self.max_bytes
    }
}

impl SqlStore {
    /// Deletes the oldest images if there may be too many, and returns their number.
    pub(super) async fn evict_oldest(&self) -> Result<u64, StoreError> {
        let Some(limit) = self
            .limit
            .as_deref()
            .filter(|limit| limit.may_be_exceeded())
        else {
            return Ok(0);
        };
        let (mut size, mut evicted) = (self.size().await?, 0);
        if size > limit.max_bytes {
            let enough = limit.max_bytes - limit.max_bytes / FREED_SHARE;
            for _ in 0..MAX_BATCHES {
                if size <= enough {
                    break;
                }
                let (images, bytes) = self.evict_batch(size - enough).await?;
                if images == 0 {
                    break;
                }
                evicted += images;
                size = match *self.database {
                    // Pages that became emptier are not free yet.
                    Database::Sqlite(_) => self.size().await?,
                    // Measuring is a scan.
                    Database::Postgres(_) => size.saturating_sub(bytes),
                };
            }
        }
        limit.estimate.store(size, Ordering::Relaxed);
        Ok(evicted)
    }

    /// Deletes the oldest images, until about `bytes` are free or a batch is full. Returns the number of
    /// images and of bytes.
    async fn evict_batch(&self, bytes: u64) -> Result<(u64, u64), StoreError> {
        let lengths: Vec<i64> = run!(self.database, "list the oldest images", readers, connection => {
            sqlx::query_scalar(OLDEST).bind(BATCH_IMAGES).fetch_all(connection)
        })?;
        let (mut images, mut freed) = (0_i64, 0);
        for length in lengths {
            if freed >= bytes.min(BATCH_BYTES) {
                break;
            }
            images += 1;
            freed += length.max(0).unsigned_abs() + OVERHEAD_BYTES;
        }
        let deleted = execute!(self.database, "delete the oldest images", EVICT, images)?;
        Ok((deleted, freed))
    }

    /// Returns the number of bytes in use.
    async fn size(&self) -> Result<u64, StoreError> {
        let query = match *self.database {
            Database::Sqlite(_) => sqlite::SIZE,
            Database::Postgres(_) => postgres::SIZE,
        };
        let bytes: i64 = run!(self.database, "measure its size", readers, connection => {
            sqlx::query_scalar(query).fetch_one(connection)
        })?;
        Ok(bytes.max(0).unsigned_abs())
    }
}
