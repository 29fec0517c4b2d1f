//! The statements of a store, the same for every kind of database, and the rows that they read and write. Images prove by their
//! checksums that they are as they were stored; times are in whole milliseconds.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use effigy_player::Edition;
use sqlx::QueryBuilder;
use twox_hash::XxHash3_64;

use super::{Database, SqlStore, execute, postgres, run, sqlite, within_timeout};
use crate::error::is_damage;
use crate::{CachedImage, HEALTH_LOG_LENGTH, HealthEntry, RenderCount, Store, StoreError};

const LOOKUP: &str = "
    SELECT created_at, content_type, data, checksum FROM images
    WHERE key = $1 AND created_at > $2 AND created_at <= $3";

const INSERT: &str = "INSERT INTO images (key, created_at, content_type, data, checksum) ";

const OR_REPLACE: &str = "
    ON CONFLICT (key) DO UPDATE SET created_at = excluded.created_at, data = excluded.data,
        content_type = excluded.content_type, checksum = excluded.checksum";

/// Maximum number of images in one statement, all of which are prepared and kept.
const INSERT_BATCH: usize = 64;

/// Records the total of a writer, and returns by how much it has grown. A write that is repeated, because its commit was
/// not acknowledged, waits for that commit here and finds the total recorded.
const RECORD_TOTAL: &str = "
    INSERT INTO render_totals (writer, edition, total, added) VALUES ($1, $2, $3, $3)
    ON CONFLICT (writer, edition) DO UPDATE
        SET total = excluded.total, added = excluded.total - render_totals.total
        WHERE render_totals.total < excluded.total
    RETURNING added";

/// Saturates at the largest integer. Without it PostgreSQL would fail and SQLite would switch to
/// floating point.
const COUNT: &str = "
    INSERT INTO counts (edition, count) VALUES ($1, $2)
    ON CONFLICT (edition) DO UPDATE SET count = CASE
        WHEN counts.count > 9223372036854775807 - excluded.count THEN 9223372036854775807
        ELSE counts.count + excluded.count
    END";

const COUNTS: &str = "SELECT edition, count FROM counts";

const RECORD: &str = "
    INSERT INTO health_log (recorded_at, status, message, response_time, server)
    VALUES ($1, $2, $3, $4, $5)";

const RECENT: &str = "
    SELECT recorded_at, status, message, response_time FROM health_log
    WHERE COALESCE(server, '') = $2
    ORDER BY recorded_at DESC, id DESC LIMIT $1";

/// Deletes some images that are too old or too far in the future. A batch is small enough for the
/// statement timeout, and to let other writers in between. The outer condition spares an image that was
/// renewed after the inner query.
const PRUNE: &str = "
    DELETE FROM images
    WHERE (created_at <= $1 OR created_at > $2)
    AND key IN (SELECT key FROM images WHERE created_at <= $1 OR created_at > $2 LIMIT 1000)";

/// Deletes a batch of the entries beyond the log's length.
pub(super) const PRUNE_HEALTH: &str = "
    DELETE FROM health_log WHERE id IN (
        SELECT id FROM health_log
        ORDER BY recorded_at DESC, id DESC LIMIT 5000 OFFSET $1)";

/// Deletes the oldest images that have the given number of bytes together, at most 50,000.
const EVICT: &str = "
    DELETE FROM images WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(bytes) OVER (ORDER BY created_at, key) - bytes AS older_bytes
            FROM (
                SELECT key, created_at, length(key) + length(data) + 100 AS bytes
                FROM images ORDER BY created_at LIMIT 50000
            ) AS oldest
        ) AS summed
        WHERE older_bytes < $1)";

/// Maximum of bytes that one statement deletes.
const EVICT_BATCH_BYTES: u64 = 64 << 20;

/// Approximate bytes that an image takes in addition to its key and data.
const OVERHEAD_BYTES: usize = 200;

/// The size is measured each time that one part in this many of the maximum was written, because
/// PostgreSQL scans the table. As much is kept free for what is written in between.
const MEASURED_SHARE: u64 = 64;

#[async_trait]
impl Store for SqlStore {
    async fn lookup(
        &self,
        key: &str,
        now: SystemTime,
        lifetime: Duration,
    ) -> Result<Option<CachedImage>, StoreError> {
        let now = to_unix_millis(now);
        let expired = now.saturating_sub(to_millis(lifetime));
        let row: Result<Option<ImageRow>, _> = run!(self.database()?, "look an image up", open => {
            let query = sqlx::query_as(LOOKUP).bind(key.as_bytes()).bind(expired).bind(now);
            query.fetch_optional(&open.readers)
        });
        let image = match row {
            Ok(None) => return Ok(None),
            Ok(Some(row)) => verified(key, row),
            Err(error) if error.is(is_damage) => None,
            Err(error) => return Err(error),
        };
        if image.is_none() {
            tracing::warn!(key, "a stored image is damaged, so it is drawn again");
        }
        Ok(image)
    }

