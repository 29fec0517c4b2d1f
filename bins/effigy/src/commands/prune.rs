//! `effigy prune`: deletes expired pictures, which the service itself ignores but keeps.

use std::time::SystemTime;

use effigy_store::{ImageCache, SqlStore};

use super::{block_on, print_line, start_log};
use crate::{cli::PruneArgs, failure::Failure};

/// Deletes expired pictures.
pub(crate) fn prune(args: &PruneArgs) -> Result<(), Failure> {
    start_log(&args.log);
    block_on(async {
        let store = SqlStore::open(&args.database.database_url)
            .await
            .map_err(Failure::Database)?;
        let pruned = store
            .prune_images(SystemTime::now(), args.stale.lifetime())
            .await;
        store.close().await;
        let pruned = pruned.map_err(Failure::Store)?;
        let pictures = if pruned == 1 { "picture" } else { "pictures" };
        print_line(&format!("Deleted {pruned} expired {pictures}"))
    })
}
