//! `effigy serve`: the service on real players. The demo shares its server: the listener, and serving until a signal arrives.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, anyhow};
use effigy_cli::{AccessLogArg, ServeArgs, ServerArgs};
use effigy_http::{AccessLog, AccessLogFormat, Config, Metrics};
use effigy_service::{Service, ServiceConfig};
use effigy_store::{Ages, Maintenance as _, Pruned, SqlStore};
use effigy_upstream::{ConfigError, Profiles as _, ProviderChain};
use serde_json::json;
use tokio::net::{TcpListener, TcpSocket};
#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupt, Signal as Terminate, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt, ctrl_break, ctrl_c};

use super::{block_on, print, prune, sources};
use crate::log;

/// The interval at which expired pictures and old health checks are deleted.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);

/// The length of the queue of connections to accept. If a burst is longer, some clients try again a
/// second later.
const BACKLOG: u32 = 4096;

/// The bytes of a response that the system buffers before its client has read anything. Linux counts
/// them twice. By default it would take megabytes for each connection, which no limit of ours
/// counts, and copy them in one piece while all other requests wait. If less than two of the longest
/// segments fitted (64 KiB each, from a proxy on the same machine), each would wait 40 ms for its
/// acknowledgement.
const SEND_BUFFER: u32 = 64 << 10;

/// The number of simultaneous connections, if the limit of open files allows it.
const MAX_CONNECTIONS: u32 = 10_000;

/// The files that are open in addition to the connections of clients: those to upstreams (256) and to the
/// database, the listener, the log, and one for the next connection.
const OTHER_FILES: u64 = 320;

/// The limit of open files where it can neither be raised nor read.
const USUAL_FILES: u64 = 1024;

/// The time that a request may take in addition to the look-up of its player.
const RENDER_TIMEOUT: Duration = Duration::from_secs(40);

/// The time at the end for writing to the database.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves pictures until a signal arrives.
pub(crate) fn run(args: &ServeArgs) -> Result<()> {
    log::start(&args.server.log, Some(log::INTERVAL));
    let metrics = Metrics::new();
    let mut upstream = args.upstream.config();
    upstream.missing_player_ttl = args.fresh().min(upstream.missing_player_ttl);
    let providers = upstream.providers.join(" ");
    let chain = sources::connect(&args.upstream, upstream, Arc::clone(&metrics))?;
    let trusted_proxies = args.clients.trusted_proxies()?;
    let url = &args.database.database_url;
    let (database, _) = url.split_once(':').unwrap_or_default();
    tracing::info!(
        "effigy {}; providers of skins, in their order: {providers}; database: {database}",
        env!("CARGO_PKG_VERSION")
    );
    for warning in args.warnings() {
        tracing::warn!("{warning}");
    }
    for name in effigy_cli::unknown_variables() {
        tracing::warn!("unknown setting {name}; see --help");
    }
    block_on(async {
        // Before the database is opened, since a port may be taken.
        let mut server = Server::bind(&args.server, metrics)?;
        server.config.trusted_proxies = trusted_proxies;
        server.config.denied = args.clients.denied();
        let store = prune::open(&args.database, &server.name()?, false).await?;
        if server.config.trusted_proxies.is_none() {
            tracing::warn!(
                "--trusted-proxy is not set: X-Forwarded-For is trusted from loopback and private \
                 addresses, and clients behind such an address that sends none are not limited"
            );
        }
        let config = ServiceConfig {
            stale_if_error: args.database.stale_if_error,
            fresh: args.fresh(),
            picture_age: args.database.picture_age,
            shared_store: args.database.is_shared(),
            client_rates: args.clients.rates(),
            bedrock_prefixes: args.upstream.bedrock_prefixes(),
            ..ServiceConfig::default()
        };
        sources::start_refresh(&chain).await;
        let pruning = tokio::spawn(prune_forever(store.clone(), args.database.ages()));
        server.run(store.clone(), chain, config, "").await?;
        pruning.abort();
        store.close().await;
        Ok(())
    })
}

