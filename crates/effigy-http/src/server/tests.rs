//! Tests of new connections when there are as many as the server may have.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpStream},
    time::SystemTime,
};

use effigy_service::ServiceConfig;
use effigy_upstream::{ProviderChain, UpstreamConfig, UreqTransport};
use fixtures::MemoryStore;
use tokio::{select, task::yield_now, time::advance};

use super::*;
use crate::Metrics;

/// The connections that the server may have, and those that come in a burst.
const CONNECTIONS: u16 = 100;

/// The turns that tasks and the system get until something has happened.
const PATIENCE: u32 = 100_000;

fn server() -> Server {
    let transport = UreqTransport::new(None).unwrap();
    let source = ProviderChain::new(transport, UpstreamConfig::default()).unwrap();
    let (store, clock) = (Arc::new(MemoryStore::default()), Arc::new(SystemTime::now));
    let service = Service::new(store, Arc::new(source), clock, ServiceConfig::default());
    let config = Config {
        max_connections: CONNECTIONS.into(),
        // Only the connections of limited clients are counted.
        trusted_proxies: Some(Vec::new()),
        ..Config::new(Metrics::new())
    };
    Server::new(service.unwrap(), config)
}

/// Opens connections. None of them sends anything.
fn burst(address: SocketAddr) -> Vec<TcpStream> {
    let connect = |_| TcpStream::connect(address).unwrap();
    (0..CONNECTIONS).map(connect).collect()
}

/// Lets everything else run until something has happened, without time passing.
#[track_caller]
fn until(what: &'static str, has_happened: impl Fn() -> bool) -> impl Future<Output = ()> {
    let now = Instant::now();
    async move {
        for _ in 0..PATIENCE {
            if has_happened() {
                assert_eq!(now, Instant::now(), "{what} took time");
                return;
            }
            yield_now().await;
        }
        panic!("{what} takes time");
    }
}

/// While no connection can be closed they wait together, and then each makes room for the next one.
#[tokio::test(start_paused = true)]
async fn new_connections_of_a_burst_do_not_wait_for_one_another() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let (server, address) = (server(), listener.local_addr().unwrap());
    let peer = server.handlers.clients.at(Ipv4Addr::LOCALHOST.into());
    let all = 2 * usize::from(CONNECTIONS);
    let idle = || {
        let is_idle = |connection: &Connection| connection.is_quiet(Phase::Waiting, MIN_IDLE);
        let found = server
            .registry
            .search(|connection| is_idle(connection).then_some(()));
        found.len()
    };
    let test = async {
        let _old = burst(address);
        let has_places = || server.permits.available_permits() == 0;
        until("the first burst", has_places).await;
        let _new = burst(address);
        until("the second burst", || peer.connections() == all).await;
        advance(MIN_IDLE).await;
        assert_eq!(
            idle(),
            all / 2,
            "the old ones may be closed now, and the new ones wait"
        );
        advance(FULL_INTERVAL).await;
        let has_new_ones = || idle() == 0 && server.permits.available_permits() == 0;
        until("making room", has_new_ones).await;
        assert_eq!(peer.connections(), all / 2);
    };
    select! {
        () = server.accept_all(&listener) => {}
        () = test => {}
    }
}
