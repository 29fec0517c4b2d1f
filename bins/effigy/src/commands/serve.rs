//! `effigy serve`: the service on real players.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::Result;
use effigy_cli::ServeArgs;
use effigy_http::{ClientLimits, Config, Metrics};
use effigy_service::{Clock, Service, ServiceConfig};
use effigy_store::{SqlStore, Store};
use effigy_upstream::{Resolver, UreqTransport};

use super::{
    block_on,
    prune,
    server::{self, Listener, run},
    skins::Skins,
};
use crate::{log, timed_transport::TimedTransport};

/// The interval at which expired pictures and old health checks are deleted.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);

/// Serves pictures until a signal arrives.
pub(crate) fn serve(args: &ServeArgs) -> Result<()> {
    log::start_throttled(&args.log);
    let removed: Vec<String> = effigy_cli::removed_settings().collect();
    if !removed.is_empty() {
        tracing::warn!("no longer settings: {}", removed.join("; "));
    }
    let metrics = Metrics::new();
    let upstream = args.upstream.config(args.player_ttl)?;
    let resolve_timeout = upstream.resolve_timeout;
    let transport = TimedTransport {
        inner: UreqTransport::for_config(&upstream)?,
        metrics: Arc::clone(&metrics),
    };
    let skins = Skins::open(&args.skins, Resolver::new(transport, upstream)?)?;
    block_on(async {
        // Before the database is opened, since a port may be taken.
        let listener = Listener::bind(&args.server)?;
        let config = Config {
            clients: ClientLimits {
                trusted_proxies: args.clients.trusted_proxies(),
                ..ClientLimits::default()
            },
            ..server::config(&args.server, resolve_timeout, Arc::clone(&metrics))?
        };
        let store = prune::open(&args.database, true).await?;
        let service_config = ServiceConfig {
            memory_cache_bytes: args.server.memory_cache,
            metrics: Some(metrics),
            stale_if_error: args.database.stale_if_error,
            player_ttl: args.player_ttl,
            player_ttl_everywhere: args.player_ttl_everywhere,
            ..ServiceConfig::default()
        };
        let shared = Arc::new(store.clone());
        let service = Service::new(shared, skins.source(), Clock::system(), service_config);
        let pruning = tokio::spawn(prune_forever(store.clone(), args.database.lifetime()));
        let rereading = tokio::spawn(skins.reread());
        run(listener, service, config, &[]).await?;
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
                let error = anyhow::Error::new(error).context("the database failed");
                tracing::warn!("old pictures were not deleted: {error:#}");
            }
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}
