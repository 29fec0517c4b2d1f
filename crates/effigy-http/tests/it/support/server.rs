//! The service on a free port of this process, with a store in memory, on a fake upstream.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use effigy_http::{Config, Metrics};
use effigy_service::{ClientRates, Service, ServiceConfig};
use effigy_upstream::{BaseUrl, Endpoints, ProviderChain, UpstreamConfig, UreqTransport};
use fixtures::{
    FakeUpstream, Fault, MemoryStore, Step,
    client::{Reply, ask, exchange, metric, request},
};
use tokio::{net::TcpListener, runtime::Runtime, sync::oneshot};

/// Serves every server of this process.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    allow_many_descriptors();
    Runtime::new().unwrap()
});

/// Raises the soft limit of file descriptors to the hard one. Clients and servers share this process,
/// and the usual soft limit of 1,024 is too low for a thousand connections.
fn allow_many_descriptors() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        setrlimit(Resource::Nofile, limit).unwrap();
    }
}

/// A running server. It stops when this is dropped.
pub(crate) struct Server {
    pub(crate) upstream: FakeUpstream,
    pub(crate) url: String,
    /// The seconds that the clock of the service is ahead.
    advanced: Arc<AtomicU64>,
    _stop: oneshot::Sender<()>,
}

/// The settings of a server; the addresses of the upstreams are the fake one's.
pub(crate) struct Settings {
    pub(crate) upstream: UpstreamConfig,
    pub(crate) service: ServiceConfig,
    pub(crate) config: Config,
}

impl Settings {
    /// The rates of clients that a proxy reports. Every test connects from loopback, which is
    /// trusted as a proxy.
    pub(crate) const fn rates(&mut self) -> &mut ClientRates {
        &mut self.service.client_rates
    }

    /// Trusts no proxy, so that a peer on loopback is a client.
    pub(crate) fn trust_nobody(&mut self) {
        self.config.trusted_proxies = Some(Vec::new());
    }
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// Starts a server that remembers no outage of a player or texture, and no missing player.
    pub(crate) fn start_forgetful() -> Self {
        Self::start_with(|settings| settings.upstream.missing_player_ttl = Duration::ZERO)
    }

    /// Starts a server that asks for one profile once within the interval of its provider.
    pub(crate) fn start_with_interval() -> Self {
        Self::start_with(|settings| settings.upstream.profile_interval = None)
    }

    /// Starts a server whose default settings `change` has changed.
    pub(crate) fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        let upstream = FakeUpstream::start();
        let url = BaseUrl::parse(upstream.url()).unwrap();
        let mut settings = Settings {
            upstream: UpstreamConfig {
                endpoints: Endpoints {
                    java_identity: url.clone(),
                    java_session: url.clone(),
                    bedrock_lookup: url.clone(),
                    texture: url,
                },
                profile_interval: Some(Duration::ZERO),
                ..UpstreamConfig::default()
            },
            service: ServiceConfig {
                // Each check is a new one.
                health_ttl: Duration::ZERO,
                ..ServiceConfig::default()
            },
            config: Config::new(Metrics::new()),
        };
        settings.config.players.clear();
        change(&mut settings);
        let transport = UreqTransport::new(None).unwrap();
        let source = ProviderChain::new(transport, settings.upstream).unwrap();
        let (stop, stopped) = oneshot::channel();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let listener = RUNTIME.block_on(listener).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        // The service starts its own tasks.
        let _entered = RUNTIME.enter();
        let store = Arc::new(MemoryStore::default());
        let advanced = Arc::new(AtomicU64::new(0));
        let ahead = Arc::clone(&advanced);
        let clock = move || SystemTime::now() + Duration::from_secs(ahead.load(Ordering::Relaxed));
        let clock = Arc::new(clock);
        let service = Service::new(store, Arc::new(source), clock, settings.service).unwrap();
        RUNTIME.spawn(async move {
            let dropped = async { drop(stopped.await) };
            effigy_http::serve(listener, service, settings.config, dropped).await;
        });
        Self {
            upstream,
            url,
            advanced,
            _stop: stop,
        }
    }

    /// Puts the clock of the service ahead.
    pub(crate) fn advance(&self, seconds: u64) {
        self.advanced.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Makes every call of a step fail.
    pub(crate) fn fail(&self, step: Step) {
        self.upstream.set_fault(step, Some(Fault::status(500)));
    }

    /// Ends the faults of a step.
    pub(crate) fn mend(&self, step: Step) {
        self.upstream.set_fault(step, None);
    }

    /// Host and port.
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[])
    }

    /// The answer to a request that succeeds.
    #[track_caller]
    pub(crate) fn ok(&self, path: &str) -> Reply {
        let reply = self.get(path);
        let body = String::from_utf8_lossy(&reply.body);
        assert_eq!(reply.status, 200, "{path}: {body}");
        reply
    }

    /// The hash of a player's texture.
    #[track_caller]
    pub(crate) fn hash_of(&self, input: &str) -> String {
        let profile = self.ok(&format!("/v1/profile/{input}")).json();
        let url = profile["texture_url"].as_str().unwrap();
        url.rsplit('/').next().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        ask(self.address(), method, path, headers)
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &[u8]) -> Reply {
        self.post_with(path, &[], body)
    }

    #[track_caller]
    pub(crate) fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let length = body.len().to_string();
        let headers = [headers, &[("Content-Length", &*length)]].concat();
        let head = request(self.address(), "POST", path, &headers);
        let bytes = exchange(self.address(), &[head.as_bytes(), body].concat());
        Reply::parse(&bytes, true)
    }

    /// The value of a metric, by its name with labels; 0 if nothing has been observed.
    #[track_caller]
    pub(crate) fn metric(&self, name: &str) -> f64 {
        metric(self.address(), name)
    }
}
