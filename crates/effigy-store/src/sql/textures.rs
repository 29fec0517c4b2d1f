//! The table of textures' files. The hash of a file is its key, so it needs no checksum.

use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;

use super::SqlStore;
use super::aging_table::AgingTable;
use super::database::{Transaction, Value, run};
use super::values::{ROW_BYTES, to_integer, to_unix_millis};
use crate::error::is_damage;
use crate::{StoreError, TextureChange, TextureId, Textures};

const LOOKUP: &str = "SELECT data FROM textures WHERE hash = $1";

/// Replaces the data too, because the stored data may be damaged.
const PUT: &str = "
    INSERT INTO textures (hash, used_at, bytes, data) VALUES ($1, $2, $3, $4)
    ON CONFLICT (hash) DO UPDATE SET bytes = excluded.bytes, data = excluded.data,
        used_at = CASE WHEN textures.used_at > excluded.used_at
            THEN textures.used_at ELSE excluded.used_at END";

const USED: &str = "UPDATE textures SET used_at = $2 WHERE hash = $1 AND used_at < $2";

/// The table, whose rows age from their last use.
pub(super) const TABLE: AgingTable = AgingTable {
    name: "textures",
    key: "hash",
    time: "used_at",
    bytes: "bytes",
};

#[async_trait]
impl Textures for SqlStore {
    async fn texture(&self, id: &TextureId) -> Result<Option<Bytes>, StoreError> {
        let row: Result<Option<Vec<u8>>, _> = run!(self.database()?, "look a texture up", open => {
            let query = sqlx::query_scalar(LOOKUP).bind(&id.as_bytes()[..]);
            query.fetch_optional(&open.readers)
        });
        match row {
            Ok(None) => return Ok(None),
            Ok(Some(file)) if TextureId::of(&file) == *id => return Ok(Some(file.into())),
            Ok(Some(_)) => {}
            Err(error) if error.is(is_damage) => {}
            Err(error) => return Err(error),
        }
        tracing::warn!(%id, "a stored texture is damaged, so it is fetched again");
        Ok(None)
    }
}

/// Applies changes.
///
/// They are sorted by texture, so that two processes that change the same ones cannot deadlock. The
/// sort is stable, so changes of one texture keep their order.
pub(super) async fn write(
    transaction: &mut Transaction,
    changes: &[TextureChange<'_>],
    now: SystemTime,
) -> Result<(), sqlx::Error> {
    let used_at = Value::Integer(to_unix_millis(now));
    let mut sorted = changes.to_vec();
    sorted.sort_by_key(|change| *change.id());
    for change in sorted {
        let hash = Value::Bytes(change.id().as_bytes());
        match change {
            TextureChange::Put { file, .. } => {
                let bytes = Value::Integer(to_integer(file.len() + ROW_BYTES));
                let row = [hash, used_at, bytes, Value::Bytes(file)];
                transaction.execute(PUT, &row).await?;
            }
            TextureChange::Used(_) => transaction.execute(USED, &[hash, used_at]).await?,
        }
    }
    Ok(())
}

/// Returns the approximate size of new files in the database.
pub(super) fn size(changes: &[TextureChange<'_>]) -> usize {
    let mut size = 0;
    for change in changes {
        if let TextureChange::Put { file, .. } = change {
            size += file.len() + ROW_BYTES;
        }
    }
    size
}
