//! The server of `serve` and `demo`: its listeners, and serving until a signal arrives.

mod connections;
mod listen;
mod signals;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use effigy_cli::{AccessLogArg, ServerArgs, UsageError};
use effigy_http::{AccessLog, AccessLogFormat, Config, Metrics, Paths};
use effigy_service::{Service, ServiceConfig};
use effigy_store::SqlStore;
use effigy_upstream::ProviderChain;
use serde_json::json;
use tokio::net::TcpListener;

use self::listen::listen;
use self::signals::StopSignals;
use super::print;

pub(super) use self::listen::reachable;

/// The time that a request may take in addition to the look-up of its player.
const RENDER_TIMEOUT: Duration = Duration::from_secs(40);

/// The time for writing to the database at the end.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// A server that listens but doesn't answer yet.
pub(super) struct Server<'a> {
    args: &'a ServerArgs,
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    pub(super) config: Config,
}

impl<'a> Server<'a> {
    /// Opens the listeners.
    pub(super) fn bind(args: &'a ServerArgs, metrics: Arc<Metrics>) -> Result<Self> {
        let address = SocketAddr::new(args.address.listen, args.address.port);
        let listener = listen(address, "--listen or --port")?;
        let metrics_listener = match args.metrics_listen {
            Some(metrics_address) => Some(listen_for_metrics(metrics_address, address)?),
            None => None,
        };
        Ok(Self {
            args,
            listener,
            metrics_listener,
            config: Config {
                max_connections: connections::max_connections(),
                max_size: args.max_size,
                max_age: args.max_age,
                family_hosts: args.family_host.concat(),
                previews: !args.no_preview,
                drain: args.drain,
                idle_timeout: args.idle_timeout,
                access_log: args.access_log.map(start_access_log),
                ..Config::new(metrics)
            },
        })
    }

    /// Returns the name of this server among the servers that share a database: host and port.
    pub(super) fn name(&self) -> io::Result<String> {
        #[cfg(unix)]
        let host = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        #[cfg(not(unix))]
        let host = std::env::var("COMPUTERNAME").unwrap_or_default();
        let port = self.listener.local_addr()?.port();
        Ok(format!("{host}:{port}"))
    }

    /// Serves until a signal arrives, and then finishes the requests in flight. A second signal
    /// ends the program at once. The paths of `examples` are printed after the URL of the service.
    pub(super) async fn run(
        mut self,
        store: SqlStore,
        chain: Arc<ProviderChain>,
        mut config: ServiceConfig,
        examples: &str,
    ) -> Result<()> {
        config.memory_cache_bytes = self.args.memory_cache;
        self.config.response_timeout = RENDER_TIMEOUT + chain.look_up_time();
        let clock = Arc::new(SystemTime::now);
        let service = Service::new(Arc::new(store), chain, clock, config)
            .context("the operating system refused threads")?;
        // Before the URL is printed, because its reader may send a signal at once.
        let signals = StopSignals::new().context("the operating system refused signal handlers")?;
        if let Some(listener) = self.metrics_listener.take() {
            tracing::info!("the metrics are at {}/metrics", listen::url(&listener)?);
            self.config.paths = Paths::AllButMetrics;
            let serving = effigy_http::serve_metrics(listener, service.clone(), &self.config);
            tokio::spawn(serving);
        }
        self.print_url(examples)?;
        let stop = signals.stop();
        effigy_http::serve(self.listener, service.clone(), self.config, stop).await;
        let flush = tokio::time::timeout(FLUSH_TIMEOUT, service.flush());
        if flush.await.is_err() {
            tracing::warn!(
                "the last pictures, textures, players and counts could not all be written"
            );
        }
        Ok(())
    }

    /// Prints the URL of the service and the example paths. With a JSON access log, which goes to
    /// standard output as well, it prints an object with the URL.
    fn print_url(&self, examples: &str) -> Result<()> {
        let url = listen::url(&self.listener)?;
        let message = format!("Effigy listens on {url}");
        if self.args.access_log == Some(AccessLogArg::Json) {
            let object = json!({"message": message, "url": url});
            return print(format!("{object}\n"));
        }
        let mut text = message + "\n";
        for path in examples.lines() {
            text += &format!("  {url}{path}\n");
        }
        print(text)
    }
}

/// Opens the listener for the metrics.
fn listen_for_metrics(address: SocketAddr, service: SocketAddr) -> Result<TcpListener> {
    let listening = listen(address, "--metrics-listen");
    if listening.is_err() && address.port() == service.port() {
        let problem = format!("\"{address}\" has the port of the service; choose another port");
        return Err(UsageError::new("--metrics-listen", problem).into());
    }
    listening
}

fn start_access_log(format: AccessLogArg) -> AccessLog {
    let format = match format {
        AccessLogArg::Common => AccessLogFormat::Common,
        AccessLogArg::Combined => AccessLogFormat::Combined,
        AccessLogArg::Json => AccessLogFormat::Json,
    };
    AccessLog::start(format, io::stdout())
}
