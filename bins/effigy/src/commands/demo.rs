//! `effigy demo`: the service with a few built-in players, without a network or a database.

mod players;

use std::sync::Arc;

use anyhow::Result;
use effigy_cli::ServerArgs;
use effigy_http::Metrics;
use effigy_service::ServiceConfig;
use effigy_store::{SqlStore, StoreOptions};
use effigy_upstream::ProviderChain;

use super::{block_on, server::Server, sources};

/// Paths to print as examples, one for each kind of path.
const EXAMPLES: &str = include_str!("../../demo/examples.txt");

/// The maximum size of the pictures in the database, which is in memory.
const MAX_BYTES: u64 = 64 << 20;

/// Serves the built-in players.
pub(crate) fn run(args: &ServerArgs) -> Result<()> {
    block_on(async {
        let mut server = Server::bind(args, Metrics::new())?;
        server.config.players = players::listed();
        server.config.demo = true;
        let options = StoreOptions {
            max_bytes: Some(MAX_BYTES),
            ..StoreOptions::default()
        };
        let store = SqlStore::open_with("sqlite::memory:", options).await?;
        let chain = ProviderChain::in_memory(players::files(), sources::CHECKS);
        let config = ServiceConfig::default();
        server.run(store, Arc::new(chain), config, EXAMPLES).await
    })
}
