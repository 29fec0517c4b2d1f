//! Connections that ask for nothing, or for too much.

use std::{
    io::{self, ErrorKind},
    net::{Ipv4Addr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use fixtures::{
    Fault, PATIENCE, Step, assert_within,
    client::{Reply, ask, exchange, read_all, send_raw},
    until,
};
use tokio::{io::AsyncWriteExt as _, net::TcpSocket, runtime::Builder};

use crate::support::{Server, assert_error, status};

/// Returns `true` if the server closes the connection within a second or so.
fn is_closed(mut stream: TcpStream) -> bool {
    let timeout = Duration::from_secs(1);
    stream.set_read_timeout(Some(timeout)).unwrap();
    let end = io::copy(&mut stream, &mut io::sink());
    end.map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |_| true)
}

#[test]
fn the_longest_idle_connection_is_closed_for_a_new_one() {
    let server = Server::start_with(|settings| settings.config.max_connections = 4);
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let head = "GET /head/Gwendolin HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let busy = send_raw(server.address(), head.as_bytes());
    assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
    // A head that never ends, and two connections that are kept.
    let half = send_raw(server.address(), b"GET / HTTP/1.1\r\n");
    thread::sleep(Duration::from_millis(50));
    let kept = [(); 2].map(|()| {
        thread::sleep(Duration::from_millis(50));
        let request = b"GET /minecraft/mhf HTTP/1.1\r\nHost: x\r\n\r\n";
        let mut stream = send_raw(server.address(), request);
        assert_eq!(status(&mut stream), Some(200));
        stream
    });
    let begun = Instant::now();
    assert_eq!(server.get("/minecraft/mhf").status, 200);
    // The idle timeout is half a minute.
    assert_within(Duration::from_secs(10), begun);
    assert!(is_closed(half), "it was the oldest");
    assert!(kept.into_iter().all(|stream| !is_closed(stream)));
    server.mend(Step::Identity);
    assert!(read_all(busy).starts_with(b"HTTP/1.1 200"));
}

#[test]
fn a_response_on_its_way_is_not_closed_for_a_new_connection() {
    const RESPONSES: usize = 200;
    let server = Server::start_with(|settings| settings.config.max_connections = 1);
    let body = server.get("/openapi.json").body;
    let request = |more| format!("GET /openapi.json HTTP/1.1\r\nHost: x\r\n{more}\r\n");
    // More than the buffers of both sockets hold.
    let requests = request("").repeat(RESPONSES - 1) + &request("Connection: close\r\n");
    let slow = send_raw(server.address(), requests.as_bytes());
    thread::sleep(Duration::from_millis(200));
    let address = server.address().to_owned();
    let new = thread::spawn(move || ask(&address, "GET", "/minecraft/mhf", &[]).status);
    thread::sleep(Duration::from_millis(500));
    assert!(!new.is_finished(), "there is no place");
    let received = read_all(slow);
    let complete = received.windows(body.len()).filter(|part| *part == body);
    assert_eq!(complete.count(), RESPONSES);
    assert_eq!(new.join().unwrap(), 200);
}

#[test]
fn one_client_has_a_maximum_of_connections() {
    const MAX: usize = 256;
    let server = Server::start_with(|settings| settings.trust_no_proxy());
    let open = || {
        let request = "GET /minecraft/mhf HTTP/1.1\r\nHost: x\r\n\r\n";
        let mut stream = send_raw(server.address(), request.as_bytes());
        (status(&mut stream) == Some(200)).then_some(stream)
    };
    let mut held: Vec<_> = (0..MAX).map(|_| open().unwrap()).collect();
    assert!(open().is_none());
    held.pop();
    until("the place comes back", || open().is_some());
}

/// Uploads that stall have all connections, and more of them want one.
#[test]
fn stalled_uploads_make_room_for_new_connections() {
    let server = Server::start_with(|settings| {
        settings.trust_no_proxy();
        settings.config.max_connections = 8;
    });
    let upload = "POST /preview/head HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n";
    let address = server.address().parse().unwrap();
    let connect = |from: Ipv4Addr| async move {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        stream.write_all(upload.as_bytes()).await.unwrap();
        stream
    };
    let runtime = Builder::new_current_thread().enable_io().build().unwrap();
    let _held: Vec<_> = (0..40)
        .map(|number| runtime.block_on(connect(Ipv4Addr::new(127, 0, 1, number % 2 + 1))))
        .collect();
    let begun = Instant::now();
    for _ in 0..3 {
        assert_eq!(server.get("/minecraft/mhf").status, 200);
    }
    // Uploads may take a quarter of a minute.
    assert_within(Duration::from_secs(10), begun);
}

#[test]
fn a_request_names_one_host() {
    let server = Server::start();
    let rows = [
        ("HTTP/1.1", "", false),
        ("HTTP/1.1", "Host: a\r\nHost: a\r\n", false),
        ("HTTP/1.0", "Host: a\r\nHost: b\r\n", false),
        ("HTTP/1.1", "Host: a\r\n", true),
        ("HTTP/1.1", "Host:\r\n", true),
        ("HTTP/1.0", "", true),
    ];
    // A picture in memory, and something else.
    for path in ["/head/Gwendolin", "/minecraft/mhf"] {
        server.get(path);
        for (version, hosts, is_accepted) in rows {
            let request = format!("GET {path} {version}\r\n{hosts}Connection: close\r\n\r\n");
            let reply = exchange(server.address(), request.as_bytes());
            let reply = Reply::parse(&reply, true);
            if is_accepted {
                assert_eq!(reply.status, 200, "{request}");
            } else {
                assert_error(&reply, 400, "A request must have one Host header");
            }
        }
    }
}