    async fn write(
        &self,
        images: &[(&str, &CachedImage)],
        counts: &[RenderCount],
    ) -> Result<(), StoreError> {
        // Sorted by key, so that two processes that store the same keys cannot deadlock, and
        // without duplicates, which an upsert refuses. Counters come last, because every process
        // waits for them.
        let images = Vec::from_iter(BTreeMap::from_iter(images.iter().copied()));
        let counts = BTreeSet::from_iter(counts);
        let written = run!(self.database()?, "store images and counts", open => async {
            let mut transaction = open.writers.begin().await?;
            for batch in images.chunks(INSERT_BATCH) {
                let mut insert = QueryBuilder::new(INSERT);
                insert.push_values(batch, |mut row, (key, image)| {
                    let (key, created_at) = (key.as_bytes(), to_unix_millis(image.created_at));
                    let (content_type, data) = (&image.content_type, &image.data[..]);
                    let sum = checksum(key, created_at, content_type, data);
                    row.push_bind(key).push_bind(created_at).push_bind(content_type);
                    row.push_bind(data).push_bind(sum);
                });
                insert.push(OR_REPLACE);
                insert.build().execute(&mut *transaction).await?;
            }
            for &RenderCount { edition, writer, total } in counts {
                let total = i64::try_from(total).unwrap_or(i64::MAX);
                let record = sqlx::query_scalar(RECORD_TOTAL).bind(writer).bind(edition.as_str()).bind(total);
                if let Some::<i64>(added) = record.fetch_optional(&mut *transaction).await? {
                    sqlx::query(COUNT).bind(edition.as_str()).bind(added).execute(&mut *transaction).await?;
                }
            }
            transaction.commit().await
        });
        if let (Err(error), Database::Sqlite(file)) = (&written, self.database()?)
            && error.is(is_damage)
        {
            // If that fails too, the next write tries again.
            let mark = sqlx::query(sqlite::MARK_DAMAGED);
            let _ = mark.execute(&file.writers).await;
        }
        written?;
        if let Some(max_bytes) = self.options.max_bytes {
            let bytes =
                |(key, image): &(&str, &CachedImage)| key.len() + image.data.len() + OVERHEAD_BYTES;
            let bytes = images.iter().map(bytes).sum::<usize>() as u64;
            let written = bytes + self.written.fetch_add(bytes, Ordering::Relaxed);
            if written > max_bytes / MEASURED_SHARE {
                // Everything was written. The next call tries again, and `prune` reports a failure.
                let _ = self.evict(max_bytes).await;
            }
        }
        Ok(())
    }

    async fn counts(&self) -> Result<Vec<(Edition, u64)>, StoreError> {
        let rows: Vec<(String, i64)> = run!(self.database()?, "read the counters", open => {
            sqlx::query_as(COUNTS).fetch_all(&open.readers)
        })?;
        let count = |&edition: &Edition| {
            let row = rows.iter().find(|(name, _)| name == edition.as_str());
            (edition, row.map_or(0, |(_, count)| count.unsigned_abs()))
        };
        Ok(Edition::ALL.iter().map(count).collect())
    }

    async fn record(&self, entry: &HealthEntry) -> Result<(), StoreError> {
        let recorded_at = to_unix_millis(entry.timestamp);
        // PostgreSQL refuses NUL characters, which the message of an upstream's error might contain.
        let message = entry.message.replace('\0', "\u{fffd}");
        let response_time = to_millis(entry.response_time);
        run!(self.database()?, "record a health check", open => async {
            let record = sqlx::query(RECORD).bind(recorded_at).bind(entry.status.as_str());
            let record = record.bind(message).bind(response_time).bind(&*self.options.server);
            record.execute(&open.writers).await.map(drop)
        })
    }

    async fn recent(&self, limit: u32) -> Result<Vec<HealthEntry>, StoreError> {
        run!(self.database()?, "read the health log", open => async {
            let recent = sqlx::query_as(RECENT).bind(i64::from(limit)).bind(&*self.options.server);
            recent.fetch_all(&open.readers).await?.into_iter().map(health_entry).collect()
        })
    }

    async fn prune(&self, now: SystemTime, lifetime: Duration) -> Result<u64, StoreError> {
        let database = self.database()?;
        let (now, lifetime) = (to_unix_millis(now), to_millis(lifetime));
        let (expired, future) = (now.saturating_sub(lifetime), now.saturating_add(lifetime));
        let mut deleted = 0;
        while let more @ 1.. = execute!(database, "prune images", PRUNE, expired, future)? {
            deleted += more;
        }
        if let Some(max_bytes) = self.options.max_bytes {
            while let more @ 1.. = self.evict(max_bytes).await? {
                deleted += more;
            }
        }
        let length = i64::from(HEALTH_LOG_LENGTH);
        while 0 < execute!(database, "prune the health log", PRUNE_HEALTH, length)? {}
        Ok(deleted)
    }
}

