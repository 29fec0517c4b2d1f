//! `effigy serve`: the service on real players.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result};
use effigy_cli::ServeArgs;
use effigy_http::Metrics;
use effigy_service::{Service, ServiceConfig};
use effigy_store::{CachedImage, SqlStore, Store};
use effigy_upstream::{ProviderChain, UreqTransport};

use super::{prune, server::Server, sources};
use crate::{log, runtime::block_on};

/// The interval at which expired pictures and old health checks are deleted.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);

/// The key of the chain of providers in the database. Those of pictures have a `_` after the first word.
const CHAIN_KEY: &str = "providers";

/// Serves pictures until a signal arrives.
pub(crate) fn serve(args: &ServeArgs) -> Result<()> {
    log::start(&args.server.log, Some(log::INTERVAL));
    let metrics = Metrics::new();
    let counted = metrics.service.clone();
    let mut upstream = args.upstream.config()?;
    upstream.missing_player_ttl = args.player_ttl.min(upstream.missing_player_ttl);
    upstream.checks = sources::CHECKS;
    let resolve_timeout = upstream.resolve_timeout;
    let digest = upstream.providers.join(" ");
    let transport = UreqTransport::new(upstream.contact.as_deref())?;
    let transport = sources::timed(transport, Arc::clone(&metrics));
    let chain = Arc::new(ProviderChain::new(transport, upstream)?);
    block_on(async {
        // Before the database is opened, since a port may be taken.
        let mut server = Server::bind(&args.server, resolve_timeout, metrics)?;
        server.config.trusted_proxies = args.clients.trusted_proxies();
        let store = prune::open(&args.database, false).await?;
        let config = ServiceConfig {
            memory_cache_bytes: args.server.memory_cache,
            stale_if_error: args.database.stale_if_error,
            player_ttl: args.player_ttl,
            player_ttl_everywhere: args.player_ttl_everywhere,
            client_limits: args.clients.limits(),
            ..ServiceConfig::default()
        };
        let (shared, source) = (Arc::new(store.clone()), chain.clone());
        let service = Service::new(shared, source, Arc::new(SystemTime::now), config, counted);
        let service = service.context("the operating system refused threads")?;
        sources::keep_fresh(chain).context("the operating system refused threads")?;
        let lifetime = args.database.lifetime();
        let pruning = tokio::spawn(prune_forever(store.clone(), digest, lifetime));
        server.run(service, "").await?;
        pruning.abort();
        store.close().await;
        Ok(())
    })
}

/// Deletes expired pictures and old health checks, now and at an interval. Before it, compares the chain of
/// providers with the one whose pictures are in the database.
async fn prune_forever(store: SqlStore, chain: String, lifetime: Duration) {
    loop {
        let deleted = async {
            compare_chain(&store, &chain, lifetime).await?;
            anyhow::Ok(store.prune(SystemTime::now(), lifetime).await?)
        };
        match deleted.await {
            Ok(0) => {}
            Ok(deleted) => tracing::info!(deleted, "old pictures were deleted"),
            Err(error) => tracing::warn!("old pictures could not be deleted: {error:#}"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

/// Warns if pictures of another chain of providers are in the database: the keys of pictures do not name their
/// providers. The chain is stored like a picture, and expires with the last ones of it.
async fn compare_chain(store: &SqlStore, chain: &str, lifetime: Duration) -> Result<()> {
    let now = SystemTime::now();
    let stored = store.lookup(CHAIN_KEY, now, lifetime).await?;
    if let Some(stored) = stored.filter(|stored| stored.data != chain.as_bytes()) {
        let other = String::from_utf8_lossy(&stored.data);
        tracing::warn!(
            "--provider: the database has pictures of other providers ({other}), which are served until they \
             expire; all replicas of a database need the same providers ({chain})"
        );
    }
    let image = CachedImage {
        data: chain.to_owned().into(),
        content_type: "text/plain".to_owned(),
        created_at: now,
    };
    Ok(store.write(&[(CHAIN_KEY, &image)], &[]).await?)
}
