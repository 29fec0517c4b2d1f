//! `effigy demo`: the service on an upstream of its own, with drawn players and no network.

use std::net::{Ipv4Addr, SocketAddr};

use effigy_http::{Config, Metrics, Showcase};
use effigy_service::{Clock, Service};
use effigy_store::MemoryStore;
use effigy_upstream::{BaseUrl, Endpoints, UpstreamConfig};
use fixtures::{Answer, FakePlayer, FakeUpstream};

use super::{
    block_on,
    serve::{REST_OF_A_REQUEST, listen, run, timed_resolver, upstreams},
    start_log,
};
use crate::{cli::DemoArgs, failure::Failure};

/// Paths worth a look, one of each kind.
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

/// Serves the drawn players.
pub(crate) fn demo(args: &DemoArgs) -> Result<(), Failure> {
    start_log(&args.log);
    let free_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let upstream = FakeUpstream::bind(free_port).map_err(|source| Failure::System {
        what: "a socket for the drawn players",
        source,
    })?;
    let metrics = Metrics::new();
    let source = timed_resolver(config_for(upstream.url())?, &metrics)?;
    let examples = EXAMPLES.map(|path| format!("  {{url}}{path}"));
    block_on(async {
        let listener = listen(&args.listen)?;
        let service = Service::new(
            MemoryStore::new(),
            source,
            Clock::system(),
            args.capacity.service(metrics.observer()),
        );
        let config = Config {
            max_connections: args.capacity.max_connections,
            response_timeout: UpstreamConfig::default().resolve_timeout + REST_OF_A_REQUEST,
            showcase: showcase(),
            metrics,
            upstreams: upstreams(&service),
        };
        run(listener, service, config, &examples).await
    })
}

/// The players who are worth a look: those in good order, without the test skins and the presets,
/// of whom there are too many.
fn showcase() -> Showcase {
    let is_shown = |player: &&FakePlayer| {
        let drawn = matches!(player.answer, Answer::Skin(skin) | Answer::Caped(skin) if !skin.starts_with("uv_"));
        drawn && !player.name.starts_with("MHF_")
    };
    let input = |player: &FakePlayer| match player.uuid() {
        Some(_) => player.name.to_owned(),
        None => format!(".{}", player.name),
    };
    Showcase {
        first: "Gwendolin",
        players: fixtures::players()
            .iter()
            .filter(is_shown)
            .map(input)
            .collect(),
    }
}

/// All four services on one base URL.
fn config_for(url: &str) -> Result<UpstreamConfig, Failure> {
    let base = BaseUrl::parse("demo", url)?;
    Ok(UpstreamConfig {
        endpoints: Endpoints {
            java_identity: base.clone(),
            java_session: base.clone(),
            bedrock_lookup: base.clone(),
            texture: base,
        },
        ..UpstreamConfig::default()
    })
}
