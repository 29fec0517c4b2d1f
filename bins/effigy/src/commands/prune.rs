//! `effigy prune`: deletes expired pictures, which the service itself ignores but keeps.

use std::time::SystemTime;

use anyhow::{Context, Result};
use effigy_store::{ImageCache, SqlStore};

use super::{block_on, print_line, start_log};
use crate::cli::PruneArgs;

/// Deletes expired pictures.
pub(crate) fn prune(args: &PruneArgs) -> Result<()> {
    start_log(&args.log);
    block_on(async {
        let store = SqlStore::open(&args.database.database_url)
            .await
            .context("--database-url: cannot open the database")?;
        let pruned = store
            .prune_images(SystemTime::now(), args.database.lifetime())
            .await;
        store.close().await;
        let pruned = pruned.context("the database failed")?;
        let pictures = if pruned == 1 { "picture" } else { "pictures" };
        print_line(&format!("Deleted {pruned} expired {pictures}"))
    })
}
