//! Tests of a full server, and of one that shuts down.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpStream},
    time::SystemTime,
};

use effigy_service::ServiceConfig;
use effigy_upstream::{ProviderChain, UpstreamConfig, UreqTransport};
use fixtures::{MemoryStore, client::Reply};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpSocket,
    select,
    sync::oneshot,
    time::timeout,
};

use super::*;
use crate::Metrics;

/// The number of connections that the server may have, and that arrive in a burst.
const CONNECTIONS: u16 = 100;

/// The longest wait for a burst.
const PATIENCE: Duration = Duration::from_secs(20);

/// A size of socket buffers that is much smaller than `/openapi.json`.
const SMALL_BUFFER: u32 = 4 << 10;

fn service() -> Service {
    let transport = UreqTransport::new(None).unwrap();
    let source = ProviderChain::new(transport, UpstreamConfig::default()).unwrap();
    let store = Arc::new(MemoryStore::default());
    let clock = Arc::new(SystemTime::now);
    Service::new(store, Arc::new(source), clock, ServiceConfig::default()).unwrap()
}

fn config() -> Config {
    Config {
        max_connections: CONNECTIONS.into(),
        ..Config::new(Metrics::new())
    }
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
    let server = Server::new(service(), config());
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

/// Listens with a buffer that can't hold a whole response.
fn listen_with_small_buffer() -> TcpListener {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(SMALL_BUFFER).unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    socket.listen(1).unwrap()
}

#[tokio::test]
async fn slow_reader_gets_its_whole_response_during_shutdown() {
    let listener = listen_with_small_buffer();
    let address = listener.local_addr().unwrap();
    let (shut_down, shutdown) = oneshot::channel::<()>();
    let ended = async { drop(shutdown.await) };
    let serving = tokio::spawn(serve(listener, service(), config(), ended));

    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(SMALL_BUFFER).unwrap();
    let mut client = socket.connect(address).await.unwrap();
    let request = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    client.write_all(request).await.unwrap();
    client.readable().await.unwrap();
    drop(shut_down);
    sleep(2 * SHUTDOWN_IDLE_TIMEOUT).await;

    let mut received = Vec::new();
    let _ = client.read_to_end(&mut received).await;
    // This checks that the body is complete.
    let reply = Reply::parse(&received, true);
    assert_eq!(reply.status, 200);
    serving.await.unwrap();
}
