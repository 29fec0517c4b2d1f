//! `effigy serve`: the service on real players.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use effigy_cli::ServeArgs;
use effigy_http::Metrics;
use effigy_service::ServiceConfig;
use effigy_store::{SqlStore, Store};

use super::{prune, server::Server, sources};
use crate::{log, runtime::block_on};

/// The interval at which expired pictures and old health checks are deleted.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);

/// Serves pictures until a signal arrives.
pub(crate) fn run(args: &ServeArgs) -> Result<()> {
    log::start(&args.server.log, Some(log::INTERVAL));
    let metrics = Metrics::new();
    let mut upstream = args.upstream.config();
    upstream.missing_player_ttl = args.player_ttl.min(upstream.missing_player_ttl);
    let providers = upstream.providers.join(" ");
    let chain = sources::connect(&args.upstream, upstream, Arc::clone(&metrics))?;
    let trusted_proxies = args.clients.trusted_proxies()?;
    let url = &args.database.database_url;
    let (database, _) = url.split_once(':').unwrap_or_default();
    tracing::info!(
        "effigy {}; providers of skins, in their order: {providers}; database: {database}",
        env!("CARGO_PKG_VERSION")
    );
    for name in effigy_cli::unknown_variables() {
        tracing::warn!("no setting is called {name}; --help names them");
    }
    block_on(async {
        // Before the database is opened, since a port may be taken.
        let mut server = Server::bind(&args.server, metrics)?;
        server.config.trusted_proxies = trusted_proxies;
        let store = prune::open(&args.database, &server.name()?, false).await?;
        let config = ServiceConfig {
            memory_cache_bytes: args.server.memory_cache,
            stale_if_error: args.database.stale_if_error,
            player_ttl: args.player_ttl,
            player_ttl_everywhere: args.player_ttl_everywhere,
            client_limits: args.clients.limits(args.database.max_bytes()),
            ..ServiceConfig::default()
        };
        sources::start_refresh(&chain).await;
        let pruning = tokio::spawn(prune_forever(store.clone(), args.database.lifetime()));
        server.run(store.clone(), chain, config, "").await?;
        pruning.abort();
        store.close().await;
        Ok(())
    })
}

/// Deletes expired pictures and old health checks, now and at an interval.
async fn prune_forever(store: SqlStore, lifetime: Duration) {
    loop {
        match store.prune(SystemTime::now(), lifetime).await {
            Ok(0) => {}
            Ok(deleted) => tracing::info!(deleted, "old pictures were deleted"),
            Err(error) => tracing::warn!(
                "old pictures could not be deleted: {:#}",
                anyhow::Error::new(error)
            ),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}
