//! Connections: pipelining, slow clients, limits.

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::support::Server;
use fixtures::client::{ask, exchange, send_raw};

#[test]
fn answers_to_pipelined_requests_come_in_order() {
    let server = Server::start();
    let host = server.address();
    let request =
        |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    let mut requests = String::new();
    for number in 0..50 {
        requests += &request(&format!("/avatar/x/{number}"), "");
        requests += &request("/skin/Gwendolin", "");
    }
    requests += &request("/nowhere", "Connection: close\r\n");
    let answers = exchange(host, requests.as_bytes());
    let mut statuses = answers
        .windows(13)
        .filter_map(|window| window.strip_prefix(b"HTTP/1.1 "))
        .map(|rest| String::from_utf8_lossy(&rest[..3]).into_owned());
    for number in 0..50 {
        assert_eq!(statuses.next().as_deref(), Some("400"), "{number}");
        assert_eq!(statuses.next().as_deref(), Some("200"), "{number}");
    }
    assert_eq!(statuses.next().as_deref(), Some("404"));
    assert_eq!(statuses.next(), None);
}

#[test]
fn http_2_is_the_business_of_a_proxy() {
    let server = Server::start();
    // What a client with prior knowledge sends at once, or in pieces.
    let (preface, settings) = ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\x04\0\0\0\0\0");
    for bytes in [preface.to_owned() + settings, preface[..18].to_owned()] {
        let reply = exchange(server.address(), bytes.as_bytes());
        assert!(reply.is_empty() || reply.starts_with(b"HTTP/1.1 400"));
    }
    // An offer to upgrade is not taken up.
    let upgrade = [
        ("Connection", "Upgrade, HTTP2-Settings"),
        ("Upgrade", "h2c"),
        ("HTTP2-Settings", ""),
    ];
    assert_eq!(server.ask("GET", "/minecraft/mhf", &upgrade).status, 200);
}

#[test]
fn slow_clients_hold_nothing_but_their_connection() {
    let server = Server::start();
    let (path, end) = ("/head/Gwendolin/400", AtomicBool::new(false));
    server.get(path);
    thread::scope(|scope| {
        for number in 0..60 {
            let (server, end) = (&server, &end);
            scope.spawn(move || slow_client(server.address(), path, number, end));
        }
        // A hit, a miss and a count, as quickly as without slow clients.
        for size in 1..=20 {
            let begun = Instant::now();
            assert_eq!(server.get(path).header("x-cache"), Some("hit"));
            assert_eq!(server.get(&format!("/head/Gwendolin/{size}")).status, 200);
            assert_eq!(server.get("/allstats").status, 200);
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{:?}",
                begun.elapsed()
            );
        }
        end.store(true, Ordering::SeqCst);
    });
}

/// A client that sends slowly, does not read, or reads slowly.
fn slow_client(address: &str, path: &str, number: usize, end: &AtomicBool) {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    if !number.is_multiple_of(3) {
        // More responses than the socket buffers hold.
        stream.write_all(request.repeat(200).as_bytes()).unwrap();
    }
    for byte in request.bytes() {
        if end.load(Ordering::SeqCst) {
            return;
        }
        match number % 3 {
            0 => stream.write_all(&[byte]).unwrap(),
            1 => {}
            _ => stream.read_exact(&mut [0]).unwrap(),
        }
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn connections_are_bounded_and_those_beyond_wait() {
    let server = Server::start_with(|settings| settings.max_connections = 2);
    // An upload that has not ended is no idle connection.
    let busy = [(); 2].map(|()| {
        let request = "POST /preview/head/16 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";
        send_raw(server.address(), request.as_bytes())
    });
    let waiting = {
        let address = server.address().to_owned();
        thread::spawn(move || ask(&address, "GET", "/allstats", &[]).status)
    };
    thread::sleep(Duration::from_millis(200));
    assert!(!waiting.is_finished(), "there is no place");
    drop(busy);
    assert_eq!(waiting.join().unwrap(), 200);
}
