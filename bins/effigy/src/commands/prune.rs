//! `effigy prune`: deletes expired pictures, which the service itself ignores but keeps.

use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use effigy_cli::PruneArgs;
use effigy_store::{HealthLog, ImageCache, SqlStore, StoreError, StoreOptions};

use super::{block_on, print_line};
use crate::log;

/// Deletes expired pictures, and the oldest ones of a database that is too large. A missing database is an
/// error.
pub(crate) fn prune(args: &PruneArgs) -> Result<()> {
    log::start(&args.log);
    block_on(async {
        let options = StoreOptions {
            connections: SqlStore::CONNECTIONS,
            max_bytes: args.database.max_bytes(),
            create: false,
        };
        let store = SqlStore::open_with(&args.database.database_url, options)
            .await
            .context("--database-url: cannot open the database")?;
        let deleted = prune_store(&store, args.database.lifetime()).await;
        store.close().await;
        let deleted = deleted.context("the database failed")?;
        let pictures = if deleted == 1 { "picture" } else { "pictures" };
        print_line(&format!("Deleted {deleted} {pictures}"))
    })
}

/// Deletes expired pictures, those beyond the maximum size, and old health checks.
pub(super) async fn prune_store(store: &SqlStore, lifetime: Duration) -> Result<u64, StoreError> {
    let mut deleted = store.prune_images(SystemTime::now(), lifetime).await?;
    loop {
        match store.evict().await? {
            0 => break,
            more => deleted += more,
        }
    }
    store.prune_health().await?;
    Ok(deleted)
}
