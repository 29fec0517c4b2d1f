//! `effigy serve`: the service, until it is told to stop.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    pin::pin,
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_http::{Config, Metrics, Showcase, Upstreams};
use effigy_service::{Clock, Service, ServiceConfig};
use effigy_store::{ImageCache, SqlStore, Store};
use effigy_upstream::{ConfigError, Resolver, SkinSource, UpstreamConfig, UreqTransport};
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::oneshot,
};

use super::{block_on, say, signals::StopSignals, start_log};
use crate::{
    cli::{ListenArgs, ServeArgs},
    failure::Failure,
    timed_transport::TimedTransport,
};

/// The resolver over the network.
pub(super) type NetworkResolver = Resolver<UreqTransport>;

/// The same, with its calls measured.
type TimedResolver = Resolver<TimedTransport<UreqTransport>>;

/// Serves pictures.
pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    start_log(&args.log);
    let metrics = Metrics::new();
    let source = timed_resolver(args.upstream.config()?, &metrics)?;
    block_on(async {
        let listener = listen(&args.listen)?;
        let store = SqlStore::open_with(&args.database.database_url, args.database_connections)
            .await
            .map_err(Failure::Database)?;
        let config = ServiceConfig {
            stale_if_error: args.stale.stale_if_error,
            health_ping_every: args.ping.health_ping_every,
            ..args.capacity.service(metrics.observer())
        };
        let service = Service::new(store.clone(), source, Clock::system(), config);
        let lifetime = args.stale.lifetime();
        let pruning = args
            .prune_every
            .map(|every| prune_every(store.clone(), every, lifetime));
        let pruning = pruning.map(tokio::spawn);
        let config = Config {
            max_connections: args.capacity.max_connections,
            response_timeout: args.upstream.resolve_timeout() + REST_OF_A_REQUEST,
            showcase: Showcase::default(),
            metrics,
            upstreams: upstreams(&service),
        };
        run(listener, service, config, &[]).await?;
        if let Some(pruning) = pruning {
            pruning.abort();
        }
        store.close().await;
        Ok(())
    })
}

/// The resolver that the settings describe.
pub(super) fn resolver(config: UpstreamConfig) -> Result<NetworkResolver, ConfigError> {
    let transport = UreqTransport::for_config(&config)?;
    Resolver::new(transport, config)
}

/// The same, with its calls measured.
pub(super) fn timed_resolver(
    config: UpstreamConfig,
    metrics: &Arc<Metrics>,
) -> Result<TimedResolver, ConfigError> {
    let transport = UreqTransport::for_config(&config)?;
    let transport = TimedTransport::new(transport, Arc::clone(metrics));
    Resolver::new(transport, config)
}

/// Tells how it stands with the upstreams of a service.
pub(super) fn upstreams<St: Store>(service: &Service<St, TimedResolver>) -> Upstreams {
    let service = service.clone();
    Upstreams(Box::new(move || service.source().states()))
}

/// Deletes pictures as old as `lifetime` again and again.
async fn prune_every(store: SqlStore, every: Duration, lifetime: Duration) {
    loop {
        tokio::time::sleep(every).await;
        match store.prune_images(SystemTime::now(), lifetime).await {
            Ok(pictures) => tracing::info!(pictures, "expired pictures were deleted"),
            Err(error) => {
                let error = Failure::Store(error).sentence();
                tracing::warn!("expired pictures were not deleted: {error}");
            }
        }
    }
}

/// Connections that may wait to be accepted. Of a burst of more than that, some clients are not
/// heard and try again a second later.
const BACKLOG: u32 = 4096;

pub(super) fn listen(args: &ListenArgs) -> Result<TcpListener, Failure> {
    let address = SocketAddr::new(args.listen, args.port);
    listener(address).map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => Failure::PortTaken { address },
        _ => Failure::Listen { address, source },
    })
}

fn listener(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // As usual, a server that was just stopped does not hold its port. Elsewhere the option would
    // let two servers have one port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// How long drawing a picture and everything else may take beside the look-up of its player.
pub(super) const REST_OF_A_REQUEST: Duration = Duration::from_secs(40);

/// How long the database has at the end for what waits to be written.
const FLUSH: Duration = Duration::from_secs(10);

/// Serves until a signal says to stop; a second one ends it at once. `more` is said after the line
/// with the URL; in it, `{url}` is that URL.
pub(super) async fn run<St, So>(
    listener: TcpListener,
    service: Service<St, So>,
    config: Config,
    more: &[String],
) -> Result<(), Failure>
where
    St: Store,
    So: SkinSource,
{
    // Before the line is printed: who reads it may send a signal at once.
    let mut signals = StopSignals::listen()?;
    announce(&listener, more)?;
    let (stop, stopped) = oneshot::channel::<()>();
    let mut serving = pin!(async {
        let told = async { drop(stopped.await) };
        effigy_http::serve(listener, service.clone(), config, told).await;
        flush(&service).await;
    });
    tokio::select! {
        () = &mut serving => return Ok(()),
        signal = signals.next() => tracing::info!("stopping after {signal}"),
    }
    drop(stop);
    tokio::select! {
        () = &mut serving => Ok(()),
        signal = signals.next() => Err(Failure::Hurried { signal }),
    }
}

/// Says where the service is.
fn announce(listener: &TcpListener, more: &[String]) -> Result<(), Failure> {
    let address = listener.local_addr().map_err(|source| Failure::System {
        what: "the listener's address",
        source,
    })?;
    let url = format!("http://{}", reachable(address));
    say(&format!("Effigy listens on {url}"))?;
    more.iter()
        .try_for_each(|line| say(&line.replace("{url}", &url)))
}

/// Has written what waits for the database.
async fn flush<St, So>(service: &Service<St, So>)
where
    St: Store,
    So: SkinSource,
{
    let outcome = tokio::time::timeout(FLUSH, service.flush()).await;
    if !matches!(outcome, Ok(Ok(()))) {
        let writes = service.figures().writes;
        tracing::warn!(
            pictures = writes.waiting_images,
            "the database did not take the last counts and pictures"
        );
    }
}

/// An address that a client on this machine reaches.
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