/// Deletes old rows and old health checks, now and at an interval.
async fn prune_forever(store: SqlStore, ages: Ages) {
    loop {
        let pruned = store.prune(SystemTime::now(), ages).await;
        match pruned.context("old rows could not be deleted") {
            Ok(pruned) if pruned == Pruned::default() => {}
            Ok(pruned) => tracing::info!("deleted {}", prune::described(pruned)),
            Err(error) => tracing::warn!("{error:#}"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

/// A server that listens, and the settings that it will serve with.
pub(super) struct Server<'a> {
    args: &'a ServerArgs,
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    pub(super) config: Config,
}

impl<'a> Server<'a> {
    /// Opens the listeners that the settings name.
    pub(super) fn bind(args: &'a ServerArgs, metrics: Arc<Metrics>) -> Result<Self> {
        let address = SocketAddr::new(args.address.listen, args.address.port);
        let listener = bind(address, "--listen or --port")?;
        let metrics_listener = args.metrics_listen.map(|at| {
            bind(at, "--metrics-listen").map_err(|error| {
                if at.port() != address.port() {
                    return error;
                }
                let problem = "has the port of the service; choose another port";
                ConfigError::new("--metrics-listen", &at.to_string(), problem).into()
            })
        });
        let metrics_listener = metrics_listener.transpose()?;
        Ok(Self {
            args,
            listener,
            metrics_listener,
            config: Config {
                max_connections: max_connections(),
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

    /// Returns the name of this server among those that share a database.
    fn name(&self) -> io::Result<String> {
        #[cfg(unix)]
        let system = rustix::system::uname();
        #[cfg(unix)]
        let host = system.nodename().to_string_lossy();
        #[cfg(not(unix))]
        let host = std::env::var("COMPUTERNAME").unwrap_or_default();
        Ok(format!("{host}:{}", self.listener.local_addr()?.port()))
    }

    /// Serves until a signal arrives, and then finishes the requests in flight. A second signal stops at
    /// once. The paths of `examples` are printed after the URL of the service, unless the output is JSON.
    pub(super) async fn run(
        mut self,
        store: SqlStore,
        chain: Arc<ProviderChain>,
        mut config: ServiceConfig,
        examples: &str,
    ) -> Result<()> {
        config.memory_cache_bytes = self.args.memory_cache;
        let lookup_time = chain.deadline() - Instant::now();
        self.config.response_timeout = RENDER_TIMEOUT + lookup_time;
        let clock = Arc::new(SystemTime::now);
        let service = Service::new(Arc::new(store), chain, clock, config)
            .context("the operating system refused threads")?;
        // Before the URL is printed, because its reader may send a signal at once.
        let signals = stop_signals().context("the operating system refused signal handlers")?;
        if let Some(listener) = self.metrics_listener {
            tracing::info!("the metrics are at {}/metrics", url(&listener)?);
            let serving = effigy_http::serve_metrics(listener, service.clone(), &mut self.config);
            tokio::spawn(serving);
        }
        let url = url(&self.listener)?;
        let mut lines = format!("Effigy listens on {url}");
        if self.args.access_log == Some(AccessLogArg::Json) {
            lines = json!({"message": lines, "url": url}).to_string();
        } else {
            lines.extend(examples.lines().map(|path| format!("\n  {url}{path}")));
        }
        print(lines + "\n")?;
        let stop = stop_after(signals);
        effigy_http::serve(self.listener, service.clone(), self.config, stop).await;
        let flush = tokio::time::timeout(FLUSH_TIMEOUT, service.flush());
        if flush.await.is_err() {
            tracing::warn!("the last pictures and counts could not be written to the database");
        }
        Ok(())
    }
}

/// The receivers of the signals that stop a service, which get those that arrive after their creation: SIGINT, sent by Ctrl-C,
/// and SIGTERM, sent by service managers. On Windows, these are Ctrl-C and Ctrl-Break.
type StopSignals = (Interrupt, Terminate);

fn stop_signals() -> io::Result<StopSignals> {
    #[cfg(unix)]
    let (interrupt, terminate) = (SignalKind::interrupt(), SignalKind::terminate());
    #[cfg(unix)]
    let (interrupt, terminate) = (signal(interrupt), signal(terminate));
    #[cfg(windows)]
    let (interrupt, terminate) = (ctrl_c(), ctrl_break());
    Ok((interrupt?, terminate?))
}

/// Waits for the next signal and returns its name, and the exit code of a program that it ends.
async fn next_signal((interrupt, terminate): &mut StopSignals) -> (&'static str, i32) {
    tokio::select! {
        _ = interrupt.recv() => ("SIGINT", 130),
        _ = terminate.recv() => ("SIGTERM", 143),
    }
}

/// Waits for a signal, after which another one ends the program at once.
async fn stop_after(mut signals: StopSignals) {
    let (name, _) = next_signal(&mut signals).await;
    tracing::info!("stopping after {name}");
    tokio::spawn(async move {
        let (name, code) = next_signal(&mut signals).await;
        log::report(&anyhow!(
            "received {name} again; exiting with requests or writes pending"
        ));
        process::exit(code);
    });
}

fn bind(address: SocketAddr, flag: &str) -> Result<TcpListener> {
    let bind = || -> io::Result<TcpListener> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4(),
            SocketAddr::V6(_) => TcpSocket::new_v6(),
        }?;
        // On Unix, a server that was just stopped must not block its port. On Windows, the option would
        // let two servers share a port.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        // Those of its connections are as long.
        socket.set_send_buffer_size(SEND_BUFFER)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    bind().with_context(|| format!("cannot listen on {address}; change {flag}"))
}

fn start_access_log(format: AccessLogArg) -> AccessLog {
    let format = match format {
        AccessLogArg::Common => AccessLogFormat::Common,
        AccessLogArg::Combined => AccessLogFormat::Combined,
        AccessLogArg::Json => AccessLogFormat::Json,
    };
    AccessLog::start(format, io::stdout())
}

/// Returns a URL that reaches a listener from this machine.
fn url(listener: &TcpListener) -> io::Result<String> {
    Ok(format!("http://{}", reachable(listener.local_addr()?)))
}

/// Raises the limit of open files as far as the system allows, and returns the number of connections that it allows.
fn max_connections() -> u32 {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(USUAL_FILES);
    let allowed = u32::try_from(files.saturating_sub(OTHER_FILES));
    let connections = allowed.unwrap_or(u32::MAX).clamp(1, MAX_CONNECTIONS);
    if connections < MAX_CONNECTIONS {
        tracing::warn!(
            "{connections} connections instead of {MAX_CONNECTIONS}: the system allows {files} open files; \
             raise LimitNOFILE= of the unit, or `ulimit -Hn`"
        );
    }
    connections
}

/// Returns an address that reaches a listener from this machine.
pub(super) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_address_is_reached_on_this_machine() {
        let rows = [
            ("0.0.0.0:3005", "127.0.0.1:3005"),
            ("[::]:3005", "[::1]:3005"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("192.0.2.7:3005", "192.0.2.7:3005"),
        ];
        for (address, expected) in rows {
            let address = address.parse().unwrap();
            assert_eq!(reachable(address).to_string(), expected);
        }
    }
}
