//! Connections while the server is busy, at its shutdown, and beyond the limit of open files.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use fixtures::{assert_within, until};

use crate::support::{LOG_TO_FILE, Server};

/// If the backlog has no room, the system drops connections of a burst, and their clients try again
/// only a second later.
#[test]
fn bursts_of_connections_wait_for_a_busy_server() {
    let largest_backlog = match fs::read_to_string("/proc/sys/net/core/somaxconn") {
        Ok(text) => text.trim().parse().unwrap(),
        Err(_) => 128,
    };
    let server = Server::start();
    // The server accepts nothing until it continues.
    server.signal("STOP");
    let address = server.address().parse().unwrap();
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_secs(10)).unwrap();
    let burst: Vec<TcpStream> = (0..largest_backlog.min(400)).map(connect).collect();
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
    // The log would tell if a request had to be aborted.
    let log = server.log();
    assert!(!log.contains("timeout"), "{log}");
    for mut connection in [silent, half, idle] {
        let mut rest = Vec::new();
        assert!(connection.read_to_end(&mut rest).is_ok());
    }
}

/// Only this limit and the number of connections bound the memory of the system.
#[test]
fn the_system_holds_little_of_what_a_client_does_not_read() {
    let server = Server::start();
    let mut unread = TcpStream::connect(server.address()).unwrap();
    let requests = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000);
    unread.write_all(requests.as_bytes()).unwrap();
    let server_address: SocketAddr = server.address().parse().unwrap();
    let client_port = unread.local_addr().unwrap().port();
    let unsent = || unsent_bytes(server_address.port(), client_port);
    until("the client's own buffer is full", || unsent() > 10_000);
    thread::sleep(Duration::from_millis(300));
    assert!(unsent() <= 256 << 10, "{}", unsent());
}

/// Returns the bytes that the system buffers for a connection, as `/proc/net/tcp` has them: its
/// second and third columns are addresses, and the fifth is the length of the two queues.
fn unsent_bytes(local_port: u16, remote_port: u16) -> usize {
    let local_end = format!(":{local_port:04X}");
    let remote_end = format!(":{remote_port:04X}");
    for line in fs::read_to_string("/proc/net/tcp").unwrap().lines() {
        let columns: Vec<&str> = line.split_whitespace().collect();
        if columns[1].ends_with(&local_end) && columns[2].ends_with(&remote_end) {
            let (bytes, _) = columns[4].split_once(':').unwrap();
            return usize::from_str_radix(bytes, 16).unwrap();
        }
    }
    panic!("there is no connection from {local_end} to {remote_end}");
}

/// With half of that memory, the requests would take fifteen seconds.
#[test]
fn long_responses_do_not_wait_for_acknowledgements() {
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
    // More connections at once than files may be open.
    let held: Vec<_> = (0..1_100)
        .map(|_| TcpStream::connect(server.address()).unwrap())
        .collect();
    // Connections that are idle for a moment make room. Until then, the newest one is closed.
    thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    assert_eq!(server.get("/head/Gwendolin").status, 200);
    assert_within(Duration::from_secs(10), begun);
    drop(held);
    assert!(!server.log().contains("no connection was accepted"));
}
