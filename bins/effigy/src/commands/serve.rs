//! `effigy serve`: the service, until it is told to stop.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use effigy_render::Skin;
use effigy_service::{Clock, Service, SkinDecoder};
use effigy_store::{SqlStore, Store};
use effigy_upstream::{ConfigError, Resolver, SkinSource, UpstreamConfig, UreqTransport};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use super::{block_on, say, start_log};
use crate::{
    cli::{ListenArgs, ServeArgs},
    failure::Failure,
    http::{self, App},
};

/// The resolver over the network, for the renderer's skins.
pub(super) type NetworkResolver = Resolver<UreqTransport, SkinDecoder>;

/// Serves pictures.
pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    start_log(&args.log);
    let source = resolver(args.upstream.config()?)?;
    block_on(async {
        let listener = listen(&args.listen).await?;
        let store = SqlStore::open(&args.database.database_url)
            .await
            .map_err(Failure::Database)?;
        let outcome = run(listener, store.clone(), source, &[]).await;
        store.close().await;
        outcome
    })
}

/// The resolver that the settings describe.
pub(super) fn resolver(config: UpstreamConfig) -> Result<NetworkResolver, ConfigError> {
    let transport = UreqTransport::new(config.contact.as_deref())?;
    Resolver::new(transport, SkinDecoder, config)
}

pub(super) async fn listen(args: &ListenArgs) -> Result<TcpListener, Failure> {
    let address = SocketAddr::new(args.listen, args.port);
    TcpListener::bind(address)
        .await
        .map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => Failure::PortTaken { address },
            _ => Failure::Listen { address, source },
        })
}

/// Serves until a signal says to stop. `more` is said after the line with the URL; in it, `{url}`
/// is that URL.
pub(super) async fn run<St, So>(
    listener: TcpListener,
    store: St,
    source: So,
    more: &[String],
) -> Result<(), Failure>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    // Before the line is printed: who reads it may send a signal at once.
    let stop = stop_signal()?;
    let address = listener.local_addr().map_err(|source| Failure::System {
        what: "the listener's address",
        source,
    })?;
    let url = format!("http://{}", reachable(address));
    say(&format!("Effigy listens on {url}"))?;
    for line in more {
        say(&line.replace("{url}", &url))?;
    }
    let app = App::new(Service::new(store, source, Clock::system()));
    http::serve(listener, app, stop).await;
    Ok(())
}

/// An address that a client on this machine reaches.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Completes when the process is told to stop.
fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    let refused = |source| Failure::System {
        what: "signal handlers",
        source,
    };
    let mut terminate = signal(SignalKind::terminate()).map_err(refused)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(refused)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    })
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
