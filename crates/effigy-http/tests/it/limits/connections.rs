//! Connections that ask for nothing, or for too much.

use std::{
    io::{self, ErrorKind},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use fixtures::{
    Fault, PATIENCE, Step, assert_within,
    client::{Reply, ask, exchange, read_all, send_raw},
    until,
};
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpSocket, TcpStream as AsyncTcpStream},
    runtime::Builder,
};

use crate::support::{Server, assert_error, status};

/// A request whose answer takes no upstream call, on a connection that stays open.
const KEPT_REQUEST: &[u8] = b"GET /minecraft/mhf HTTP/1.1\r\nHost: x\r\n\r\n";

/// Returns `true` if the server closes the connection within a third of a second.
fn closes(mut stream: TcpStream) -> bool {
    let timeout = Duration::from_millis(333);
    stream.set_read_timeout(Some(timeout)).unwrap();
    match io::copy(&mut stream, &mut io::sink()) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

/// Opens a connection that has been answered and is kept, or `None` if the server refuses it.
fn open_kept(server: &Server) -> Option<TcpStream> {
    let mut stream = send_raw(server.address(), KEPT_REQUEST);
    if status(&mut stream)? == 200 {
        Some(stream)
    } else {
        None
    }
}

#[test]
fn the_longest_idle_connection_is_closed_for_a_new_one() {
    let server = Server::start_with(|settings| settings.config.max_connections = 4);
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let request = b"GET /head/Gwendolin HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let busy = send_raw(server.address(), request);
    assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
    let oldest = send_raw(server.address(), b"GET / HTTP/1.1\r\n");
    thread::sleep(Duration::from_millis(50));
    let first_kept = open_kept(&server).unwrap();
    let second_kept = open_kept(&server).unwrap();

    let begun = Instant::now();
    assert_eq!(server.get("/minecraft/mhf").status, 200);
    // The idle timeout is half a minute.
    assert_within(Duration::from_secs(10), begun);
    assert!(closes(oldest));
    assert!(!closes(first_kept));
    assert!(!closes(second_kept));
    server.mend(Step::Identity);
    assert!(read_all(busy).starts_with(b"HTTP/1.1 200"));
}

#[test]
fn a_response_on_its_way_is_not_closed_for_a_new_connection() {
    // More than the buffers of both sockets hold.
    const RESPONSES: usize = 200;
    let server = Server::start_with(|settings| settings.config.max_connections = 1);
    let body = server.get("/openapi.json").body;
    let request = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = "GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let requests = request.repeat(RESPONSES - 1) + last;
    let slow = send_raw(server.address(), requests.as_bytes());
    thread::sleep(Duration::from_millis(200));

    let address = server.address().to_owned();
    let new = thread::spawn(move || ask(&address, "GET", "/minecraft/mhf", &[]).status);
    thread::sleep(Duration::from_millis(500));
    assert!(!new.is_finished(), "the only place is taken");
    let received = read_all(slow);
    let complete = received.windows(body.len()).filter(|part| *part == body);
    assert_eq!(complete.count(), RESPONSES);
    assert_eq!(new.join().unwrap(), 200);
}

#[test]
fn one_client_has_a_maximum_of_connections() {
    const MAX: usize = 256;
    let server = Server::start_with(|settings| settings.trust_no_proxy());
    let mut held = Vec::new();
    for _ in 0..MAX {
        held.push(open_kept(&server).unwrap());
    }
    assert!(open_kept(&server).is_none());
    held.pop();
    until("the place is free again", || open_kept(&server).is_some());
}

/// Connects from this address and begins an upload of which nothing arrives.
async fn stall_upload(server: SocketAddr, from: Ipv4Addr) -> AsyncTcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((from, 0).into()).unwrap();
    let mut stream = socket.connect(server).await.unwrap();
    let head = b"POST /preview/head HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n";
    stream.write_all(head).await.unwrap();
    stream
}

/// Uploads that stall have all connections, and more of them want one.
#[test]
fn stalled_uploads_make_room_for_new_connections() {
    let server = Server::start_with(|settings| {
        settings.trust_no_proxy();
        settings.config.max_connections = 8;
    });
    let address: SocketAddr = server.address().parse().unwrap();
    let clients = [Ipv4Addr::new(127, 0, 1, 1), Ipv4Addr::new(127, 0, 1, 2)];
    let runtime = Builder::new_current_thread().enable_io().build().unwrap();
    let mut held = Vec::new();
    for _ in 0..20 {
        for from in clients {
            held.push(runtime.block_on(stall_upload(address, from)));
        }
    }
    let begun = Instant::now();
    for _ in 0..3 {
        assert_eq!(server.get("/minecraft/mhf").status, 200);
    }
    // Uploads may take a quarter of a minute.
    assert_within(Duration::from_secs(10), begun);
}

/// Sends a GET with these headers and returns the response.
fn exchange_head(server: &Server, path: &str, version: &str, hosts: &str) -> Reply {
    let request = format!("GET {path} {version}\r\n{hosts}Connection: close\r\n\r\n");
    Reply::parse(&exchange(server.address(), request.as_bytes()), true)
}

#[test]
fn a_request_without_exactly_one_host_is_refused() {
    let server = Server::start();
    // A picture in memory, and something else.
    for path in ["/head/Gwendolin", "/minecraft/mhf"] {
        server.ok(path);
        for (version, hosts) in [
            ("HTTP/1.1", ""),
            ("HTTP/1.1", "Host: a\r\nHost: a\r\n"),
            ("HTTP/1.0", "Host: a\r\nHost: b\r\n"),
        ] {
            let reply = exchange_head(&server, path, version, hosts);
            assert_error(&reply, 400, "A request must have one Host header");
        }
    }
}

#[test]
fn a_host_may_be_empty_and_http_1_0_needs_none() {
    let server = Server::start();
    for path in ["/head/Gwendolin", "/minecraft/mhf"] {
        for (version, hosts) in [
            ("HTTP/1.1", "Host: a\r\n"),
            ("HTTP/1.1", "Host:\r\n"),
            ("HTTP/1.0", ""),
        ] {
            let reply = exchange_head(&server, path, version, hosts);
            assert_eq!(reply.status, 200, "{path} {version} {hosts}");
        }
    }
}
