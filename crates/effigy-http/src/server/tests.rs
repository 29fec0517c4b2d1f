//! Tests of new connections to a server that has its maximum of connections.

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

/// The number of connections that the server may have, and that arrive in a burst.
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

/// Opens connections that send nothing.
fn burst(address: SocketAddr) -> Vec<TcpStream> {
    let connect = |_| TcpStream::connect(address).unwrap();
    (0..CONNECTIONS).map(connect).collect()
}

/// Waits until a condition holds.
async fn until(condition: impl Fn() -> bool) {
    let wait = async {
        while !condition() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(PATIENCE, wait).await.expect("a burst waits");
}

fn is_closed_by_server(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    stream.peek(&mut [0]).is_ok_and(|bytes| bytes == 0)
}

#[tokio::test]
async fn idle_connections_make_room_for_a_burst_of_new_ones() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server();
    let test = async {
        let old = burst(address);
        until(|| server.permits.available_permits() == 0).await;
        let _new = burst(address);
        until(|| old.iter().all(is_closed_by_server)).await;
        until(|| server.permits.available_permits() == 0).await;
    };
    select! {
        () = server.accept_all(&listener) => {}
        () = test => {}
    }
}
