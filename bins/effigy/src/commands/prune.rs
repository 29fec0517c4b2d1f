//! `effigy prune`: deletes old pictures, textures and players.

use std::time::SystemTime;

use anyhow::{Context, Result};
use effigy_cli::{DatabaseArgs, PruneArgs};
use effigy_store::{Maintenance as _, Pruned, SqlStore, StoreError, StoreOptions};

use super::{block_on, print};
use crate::log;

/// Deletes old rows, the oldest ones beyond the maximum size, and old health checks. A missing database
/// is an error.
pub(crate) fn run(args: &PruneArgs) -> Result<()> {
    log::start(&args.log, None);
    block_on(async {
        let store = open(&args.database, "", true).await?;
        let result = store.prune(SystemTime::now(), args.database.ages()).await;
        store.close().await;
        let pruned = result.context("the database failed")?;
        print(format!("Deleted {}\n", described(pruned)))
    })
}

/// Returns the numbers of deleted rows in words.
pub(super) fn described(pruned: Pruned) -> String {
    let counted = |count: u64, noun: &str| {
        let ending = if count == 1 { "" } else { "s" };
        format!("{count} {noun}{ending}")
    };
    let pictures = counted(pruned.pictures, "picture");
    let textures = counted(pruned.textures, "texture");
    let players = counted(pruned.players, "player");
    format!("{pictures}, {textures} and {players}")
}

/// Opens the database.
pub(super) async fn open(args: &DatabaseArgs, server: &str, must_exist: bool) -> Result<SqlStore> {
    const FAILED: &str = "--database-url: cannot open the database";
    if let Some(problem) = args.url_problem() {
        return Err(StoreError::Url(problem.to_owned())).context(FAILED);
    }
    let options = StoreOptions {
        max_bytes: args.max_bytes(),
        connections: args.database_connections,
        must_exist,
        server: server.into(),
    };
    let store = SqlStore::open_with(&args.database_url, options).await;
    store.context(FAILED)
}
