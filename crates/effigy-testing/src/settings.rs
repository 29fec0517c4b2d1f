//! The settings of a server under test.

use std::time::Duration;

use effigy_http::{Config, Metrics};
use effigy_service::{ClientRates, ServiceConfig};
use effigy_upstream::{BaseUrl, Endpoints, UpstreamConfig};

/// The settings of a server whose upstreams are all one fake.
#[derive(Debug)]
pub struct Settings {
    /// The upstreams.
    pub upstream: UpstreamConfig,
    /// The request flow.
    pub service: ServiceConfig,
    /// The HTTP surface.
    pub config: Config,
}

impl Settings {
    /// The default settings of the service, with these exceptions: all upstreams have this URL, a
    /// profile may be asked for at any time, each health check is a new one, and the page lists no
    /// players.
    pub(crate) fn for_upstream(url: &str) -> Self {
        let url = BaseUrl::parse(url).expect("the fake has a base URL");
        let upstream = UpstreamConfig {
            endpoints: Endpoints {
                java_identity: url.clone(),
                java_session: url.clone(),
                bedrock_lookup: url.clone(),
                texture: url,
            },
            profile_interval: Some(Duration::ZERO),
            ..UpstreamConfig::default()
        };
        let service = ServiceConfig {
            health_ttl: Duration::ZERO,
            ..ServiceConfig::default()
        };
        let mut config = Config::new(Metrics::new());
        config.players.clear();
        Self {
            upstream,
            service,
            config,
        }
    }

    /// The rates of clients that a proxy reports. Every test connects from loopback, which is
    /// trusted as a proxy.
    pub const fn rates(&mut self) -> &mut ClientRates {
        &mut self.service.client_rates
    }

    /// Trusts no proxy, so that a peer on loopback is a client.
    pub fn trust_no_proxy(&mut self) {
        self.config.trusted_proxies = Some(Vec::new());
    }
}
