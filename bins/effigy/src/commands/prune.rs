//! `effigy prune`: deletes old pictures, textures and players.

use std::time::SystemTime;

use anyhow::{Context, Result};
use effigy_cli::PruneArgs;
use effigy_store::{Maintenance as _, StoreOptions};

use super::{block_on, database, print};

/// Deletes old rows, the oldest rows beyond the maximum size, and old health checks. A missing
/// database is an error.
pub(crate) fn run(args: &PruneArgs) -> Result<()> {
    let options = StoreOptions {
        must_exist: true,
        ..database::options(&args.database)
    };
    block_on(async {
        let store = database::open(&args.database, options).await?;
        let result = store.prune(SystemTime::now(), args.database.ages()).await;
        store.close().await;
        let pruned = result.context("the database failed")?;
        print(format!("Deleted {}\n", database::in_words(pruned)))
    })
}
