//! `effigy serve`: the service on real players.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use effigy_cli::ServeArgs;
use effigy_http::Metrics;
use effigy_service::ServiceConfig;
use effigy_store::{Ages, Maintenance as _, Pruned, SqlStore, StoreOptions};
use effigy_upstream::ProviderChain;

use super::server::Server;
use super::{block_on, database, sources};

/// The interval at which expired pictures and old health checks are deleted.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);

/// Only `demo` knows its players in advance, and prints example paths.
const NO_EXAMPLES: &str = "";

/// Serves pictures until a signal arrives.
pub(crate) fn run(args: &ServeArgs) -> Result<()> {
    let trusted_proxies = args.clients.trusted_proxies()?;
    let metrics = Metrics::new();
    let chain = connect(args, Arc::clone(&metrics))?;
    block_on(async {
        // The port comes before the database: if another server has it, no file is created.
        let mut server = Server::bind(&args.server, metrics)?;
        server.config.trusted_proxies = trusted_proxies;
        server.config.denied = args.clients.denied();
        serve(args, server, chain).await
    })
}

/// Connects to the providers of skins, and logs the settings that matter most.
fn connect(args: &ServeArgs, metrics: Arc<Metrics>) -> Result<Arc<ProviderChain>> {
    let mut config = args.upstream.config();
    config.missing_player_ttl = args.fresh().min(config.missing_player_ttl);
    let providers = config.providers.join(" ");
    let chain = sources::connect(&args.upstream, config, metrics)?;
    let url = &args.database.database_url;
    let (database_scheme, _) = url.split_once(':').unwrap_or_default();
    tracing::info!(
        "effigy {}; providers of skins, in their order: {providers}; database: {database_scheme}",
        env!("CARGO_PKG_VERSION")
    );
    Ok(chain)
}

/// Serves with a database that is pruned meanwhile.
async fn serve(args: &ServeArgs, server: Server<'_>, chain: Arc<ProviderChain>) -> Result<()> {
    let options = StoreOptions {
        server: server.name()?.into(),
        ..database::options(&args.database)
    };
    let store = database::open(&args.database, options).await?;
    if server.config.trusted_proxies.is_none() {
        tracing::warn!(
            "--trusted-proxy is not set: X-Forwarded-For is trusted from loopback and private \
             addresses, and clients behind such an address that sends none are not limited"
        );
    }
    sources::start_refresh(&chain).await;
    let pruning = tokio::spawn(prune_forever(store.clone(), args.database.ages()));
    server
        .run(store.clone(), chain, service_config(args), NO_EXAMPLES)
        .await?;
    pruning.abort();
    store.close().await;
    Ok(())
}

fn service_config(args: &ServeArgs) -> ServiceConfig {
    ServiceConfig {
        stale_if_error: args.database.stale_if_error,
        fresh: args.fresh(),
        picture_age: args.database.ages().pictures,
        shared_store: args.database.is_shared(),
        client_rates: args.clients.rates(),
        bedrock_prefixes: args.upstream.bedrock_prefixes(),
        ..ServiceConfig::default()
    }
}

/// Deletes old rows and old health checks, now and at an interval.
async fn prune_forever(store: SqlStore, ages: Ages) {
    loop {
        let result = store.prune(SystemTime::now(), ages).await;
        match result.context("old rows could not be deleted") {
            Ok(pruned) if pruned == Pruned::default() => {}
            Ok(pruned) => tracing::info!("deleted {}", database::in_words(pruned)),
            Err(error) => tracing::warn!("{error:#}"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}
