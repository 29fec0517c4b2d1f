//! The table of rendered images.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;

use super::SqlStore;
use super::aging_table::AgingTable;
use super::database::{Transaction, Value, run};
use super::values::{checksum, from_unix_millis, to_millis, to_unix_millis};
use crate::error::is_damage;
use crate::{CachedImage, Pictures, StoreError};

const LOOKUP: &str = "
    SELECT created_at, content_type, data, checksum FROM images
    WHERE key = $1 AND created_at > $2 AND created_at <= $3";

const INSERT: &str = "INSERT INTO images (key, created_at, content_type, data, checksum) ";

const OR_REPLACE: &str = "
    ON CONFLICT (key) DO UPDATE SET created_at = excluded.created_at, data = excluded.data,
        content_type = excluded.content_type, checksum = excluded.checksum";

/// Maximum number of images in one statement. In SQLite, 64 statements of one image take five times
/// as long. A statement for each number is prepared and kept.
const INSERT_BATCH: usize = 64;

/// The table, whose rows age from the time at which the image was drawn.
pub(super) const TABLE: AgingTable = AgingTable {
    name: "images",
    key: "key",
    time: "created_at",
    bytes: "length(key) + length(data) + 100",
};

/// Approximate bytes that an image takes in addition to its key and data, as in [`TABLE`].
const OVERHEAD_BYTES: usize = 100;

#[async_trait]
impl Pictures for SqlStore {
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
}

/// The time, content type, data and checksum of an image. Images of version 0.1.0 have no checksum.
type ImageRow = (i64, String, Vec<u8>, Option<i64>);

/// Returns the image of a row that matches its checksum.
fn verified(key: &str, row: ImageRow) -> Option<CachedImage> {
    let (created_at, content_type, data, stored_checksum) = row;
    let computed = image_checksum(key, created_at, &content_type, &data);
    if stored_checksum.is_some_and(|stored| stored != computed) {
        return None;
    }
    Some(CachedImage {
        data: data.into(),
        content_type,
        created_at: from_unix_millis(created_at),
    })
}

fn image_checksum(key: &str, created_at: i64, content_type: &str, data: &[u8]) -> i64 {
    checksum(created_at, &[key.as_bytes(), content_type.as_bytes(), data])
}

/// Stores images in place of older ones.
///
/// They are sorted by key, so that two processes that store the same keys cannot deadlock, and
/// without duplicates, which an upsert refuses.
pub(super) async fn write(
    transaction: &mut Transaction,
    pictures: &[(&str, &CachedImage)],
) -> Result<(), sqlx::Error> {
    let sorted: BTreeMap<&str, &CachedImage> = pictures.iter().copied().collect();
    let mut rows = Vec::with_capacity(sorted.len());
    for (key, image) in sorted {
        let created_at = to_unix_millis(image.created_at);
        let sum = image_checksum(key, created_at, &image.content_type, &image.data);
        rows.push([
            Value::Bytes(key.as_bytes()),
            Value::Integer(created_at),
            Value::Text(&image.content_type),
            Value::Bytes(&image.data),
            Value::Integer(sum),
        ]);
    }
    for batch in rows.chunks(INSERT_BATCH) {
        transaction.insert(INSERT, batch, OR_REPLACE).await?;
    }
    Ok(())
}

/// Returns the approximate size of images in the database.
pub(super) fn size(pictures: &[(&str, &CachedImage)]) -> usize {
    let mut size = 0;
    for (key, image) in pictures {
        size += key.len() + image.data.len() + OVERHEAD_BYTES;
    }
    size
}
