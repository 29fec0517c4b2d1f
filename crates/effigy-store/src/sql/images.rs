//! Rendered images in SQL.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use sqlx::{Connection, QueryBuilder};

use super::SqlStore;
use super::database::{Database, ask};
use crate::timestamp::{from_unix_millis, to_millis, to_unix_millis};
use crate::{BoxFuture, CachedImage, ImageCache, StoreError};

const LOOKUP: &str = "
    SELECT created_at, content_type, data FROM images
    WHERE key = $1 AND created_at > $2";

const PUT: &str = "INSERT INTO images (key, created_at, content_type, data) ";

const IN_PLACE: &str = "
    ON CONFLICT (key) DO UPDATE SET
        created_at = excluded.created_at,
        content_type = excluded.content_type,
        data = excluded.data";

/// So many images one statement stores at most.
const MOST_AT_ONCE: usize = 64;

/// Deletes a batch. The time is asked for twice because an image may be renewed meanwhile.
const PRUNE: &str = "
    DELETE FROM images
    WHERE created_at <= $1
    AND key IN (SELECT key FROM images WHERE created_at <= $1 ORDER BY created_at LIMIT $2)";

/// Small enough for the statement timeout, and to let other writers in between.
const PRUNE_BATCH: i64 = 500;

impl ImageCache for SqlStore {
    fn lookup_within<'a>(
        &'a self,
        key: &'a str,
        now: SystemTime,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<Option<CachedImage>, StoreError>> {
        Box::pin(async move {
            let row: Option<(i64, String, Vec<u8>)> = ask!(self.database, "look an image up", readers, connection => {
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
        })
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        image: &'a CachedImage,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.put_all(&[(key, image)]).await })
    }

    fn put_all<'a>(
        &'a self,
        images: &'a [(&'a str, &'a CachedImage)],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            // In the order of the keys, so that processes which store the same ones never wait for one
            // another in a circle; and each key once, for a statement takes none twice.
            let images: BTreeMap<_, _> = images.iter().copied().collect();
            let images: Vec<_> = images.into_iter().collect();
            ask!(self.database, "store images", writers, connection => async {
                let mut transaction = connection.begin().await?;
                let mut rest = &images[..];
                while !rest.is_empty() {
                    // A power of two, so that there are few statements to prepare.
                    let (now, later) = rest.split_at(1 << rest.len().min(MOST_AT_ONCE).ilog2());
                    rest = later;
                    let mut put = QueryBuilder::new(PUT);
                    put.push_values(now, |mut row, (key, image)| {
                        row.push_bind(key.as_bytes())
                            .push_bind(to_unix_millis(image.created_at))
                            .push_bind(&image.content_type)
                            .push_bind(&image.data[..]);
                    });
                    put.push(IN_PLACE);
                    put.build().execute(&mut *transaction).await?;
                }
                transaction.commit().await
            })
        })
    }

    fn prune_images(
        &self,
        now: SystemTime,
        lifetime: Duration,
    ) -> BoxFuture<'_, Result<u64, StoreError>> {
        Box::pin(async move {
            let mut pruned = 0;
            loop {
                let batch = ask!(self.database, "delete expired images", writers, connection => async {
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
        })
    }
}

/// The latest `created_at` of what is as old as `lifetime` at `now`.
fn newest_too_old(now: SystemTime, lifetime: Duration) -> i64 {
    to_unix_millis(now).saturating_sub(to_millis(lifetime))
}
