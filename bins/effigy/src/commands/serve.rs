//! `effigy serve`: the service on real players.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result};
use effigy_cli::ServeArgs;
use effigy_http::Metrics;
use effigy_service::{Clock, Service, ServiceConfig};
use effigy_store::{SqlStore, Store};
use effigy_upstream::{Resolver, UreqTransport};

use super::{block_on, prune, server::Server, skins::Skins};
use crate::{log, timed_transport::TimedTransport};

/// The interval at which expired pictures and old health checks are deleted.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);

/// Serves pictures until a signal arrives.
pub(crate) fn serve(args: &ServeArgs) -> Result<()> {
    log::start(&args.log, Some(log::INTERVAL));
    let removed: Vec<String> = effigy_cli::removed_settings().collect();
    if !removed.is_empty() {
        tracing::warn!("no longer settings: {}", removed.join("; "));
    }
    let metrics = Metrics::new();
    let mut upstream = args.upstream.config()?;
    upstream.missing_player_ttl = args.player_ttl.min(upstream.missing_player_ttl);
    let resolve_timeout = upstream.resolve_timeout;
    let transport = TimedTransport {
        inner: UreqTransport::for_config(&upstream)?,
        metrics: Arc::clone(&metrics),
    };
    let skins = Skins::open(&args.skins, Resolver::new(transport, upstream)?)?;
    block_on(async {
        // Before the database is opened, since a port may be taken.
        let mut server = Server::bind(&args.server, resolve_timeout, metrics)?;
        server.config.trusted_proxies = args.clients.trusted_proxies();
        let store = prune::open(&args.database, true).await?;
        let config = ServiceConfig {
            memory_cache_bytes: args.server.memory_cache,
            stale_if_error: args.database.stale_if_error,
            player_ttl: args.player_ttl,
            player_ttl_everywhere: args.player_ttl_everywhere,
            client_limits: args.clients.limits(),
            ..ServiceConfig::default()
        };
        let (shared, source) = (Arc::new(store.clone()), Arc::clone(&skins.source));
        let service = Service::new(shared, source, Clock::system(), config)
            .context("the operating system refused threads")?;
        let pruning = tokio::spawn(prune_forever(store.clone(), args.database.lifetime()));
        let rereading = tokio::spawn(skins.reread());
        server.run(service, &[]).await?;
        pruning.abort();
        rereading.abort();
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
            Err(error) => {
                tracing::warn!("old pictures stay: {:#}", anyhow::Error::new(error));
            }
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}
