//! `effigy prune`: deletes expired pictures, which the service itself ignores but keeps.

use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use effigy_cli::PruneArgs;
use effigy_store::{HealthLog, ImageCache, SqlStore, StoreError, StoreOptions};

use super::{block_on, print_line, start_log};

/// Deletes expired pictures. A missing database is an error.
pub(crate) fn prune(args: &PruneArgs) -> Result<()> {
    start_log(&args.log);
    block_on(async {
        let options = StoreOptions {
            create: false,
            ..args.database.options(SqlStore::CONNECTIONS)
        };
        let store = SqlStore::open_with(&args.database.database_url, options)
            .await
            .context("--database-url: cannot open the database")?;
        let pruned = prune_store(&store, args.database.lifetime()).await;
        store.close().await;
        let Pruned { expired, evicted } = pruned.context("the database failed")?;
        print_line(&format!("Deleted {}", pictures(expired, "expired ")))?;
        if evicted > 0 {
            let oldest = pictures(evicted, "more ");
            print_line(&format!(
                "Deleted {oldest}, because the database is too large"
            ))?;
        }
        Ok(())
    })
}

/// The numbers of pictures that were deleted.
pub(super) struct Pruned {
    pub(super) expired: u64,
    pub(super) evicted: u64,
}

/// Deletes expired pictures, those beyond the maximum size, and old health checks.
pub(super) async fn prune_store(
    store: &SqlStore,
    lifetime: Duration,
) -> Result<Pruned, StoreError> {
    let expired = store.prune_images(SystemTime::now(), lifetime).await?;
    let mut evicted = 0;
    loop {
        match store.evict().await? {
            0 => break,
            more => evicted += more,
        }
    }
    store.prune_health().await?;
    Ok(Pruned { expired, evicted })
}

fn pictures(number: u64, kind: &str) -> String {
    let noun = if number == 1 { "picture" } else { "pictures" };
    format!("{number} {kind}{noun}")
}
