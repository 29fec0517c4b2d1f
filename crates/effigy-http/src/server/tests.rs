//! Tests of new connections when the server has its maximum of them.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpStream},
    time::SystemTime,
};

use effigy_service::ServiceConfig;
use effigy_upstream::{ProviderChain, UpstreamConfig, UreqTransport};
use fixtures::MemoryStore;
use tokio::{select, time::timeout};

use super::*;
use crate::Metrics;

/// The connections that the server may have, and those that come in a burst.
const CONNECTIONS: u16 = 100;

/// The longest wait for a burst.
const PATIENCE: Duration = Duration::from_secs(20);

fn server() -> Server {
    let transport = UreqTransport::new(None).unwrap();
    let source = ProviderChain::new(transport, UpstreamConfig::default()).unwrap();
    let store = Arc::new(MemoryStore::default());
    let clock = Arc::new(SystemTime::now);
    let service = Service::new(store, Arc::new(source), clock, ServiceConfig::default());
    let config = Config {
        max_connections: CONNECTIONS.into(),
        ..Config::new(Metrics::new())
    };
    Server::new(service.unwrap(), config)
}

/// Opens connections. None of them sends anything.
fn burst(address: SocketAddr) -> Vec<TcpStream> {
    let connect = |_| TcpStream::connect(address).unwrap();
    (0..CONNECTIONS).map(connect).collect()
}

/// Waits until all connections of a burst have been accepted.
async fn until_accepted(accepted: impl Fn() -> bool) {
    let wait = async {
        while !accepted() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(PATIENCE, wait).await.expect("a burst waits");
}

#[tokio::test]
async fn idle_connections_make_room_for_a_burst_of_new_ones() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server();
    let test = async {
        let old = burst(address);
        until_accepted(|| server.permits.available_permits() == 0).await;
        let _new = burst(address);
        // Each of the old ones is closed for a new one.
        let closed = |stream: &TcpStream| {
            stream.set_nonblocking(true).unwrap();
            stream.peek(&mut [0]).is_ok_and(|bytes| bytes == 0)
        };
        until_accepted(|| old.iter().all(closed)).await;
        until_accepted(|| server.permits.available_permits() == 0).await;
    };
    select! {
        () = server.accept_all(&listener) => {}
        () = test => {}
    }
}
