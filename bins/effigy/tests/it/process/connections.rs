//! Connections while the server is busy, and at its shutdown.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use crate::support::{LOG_TO_FILE, Server};

/// Without room in the backlog, the system drops connections of a burst, and their clients try again a
/// second later.
#[test]
fn a_burst_of_connections_waits_for_a_server_that_is_busy() {
    let most = std::fs::read_to_string("/proc/sys/net/core/somaxconn");
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
    let mut idle = TcpStream::connect(server.address()).unwrap();
    let request = "GET /allstats HTTP/1.1\r\nHost: x\r\n\r\n";
    idle.write_all(request.as_bytes()).unwrap();
    idle.read_exact(&mut [0; 12]).unwrap();
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    // The log says so if a request had to be aborted.
    assert_eq!(
        server.log().matches("in time").count(),
        0,
        "{}",
        server.log()
    );
    for mut connection in [silent, idle] {
        let mut rest = Vec::new();
        assert!(connection.read_to_end(&mut rest).is_ok());
    }
}

#[test]
fn a_page_of_100_unknown_heads_stays_within_the_default_shares() {
    let server = Server::start();
    let client = ("X-Forwarded-For", "192.0.2.1");
    let face = |size: u32| {
        server
            .ask("GET", &format!("/head/Gwendolin/{size}"), &[client])
            .status
    };
    assert!((1..=100).all(|size| face(size) == 200));
    // There is a share, however.
    assert!((101..=400).any(|size| face(size) == 500));
}
