//! `effigy serve`: the service on real players.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result};
use effigy_cli::ServeArgs;
use effigy_http::{Config, Metrics};
use effigy_service::{Clock, Service, ServiceConfig};
use effigy_store::{SqlStore, Store};
use effigy_upstream::{ConfigError, Resolver, UpstreamConfig, UreqTransport};

use super::{
    block_on,
    server::{self, Listener, run},
    skins::Skins,
    start_log,
};
use crate::timed_transport::TimedTransport;

/// Serves pictures until a signal arrives.
pub(crate) fn serve(args: &ServeArgs) -> Result<()> {
    start_log(&args.log);
    let metrics = Metrics::new();
    let skins = Skins::open(&args.skins, resolver(args.upstream.config()?, &metrics)?)?;
    block_on(async {
        let listener = Listener::bind(&args.server)?;
        let options = args.database.options(args.database_connections);
        let store = SqlStore::open_with(&args.database.database_url, options)
            .await
            .context("--database-url: cannot open the database")?;
        let config = ServiceConfig {
            memory_cache_bytes: args.server.memory_cache,
            metrics: Some(metrics.clone()),
            stale_if_error: args.database.stale_if_error,
            player_ttl: args.player_ttl,
            player_ttl_everywhere: args.player_ttl_everywhere,
            health_ping_interval: args.health_ping_every,
        };
        let shared = Arc::new(store.clone());
        let service = Service::new(shared, skins.source(), Clock::system(), config);
        let lifetime = args.database.lifetime();
        let pruning = tokio::spawn(prune_every(store.clone(), args.prune_every, lifetime));
        let resolve_timeout = args.upstream.resolve_timeout;
        let config = Config {
            clients: args.clients.limits(),
            ..server::config(&args.server, resolve_timeout, metrics)?
        };
        let rereading = tokio::spawn(skins.reread());
        run(listener, service, config, &[]).await?;
        pruning.abort();
        rereading.abort();
        store.close().await;
        Ok(())
    })
}

/// Creates a resolver whose calls are measured.
fn resolver(config: UpstreamConfig, metrics: &Arc<Metrics>) -> Result<Resolver, ConfigError> {
    let transport = TimedTransport {
        inner: UreqTransport::for_config(&config)?,
        metrics: Arc::clone(metrics),
    };
    Resolver::new(transport, config)
}

/// Deletes expired pictures and old health checks at an interval, or never if that is zero.
async fn prune_every(store: SqlStore, interval: Duration, lifetime: Duration) {
    while !interval.is_zero() {
        tokio::time::sleep(interval).await;
        match store.prune(SystemTime::now(), lifetime).await {
            Ok(deleted) => tracing::info!(deleted, "old pictures were deleted"),
            Err(error) => {
                let error = anyhow::Error::new(error).context("the database failed");
                tracing::warn!("old pictures were not deleted: {error:#}");
            }
        }
    }
}
