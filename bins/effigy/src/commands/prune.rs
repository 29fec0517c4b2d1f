//! `effigy prune`: deletes expired pictures, which the service itself ignores but keeps.

use std::time::SystemTime;

use anyhow::{Context, Result};
use effigy_cli::PruneArgs;
use effigy_store::{SqlStore, Store, StoreOptions};

use super::{block_on, print_line, start_log};

/// Deletes expired pictures, those beyond the maximum size, and old health checks. A missing database
/// is an error.
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
        let lifetime = args.database.lifetime();
        let deleted = store.prune(SystemTime::now(), lifetime).await;
        store.close().await;
        let deleted = deleted.context("the database failed")?;
        let noun = if deleted == 1 { "picture" } else { "pictures" };
        print_line(&format!("Deleted {deleted} {noun}"))
    })
}
