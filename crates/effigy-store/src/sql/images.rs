//! Rendered images in SQL.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use sqlx::{Connection, QueryBuilder};

use super::SqlStore;
use super::database::{Database, execute, run};
use crate::checksum::checksum;
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{CachedImage, ImageCache, StoreError};

const LOOKUP: &str = "
    SELECT created_at, content_type, data, checksum FROM images
    WHERE key = $1 AND created_at > $2 AND created_at <= $3";

const INSERT: &str = "INSERT INTO images (key, created_at, content_type, data, checksum) ";

const OR_REPLACE: &str = "
    ON CONFLICT (key) DO UPDATE SET
        created_at = excluded.created_at,
        content_type = excluded.content_type,
        data = excluded.data,
        checksum = excluded.checksum";

/// Maximum number of images in one statement.
const INSERT_BATCH: usize = 64;

const REMOVE: &str = "DELETE FROM images WHERE key = $1";

/// Deletes a batch of the images of a time. The outer condition spares an image that was renewed after
/// the inner query.
const PRUNE: &str = "
    DELETE FROM images
    WHERE created_at BETWEEN $1 AND $2
    AND key IN (
        SELECT key FROM images WHERE created_at BETWEEN $1 AND $2
        ORDER BY created_at LIMIT $3)";

/// Small enough for the statement timeout, and to let other writers in between.
const PRUNE_BATCH: i64 = 500;

#[async_trait]
impl ImageCache for SqlStore {
    async fn lookup_within(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError> {
        let (now, expired) = (to_unix_millis(now), newest_expired(now, lifetime));
        let row: Result<Option<Row>, _> = run!(self.database, "look an image up", readers, connection => {
            let query = sqlx::query_as(LOOKUP).bind(key.as_bytes()).bind(expired).bind(now);
            query.fetch_optional(connection)
        });
        let row = row.map_err(damage)?;
        row.map(|row| verified(key, row)).transpose()
    }

    async fn put_all(&self, images: &[(&str, &CachedImage)]) -> Result<(), StoreError> {
        // Sorted by key, so that two processes that store the same keys cannot deadlock, and
        // without duplicates, which an upsert refuses.
        let images: BTreeMap<_, _> = images.iter().copied().collect();
        let images: Vec<_> = images.into_iter().collect();
        let stored = run!(self.database, "store images", writers, connection => async {
            let mut transaction = connection.begin().await?;
            for batch in batches(&images) {
                let mut insert = QueryBuilder::new(INSERT);
                insert.push_values(batch, |mut row, (key, image)| {
                    let (key, created_at) = (key.as_bytes(), to_unix_millis(image.created_at));
                    let (content_type, data) = (&image.content_type, &image.data[..]);
                    row.push_bind(key)
                        .push_bind(created_at)
                        .push_bind(content_type)
                        .push_bind(data)
                        .push_bind(checksum(key, created_at, content_type, data));
                });
                insert.push(OR_REPLACE);
                insert.build().execute(&mut *transaction).await?;
            }
            transaction.commit().await
        });
        if let Some(limit) = &self.limit {
            limit.add(&images);
        }
        stored
    }

    async fn evict(&self) -> Result<u64, StoreError> {
        self.evict_oldest().await
    }

    async fn remove(&self, key: &str) -> Result<(), StoreError> {
        let key = key.as_bytes();
        execute!(self.database, "delete an image", REMOVE, key)?;
        Ok(())
    }

    async fn prune_images(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let expired = i64::MIN..=newest_expired(now, lifetime);
        let future = to_unix_millis(now).saturating_add(to_millis(lifetime));
        let future = future.saturating_add(1)..=i64::MAX;
        let pruned = self.prune(expired).await? + self.prune(future).await?;
        if let Some(limit) = &self.limit {
            // Other processes may have written to it.
            limit.forget();
        }
        Ok(pruned)
    }
}

impl SqlStore {
    /// Deletes the images of a time and returns their number.
    async fn prune(&self, created_at: RangeInclusive<i64>) -> Result<u64, StoreError> {
        let (first, last) = created_at.into_inner();
        let mut pruned = 0;
        loop {
            match execute!(
                self.database,
                "delete expired images",
                PRUNE,
                first,
                last,
                PRUNE_BATCH
            )? {
                0 => return Ok(pruned),
                batch => pruned += batch,
            }
        }
    }
}

/// The time, content type, data and checksum of an image. One of an older version has no checksum.
type Row = (i64, String, Vec<u8>, Option<i64>);

/// Returns the image of a row that is as it was stored.
fn verified(key: &str, row: Row) -> Result<CachedImage, StoreError> {
    let (created_at, content_type, data, expected) = row;
    let found = || checksum(key.as_bytes(), created_at, &content_type, &data);
    if expected.is_some_and(|expected| expected != found()) {
        return Err(StoreError::Damaged { source: None });
    }
    Ok(CachedImage {
        data: data.into(),
        content_type,
        created_at: from_unix_millis(created_at),
    })
}

/// Tells an image that cannot be read from a database that cannot be read.
fn damage(error: StoreError) -> StoreError {
    match error {
        StoreError::Database { source, .. } if source.is_damage() => StoreError::Damaged {
            source: Some(source),
        },
        error => error,
    }
}

/// Splits the images into batches whose lengths are powers of two, so that there are few different
/// statements to prepare.
fn batches<T>(mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let length = 1 << rest.len().min(INSERT_BATCH).checked_ilog2()?;
        rest.split_off(..length)
    })
}

/// Returns the latest `created_at` of images whose age at `now` is at least `lifetime`.
fn newest_expired(now: SystemTime, lifetime: Duration) -> i64 {
    to_unix_millis(now).saturating_sub(to_millis(lifetime))
}
