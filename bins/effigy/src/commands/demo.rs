//! `effigy demo`: the service with a few built-in players, without a network or a database.

mod players;

use std::sync::Arc;

use anyhow::Result;
use effigy_cli::DemoArgs;
use effigy_http::{Config, Metrics, Showcase};
use effigy_service::{Clock, Service, ServiceConfig};
use effigy_store::MemoryStore;
use effigy_upstream::UpstreamConfig;

use super::{
    block_on,
    server::{self, Listener, run},
};
use crate::log;

/// Paths to print as examples, one of each kind.
const EXAMPLES: [&str; 8] = [
    "/avatar/Gwendolin/right/256",
    "/ioshead/Reynard/left/256",
    "/player/Melchior/128/hat",
    "/head/Servo/128/hat",
    "/avatar/.Bluejay/right/256",
    "/v1/avatar/Hazel?facing=back-left&size=256",
    "/v1/profile/Corvina",
    "/minecraft/mhf",
];

/// Serves the built-in players.
pub(crate) fn demo(args: &DemoArgs) -> Result<()> {
    log::start_throttled(&args.log);
    let metrics = Metrics::new();
    block_on(async {
        let listener = Listener::bind(&args.server)?;
        let config = ServiceConfig {
            memory_cache_bytes: args.server.memory_cache,
            metrics: Some(metrics.clone()),
            ..ServiceConfig::default()
        };
        let store = Arc::new(MemoryStore::new());
        let service = Service::new(store, Arc::new(players::source()), Clock::system(), config);
        let resolve_timeout = UpstreamConfig::default().resolve_timeout;
        let config = Config {
            showcase: Showcase {
                first: players::LISTED[0],
                players: players::LISTED.map(str::to_owned).to_vec(),
            },
            ..server::config(&args.server, resolve_timeout, metrics)?
        };
        run(listener, service, config, &EXAMPLES).await
    })
}
