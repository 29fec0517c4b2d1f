//! The database of `serve` and `prune`.

use anyhow::{Context, Result};
use effigy_cli::DatabaseArgs;
use effigy_store::{Pruned, SqlStore, StoreError, StoreOptions};

use super::counted;

/// Returns the options of a database that is created if it is missing.
pub(super) fn options(args: &DatabaseArgs) -> StoreOptions {
    StoreOptions {
        max_bytes: args.max_bytes(),
        connections: args.database_connections,
        ..StoreOptions::default()
    }
}

/// Opens the database.
pub(super) async fn open(args: &DatabaseArgs, options: StoreOptions) -> Result<SqlStore> {
    const FAILED: &str = "--database-url: cannot open the database";
    if let Some(problem) = args.url_problem() {
        return Err(StoreError::Url(problem.to_owned())).context(FAILED);
    }
    let store = SqlStore::open_with(&args.database_url, options).await;
    store.context(FAILED)
}

/// Returns the numbers of deleted rows in words.
pub(super) fn in_words(pruned: Pruned) -> String {
    let pictures = counted(pruned.pictures, "picture");
    let textures = counted(pruned.textures, "texture");
    let players = counted(pruned.players, "player");
    format!("{pictures}, {textures} and {players}")
}
