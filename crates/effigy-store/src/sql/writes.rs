//! Batches of writes, each in one transaction.

use async_trait::async_trait;

use super::database::{Database, Transaction, within_timeout};
use super::{SqlStore, counts, pictures, players, sqlite, textures};
use crate::error::is_damage;
use crate::{StoreError, WriteBatch, Writes};

#[async_trait]
impl Writes for SqlStore {
    async fn write(&self, batch: &WriteBatch<'_>) -> Result<(), StoreError> {
        let database = self.database()?;
        let written = within_timeout("store a batch", write_all(database, batch)).await;
        if let Err(error) = written {
            if error.is(is_damage) {
                mark_damaged(database).await;
            }
            return Err(error);
        }
        self.make_room(size(batch)).await;
        Ok(())
    }
}

/// Writes a batch. Each process writes the tables in this order, and the rows of each table in the
/// order of their keys, so processes cannot deadlock. Counters come last, because every process
/// waits for them.
async fn write_all(database: &Database, batch: &WriteBatch<'_>) -> Result<(), sqlx::Error> {
    let mut transaction = Transaction::begin(database).await?;
    pictures::write(&mut transaction, batch.pictures).await?;
    textures::write(&mut transaction, batch.textures, batch.now).await?;
    players::write(&mut transaction, batch.players, batch.now).await?;
    counts::write(&mut transaction, batch.counts).await?;
    transaction.commit().await
}

/// Marks a SQLite file as damaged, so that it is renamed the next time that it is opened.
async fn mark_damaged(database: &Database) {
    if let Database::Sqlite(file) = database {
        // If that fails too, the next write that meets damage tries again.
        let _ = sqlx::query(sqlite::MARK_DAMAGED)
            .execute(&file.writers)
            .await;
    }
}

/// Returns the approximate size of a batch in the database.
fn size(batch: &WriteBatch<'_>) -> u64 {
    let pictures = pictures::size(batch.pictures);
    let textures = textures::size(batch.textures);
    let players = players::size(batch.players);
    (pictures + textures + players) as u64
}
