//! Connections while the server is busy, and at its shutdown.

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use fixtures::{assert_within, until};

use crate::support::{LOG_TO_FILE, Server};

/// Without room in the backlog, the system drops connections of a burst, and their clients try again a
/// second later.
#[test]
fn a_burst_of_connections_waits_for_a_server_that_is_busy() {
    let most = fs::read_to_string("/proc/sys/net/core/somaxconn");
    let most = most.map_or(128, |text| text.trim().parse().unwrap());
    let server = Server::start();
    // The server accepts nothing until it continues.
    server.signal("STOP");
    let address = server.address().parse().unwrap();
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_secs(10)).unwrap();
    let burst: Vec<TcpStream> = (0..most.min(400)).map(connect).collect();
    server.signal("CONT");
    assert_eq!(server.get("/minecraft/mhf").status, 200);
    drop(burst);
}

#[test]
fn connections_without_a_request_do_not_delay_the_end() {
    let mut server = Server::start_with(&LOG_TO_FILE);
    let silent = TcpStream::connect(server.address()).unwrap();
    let mut half = TcpStream::connect(server.address()).unwrap();
    half.write_all(b"GET /allstats HTTP/1.1\r\nHost: x\r\n")
        .unwrap();
    let mut idle = TcpStream::connect(server.address()).unwrap();
    let request = "GET /allstats HTTP/1.1\r\nHost: x\r\n\r\n";
    idle.write_all(request.as_bytes()).unwrap();
    idle.read_exact(&mut [0; 12]).unwrap();
    let begun = Instant::now();
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    assert_within(Duration::from_secs(8), begun);
    // The log says so if a request had to be aborted.
    let log = server.log();
    assert!(!log.contains("timeout"), "{log}");
    for mut connection in [silent, half, idle] {
        let mut rest = Vec::new();
        assert!(connection.read_to_end(&mut rest).is_ok());
    }
}

/// The memory of the system has no other bound than this one and that of connections.
#[test]
fn the_system_holds_little_of_what_a_client_does_not_read() {
    let server = Server::start();
    let mut unread = TcpStream::connect(server.address()).unwrap();
    let requests = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000);
    unread.write_all(requests.as_bytes()).unwrap();
    let ports = [server.address(), &unread.local_addr().unwrap().to_string()]
        .map(|address| address.parse::<SocketAddr>().unwrap().port());
    let ends = ports.map(|port| format!(":{port:04X}"));
    let waiting = || {
        let sockets = fs::read_to_string("/proc/net/tcp").unwrap();
        let sockets = sockets.lines().map(|line| line.split_whitespace());
        let mut sockets = sockets.map(|words| words.skip(1).take(4).collect::<Vec<_>>());
        let socket =
            sockets.find(|words| words.iter().zip(&ends).all(|(at, end)| at.ends_with(end)));
        let (bytes, _) = socket.unwrap()[3].split_once(':').unwrap();
        usize::from_str_radix(bytes, 16).unwrap()
    };
    until("the client's own buffer is full", || waiting() > 10_000);
    thread::sleep(Duration::from_millis(300));
    assert!(waiting() <= 256 << 10, "{}", waiting());
}

/// With half of that memory, this takes fifteen seconds.
#[test]
fn a_long_response_does_not_wait_for_acknowledgements() {
    let server = Server::start();
    let get = || server.get("/v1/figure/Gwendolin.apng?size=512");
    assert!(get().body.len() > 500_000);
    let begun = Instant::now();
    for _ in 0..100 {
        assert_eq!(get().header("x-cache"), Some("hit"));
    }
    assert_within(Duration::from_secs(6), begun);
}

#[test]
fn connections_follow_the_limit_of_open_files() {
    let limits = ["prlimit", "--nofile=100:1000"];
    let server = Server::start_by(&limits, &LOG_TO_FILE);
    assert_eq!(server.metric("process_max_fds"), 1_000.0);
    let log = server.log();
    assert_eq!(log.matches("1000 open files").count(), 1, "{log}");
    // More connections than that at once.
    let held: Vec<_> = (0..1_100)
        .map(|_| TcpStream::connect(server.address()).unwrap())
        .collect();
    // Those that are idle for a moment make room; until then, the newest of too many is closed.
    thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    assert_eq!(server.get("/head/Gwendolin").status, 200);
    assert_within(Duration::from_secs(10), begun);
    drop(held);
    assert!(!server.log().contains("no connection was accepted"));
}
