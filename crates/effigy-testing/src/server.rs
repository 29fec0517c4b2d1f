//! The service on a free port of this process, with a store in memory, on a fake upstream.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use effigy_service::Service;
use effigy_upstream::{ProviderChain, UreqTransport};
use fixtures::{
    FakeUpstream, Fault, MemoryStore, Step,
    client::{Reply, ask, metric, post},
};
use tokio::{net::TcpListener, runtime::Runtime, sync::oneshot};

use crate::Settings;

/// Serves every server of this process.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    allow_many_descriptors();
    Runtime::new().expect("the system has threads left")
});

/// A running server. It stops when this is dropped.
#[derive(Debug)]
pub struct Server {
    /// The upstream of all providers.
    pub upstream: FakeUpstream,
    /// The base URL, without a slash at the end.
    pub url: String,
    /// The seconds that the clock of the service is ahead.
    seconds_ahead: Arc<AtomicU64>,
    _stop: oneshot::Sender<()>,
}

impl Server {
    /// Starts a server.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// Starts a server that remembers no outage of a player or texture, and no missing player.
    #[must_use]
    pub fn start_forgetful() -> Self {
        Self::start_with(|settings| settings.upstream.missing_player_ttl = Duration::ZERO)
    }

    /// Starts a server that asks for one profile once within the interval of its provider.
    #[must_use]
    pub fn start_with_interval() -> Self {
        Self::start_with(|settings| settings.upstream.profile_interval = None)
    }

    /// Starts a server whose default settings `change` has changed.
    ///
    /// # Panics
    ///
    /// When no port is free, or the settings are invalid.
    #[must_use]
    pub fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        let upstream = FakeUpstream::start();
        let mut settings = Settings::for_upstream(upstream.url());
        change(&mut settings);

        let listener = RUNTIME.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
        let listener = listener.expect("a loopback port is free");
        let address = listener.local_addr().expect("the listener is bound");

        let seconds_ahead = Arc::new(AtomicU64::new(0));
        let service = start_service(&settings, Arc::clone(&seconds_ahead));
        let (stop, stopped) = oneshot::channel();
        RUNTIME.spawn(async move {
            let dropped = async { drop(stopped.await) };
            effigy_http::serve(listener, service, settings.config, dropped).await;
        });
        Self {
            upstream,
            url: format!("http://{address}"),
            seconds_ahead,
            _stop: stop,
        }
    }

    /// Puts the clock of the service ahead.
    pub fn advance(&self, seconds: u64) {
        self.seconds_ahead.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Makes every call of a step fail.
    pub fn fail(&self, step: Step) {
        self.upstream.set_fault(step, Some(Fault::status(500)));
    }

    /// Makes every call of all steps fail.
    pub fn fail_everywhere(&self) {
        let fault = Fault::status(500);
        self.upstream.set_fault_everywhere(Some(&fault));
    }

    /// Ends the faults of a step.
    pub fn mend(&self, step: Step) {
        self.upstream.set_fault(step, None);
    }

    /// Host and port.
    #[must_use]
    pub fn address(&self) -> &str {
        let address = self.url.strip_prefix("http://");
        address.expect("the URL begins with its scheme")
    }

    /// The response to a GET.
    #[track_caller]
    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[])
    }

    /// The response to a GET that succeeds.
    ///
    /// # Panics
    ///
    /// When it does not.
    #[track_caller]
    pub fn ok(&self, path: &str) -> Reply {
        let reply = self.get(path);
        let body = String::from_utf8_lossy(&reply.body);
        assert_eq!(reply.status, 200, "{path}: {body}");
        reply
    }

    /// The response to a request without a body.
    #[track_caller]
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        ask(self.address(), method, path, headers)
    }

    /// The response to a POST.
    #[track_caller]
    pub fn post(&self, path: &str, body: &[u8]) -> Reply {
        self.post_with(path, &[], body)
    }

    /// The response to a POST with these headers.
    #[track_caller]
    pub fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        post(self.address(), path, headers, body)
    }

    /// The hash of a player's texture.
    ///
    /// # Panics
    ///
    /// When the player has no texture.
    #[must_use]
    #[track_caller]
    pub fn hash_of(&self, player: &str) -> String {
        let profile = self.ok(&format!("/v1/profile/{player}")).json();
        let url = profile["texture_url"].as_str();
        let url = url.expect("the player has a texture");
        let (_, hash) = url.rsplit_once('/').expect("the URL has a path");
        hash.to_owned()
    }

    /// The message of the error that a path answers with.
    ///
    /// # Panics
    ///
    /// When the path answers with something else.
    #[must_use]
    #[track_caller]
    pub fn error_of(&self, path: &str) -> String {
        let body = self.get(path).json();
        let message = body["error"].as_str();
        message.expect("the answer is an error").to_owned()
    }

    /// The value of a metric, by its name with labels; 0 if nothing has been observed.
    #[must_use]
    #[track_caller]
    pub fn metric(&self, name: &str) -> f64 {
        metric(self.address(), name)
    }
}

/// Starts the service with a clock that is this many seconds ahead of the real one.
fn start_service(settings: &Settings, seconds_ahead: Arc<AtomicU64>) -> Service {
    let transport = UreqTransport::new(None).expect("a transport without a proxy can be made");
    let source = ProviderChain::new(transport, settings.upstream.clone());
    let source = source.expect("the settings of the upstreams are valid");
    let clock = move || {
        let ahead = Duration::from_secs(seconds_ahead.load(Ordering::Relaxed));
        SystemTime::now() + ahead
    };
    let store = Arc::new(MemoryStore::default());
    // The service spawns tasks of its own on this runtime.
    let _entered = RUNTIME.enter();
    let service = Service::new(
        store,
        Arc::new(source),
        Arc::new(clock),
        settings.service.clone(),
    );
    service.expect("the settings of the service are valid")
}

/// Raises the soft limit of file descriptors to the hard one. Clients and servers share this
/// process, and the usual soft limit of 1,024 is too low for a thousand connections.
fn allow_many_descriptors() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        setrlimit(Resource::Nofile, limit).expect("the soft limit may be the hard one");
    }
}
