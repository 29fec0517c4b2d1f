//! Rendered images in SQL.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use sqlx::{Connection, QueryBuilder};

use super::SqlStore;
use super::database::{Database, execute, run};
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{CachedImage, ImageCache, StoreError};

const LOOKUP: &str = "
    SELECT created_at, content_type, data FROM images
    WHERE key = $1 AND created_at > $2";

const INSERT: &str = "INSERT INTO images (key, created_at, content_type, data) ";

const OR_REPLACE: &str = "
    ON CONFLICT (key) DO UPDATE SET
        created_at = excluded.created_at,
        content_type = excluded.content_type,
        data = excluded.data";

/// Maximum number of images in one statement.
const INSERT_BATCH: usize = 64;

/// Deletes a batch. The outer condition spares an image that was renewed after the inner query.
const PRUNE: &str = "
    DELETE FROM images
    WHERE created_at <= $1
    AND key IN (SELECT key FROM images WHERE created_at <= $1 ORDER BY created_at LIMIT $2)";

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
        let expired = newest_expired(now, lifetime);
        let row: Option<(i64, String, Vec<u8>)> = run!(self.database, "look an image up", readers, connection => {
            let query = sqlx::query_as(LOOKUP).bind(key.as_bytes()).bind(expired);
            query.fetch_optional(connection)
        })?;
        Ok(row.map(|(created_at, content_type, data)| CachedImage {
            data: data.into(),
            content_type,
            created_at: from_unix_millis(created_at),
        }))
    }

    async fn put_all(&self, images: &[(&str, &CachedImage)]) -> Result<(), StoreError> {
        // Sorted by key, so that two processes that store the same keys cannot deadlock, and
        // without duplicates, which an upsert refuses.
        let images: BTreeMap<_, _> = images.iter().copied().collect();
        let images: Vec<_> = images.into_iter().collect();
        run!(self.database, "store images", writers, connection => async {
            let mut transaction = connection.begin().await?;
            for batch in batches(&images) {
                let mut insert = QueryBuilder::new(INSERT);
                insert.push_values(batch, |mut row, (key, image)| {
                    row.push_bind(key.as_bytes())
                        .push_bind(to_unix_millis(image.created_at))
                        .push_bind(&image.content_type)
                        .push_bind(&image.data[..]);
                });
                insert.push(OR_REPLACE);
                insert.build().execute(&mut *transaction).await?;
            }
            transaction.commit().await
        })
    }

    async fn prune_images(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let expired = newest_expired(now, lifetime);
        let mut pruned = 0;
        loop {
            match execute!(
                self.database,
                "delete expired images",
                PRUNE,
                expired,
                PRUNE_BATCH
            )? {
                0 => return Ok(pruned),
                batch => pruned += batch,
            }
        }
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
