//! `effigy prune`: deletes expired pictures, which the service itself ignores but keeps.

use std::time::SystemTime;

use anyhow::{Context, Result};
use effigy_cli::{DatabaseArgs, PruneArgs};
use effigy_store::{SqlStore, Store, StoreOptions};

use super::{block_on, print};
use crate::log;

/// Deletes expired pictures, those beyond the maximum size, and old health checks. A missing database
/// is an error.
pub(crate) fn run(args: &PruneArgs) -> Result<()> {
    log::start(&args.log, None);
    block_on(async {
        let store = open(&args.database, "", true).await?;
        let lifetime = args.database.lifetime();
        let result = store.prune(SystemTime::now(), lifetime).await;
        store.close().await;
        let deleted = result.context("the database failed")?;
        let noun = if deleted == 1 { "picture" } else { "pictures" };
        print(format!("Deleted {deleted} {noun}\n"))
    })
}

/// Opens the database.
pub(super) async fn open(args: &DatabaseArgs, server: &str, must_exist: bool) -> Result<SqlStore> {
    let options = StoreOptions {
        max_bytes: args.max_bytes(),
        connections: args.database_connections,
        must_exist,
        server: server.into(),
    };
    let store = SqlStore::open_with(&args.database_url, options).await;
    store.context("--database-url: cannot open the database")
}
