//! The resolver over real sockets, with the fake upstream at the other end.

use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use effigy_player::Model;
use effigy_upstream::{BaseUrl, Endpoints, ProviderChain, UpstreamConfig, UreqTransport};
use fixtures::FakeUpstream;

use super::resolve::{Resolve as _, Resolved};

/// The fake upstream, and a clock that tests advance.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) fake: FakeUpstream,
    pub(crate) clock: Arc<Mutex<Instant>>,
}

impl World {
    pub(crate) fn start() -> Self {
        // The fake prepares all textures at the first request for one, which takes a while.
        static WARM: Once = Once::new();
        let world = Self {
            fake: FakeUpstream::start(),
            clock: Arc::new(Mutex::new(Instant::now())),
        };
        WARM.call_once(|| {
            let resolver = world.resolver(world.config());
            resolver.resolve("Steve").expect("nothing is wrong yet");
            world.fake.reset_calls();
        });
        world
    }

    /// All four services at the address of the fake, with generous timeouts.
    pub(crate) fn config(&self) -> UpstreamConfig {
        let base = BaseUrl::parse(self.fake.url()).expect("a base url");
        UpstreamConfig {
            endpoints: Endpoints {
                java_identity: base.clone(),
                java_session: base.clone(),
                bedrock_lookup: base.clone(),
                texture: base,
            },
            timeout: Duration::from_secs(60),
            ..UpstreamConfig::default()
        }
    }

    /// A resolver whose limits use the clock of this world. The timeouts of calls are real.
    pub(crate) fn resolver(&self, config: UpstreamConfig) -> ProviderChain {
        let transport = UreqTransport::new(None).expect("a good configuration");
        let clock = Arc::clone(&self.clock);
        ProviderChain::new(transport, config)
            .expect("a good configuration")
            .with_clock(move || *clock.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Asserts that this is the fixture skin of that name.
#[track_caller]
pub(crate) fn assert_skin(resolved: &Resolved, name: &str) {
    let drawn = fixtures::skin(name);
    assert_eq!(resolved.texture, drawn.png, "{name}");
    let model = if drawn.slim {
        Model::Slim
    } else {
        Model::Classic
    };
    assert_eq!(resolved.model, model, "{name}");
}
