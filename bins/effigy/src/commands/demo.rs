//! `effigy demo`: the service on an upstream of its own, with drawn players and no network.

use std::net::{Ipv4Addr, SocketAddr};

use effigy_store::MemoryStore;
use effigy_upstream::{BaseUrl, Endpoints, UpstreamConfig};
use fixtures::FakeUpstream;

use super::{
    block_on,
    serve::{listen, resolver, run},
    start_log,
};
use crate::{cli::DemoArgs, failure::Failure};

/// Paths worth a look, one of each kind.
const EXAMPLES: [&str; 6] = [
    "/avatar/Gwendolin/right/256",
    "/ioshead/Reynard/left/256",
    "/player/Melchior/128/hat",
    "/head/Servo/128/hat",
    "/avatar/.Bluejay/right/256",
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
    let source = resolver(config_for(upstream.url())?)?;
    let examples = EXAMPLES.map(|path| format!("  {{url}}{path}"));
    block_on(async {
        let listener = listen(&args.listen).await?;
        run(listener, MemoryStore::new(), source, &examples).await
    })
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