impl SqlStore {
    /// Deletes a batch of the oldest images if there are too many, and returns their number.
    async fn evict(&self, max_bytes: u64) -> Result<u64, StoreError> {
        let database = self.database()?;
        let query = match database {
            Database::Sqlite(_) => sqlite::SIZE,
            Database::Postgres(_) => postgres::SIZE,
        };
        let size: i64 = run!(database, "measure its size", open => {
            sqlx::query_scalar(query).fetch_one(&open.readers)
        })?;
        let enough = max_bytes - max_bytes / MEASURED_SHARE * 2;
        let excess = size.max(0).unsigned_abs().saturating_sub(enough);
        if excess == 0 {
            self.written.store(0, Ordering::Relaxed);
            return Ok(0);
        }
        let bytes = i64::try_from(excess.min(EVICT_BATCH_BYTES)).unwrap_or(i64::MAX);
        execute!(database, "delete the oldest images", EVICT, bytes)
    }
}

/// The time, content type, data and checksum of an image. One of version 0.1.0 has no checksum.
type ImageRow = (i64, String, Vec<u8>, Option<i64>);

/// Returns the image of a row that is as it was stored.
fn verified(key: &str, row: ImageRow) -> Option<CachedImage> {
    let (created_at, content_type, data, expected) = row;
    let found = checksum(key.as_bytes(), created_at, &content_type, &data);
    (expected.unwrap_or(found) == found).then(|| CachedImage {
        data: data.into(),
        content_type,
        created_at: from_unix_millis(created_at),
    })
}

/// Returns the health check of a row: its time, status, message and response time.
fn health_entry(row: (i64, String, String, i64)) -> Result<HealthEntry, sqlx::Error> {
    let (recorded_at, status, message, response_time) = row;
    let unknown = |_| sqlx::Error::Decode(format!("the status `{status}` is unknown").into());
    Ok(HealthEntry {
        status: status.parse().map_err(unknown)?,
        message,
        response_time: Duration::from_millis(response_time.max(0).unsigned_abs()),
        timestamp: from_unix_millis(recorded_at),
    })
}

/// Returns the checksum of the columns of an image.
fn checksum(key: &[u8], created_at: i64, content_type: &str, data: &[u8]) -> i64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(&created_at.to_le_bytes());
    for column in [key, content_type.as_bytes(), data] {
        hasher.write(&(column.len() as u64).to_le_bytes());
        hasher.write(column);
    }
    hasher.finish().cast_signed()
}

/// Returns milliseconds since the Unix epoch, rounded down and at most [`i64::MAX`]. Earlier times
/// count as the epoch.
fn to_unix_millis(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, to_millis)
}

/// Returns the time `millis` after the Unix epoch, or the epoch itself if `SystemTime` cannot hold it.
fn from_unix_millis(millis: i64) -> SystemTime {
    let since_epoch = Duration::from_millis(millis.max(0).unsigned_abs());
    UNIX_EPOCH.checked_add(since_epoch).unwrap_or(UNIX_EPOCH)
}

/// Returns the whole milliseconds of a duration, at most [`i64::MAX`].
fn to_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That each column counts is held by the rows that the tests of the store change.
    #[test]
    fn the_lengths_of_the_columns_count() {
        let sum = |key: &[u8], content_type, data: &[u8]| checksum(key, 7, content_type, data);
        let expected = sum(b"key", "image/png", b"data");
        assert_ne!(sum(b"keyi", "mage/png", b"data"), expected);
        assert_ne!(sum(b"key", "image/pngd", b"ata"), expected);
    }

    #[test]
    fn a_checksum_never_changes() {
        // Databases hold it, so a new version must compute the same.
        let sum = checksum(
            b"head_Notch_64_hat",
            1_700_000_000_123,
            "image/png",
            b"\x89PNG",
        );
        assert_eq!(sum, 6_417_565_296_567_011_342);
    }

    #[test]
    fn times_are_whole_milliseconds_since_the_epoch() {
        for (nanos, millis) in [
            (0, 0),
            (999_999, 0),
            (1_000_000, 1),
            (1_700_000_000_123_456_789, 1_700_000_000_123),
        ] {
            let time = UNIX_EPOCH + Duration::from_nanos(nanos);
            assert_eq!(to_unix_millis(time), millis, "{nanos} ns");
            assert_eq!(to_unix_millis(from_unix_millis(millis)), millis);
        }
        assert_eq!(to_unix_millis(UNIX_EPOCH - Duration::from_secs(1)), 0);
        assert_eq!(from_unix_millis(i64::MIN), UNIX_EPOCH);
        assert_eq!(to_millis(Duration::MAX), i64::MAX);
    }
}
