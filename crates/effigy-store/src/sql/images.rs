//! Rendered images in SQL.

use std::time::{Duration, SystemTime};

use sqlx::Connection;

use super::SqlStore;
use super::database::{Database, ask};
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{CachedImage, ImageCache, StoreError};

const LOOKUP: &str = "
    SELECT created_at, content_type, data FROM images
    WHERE key = $1 AND created_at > $2";

const PUT: &str = "
    INSERT INTO images (key, created_at, content_type, data) VALUES ($1, $2, $3, $4)
    ON CONFLICT (key) DO UPDATE SET
        created_at = excluded.created_at,
        content_type = excluded.content_type,
        data = excluded.data";

/// Deletes a batch. The time is asked for twice because an image may be renewed meanwhile.
const PRUNE: &str = "
    DELETE FROM images
    WHERE created_at <= $1
    AND key IN (SELECT key FROM images WHERE created_at <= $1 ORDER BY created_at LIMIT $2)";

/// Small enough for the statement timeout, and to let other writers in between.
const PRUNE_BATCH: i64 = 500;

impl ImageCache for SqlStore {
    async fn lookup_within(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError> {
        let row: Option<(i64, String, Vec<u8>)> = ask!(self.database, "look an image up", reader, connection => {
            sqlx::query_as(LOOKUP)
                .bind(key.as_bytes())
                .bind(newest_too_old(now, lifetime))
                .fetch_optional(connection)
        })?;
        Ok(row.map(|(created_at, content_type, data)| CachedImage {
            data: data.into(),
            content_type,
            created_at: from_unix_millis(created_at),
        }))
    }

    async fn put(&self, key: &str, image: &CachedImage) -> Result<(), StoreError> {
        self.put_all(&[(key, image)]).await
    }

    async fn put_all(&self, images: &[(&str, &CachedImage)]) -> Result<(), StoreError> {
        ask!(self.database, "store images", writer, connection => async {
            let mut transaction = connection.begin().await?;
            for (key, image) in images {
                sqlx::query(PUT)
                    .bind(key.as_bytes())
                    .bind(to_unix_millis(image.created_at))
                    .bind(&image.content_type)
                    .bind(&image.data[..])
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await
        })
    }

    async fn prune_images(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let mut pruned = 0;
        loop {
            let batch = ask!(self.database, "delete expired images", writer, connection => async {
                sqlx::query(PRUNE)
                    .bind(newest_too_old(now, lifetime))
                    .bind(PRUNE_BATCH)
                    .execute(connection)
                    .await
                    .map(|done| done.rows_affected())
            })?;
            if batch == 0 {
                return Ok(pruned);
            }
            pruned += batch;
        }
    }
}

/// The latest `created_at` of what is as old as `lifetime` at `now`.
fn newest_too_old(now: SystemTime, lifetime: Duration) -> i64 {
    to_unix_millis(now).saturating_sub(to_millis(lifetime))
}
