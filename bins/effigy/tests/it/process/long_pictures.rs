//! Pictures that are drawn while they are sent, as many as the server allows.

use std::{
    io::Read,
    thread,
    time::{Duration, Instant},
};

use fixtures::client::{Connection, Reply, read_all, request, send_raw};

use crate::support::{Server, assert_error};

#[test]
fn the_memory_of_giants_is_bounded() {
    let server = Server::start();
    let clients: Vec<_> = (0..7)
        .map(|number| {
            let path = format!("/avatar/UvClassic/left/{}", 1_000_000 + number);
            let request = request(server.address(), "GET", &path, &[]);
            let mut client = send_raw(server.address(), request.as_bytes());
            client.read_exact(&mut [0; 12]).unwrap();
            client
        })
        .collect();
    assert_eq!(server.metric("effigy_long_pictures_in_flight"), 2.0);
    let mut most = 0.0_f64;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(3) {
        most = most.max(server.metric("process_resident_memory_bytes"));
        thread::sleep(Duration::from_millis(50));
    }
    // 256 MiB for them, and 60 MiB for everything else.
    assert!(most < f64::from(316 << 20), "{most} bytes");
    drop(clients);
}

#[test]
fn long_pictures_are_few_and_leave_hits_and_memory_alone() {
    let server = Server::start();
    let in_flight = || server.metric("effigy_long_pictures_in_flight");
    let face = "/head/Gwendolin/128";
    server.get(face);
    let mut clients = Vec::new();
    let refused = loop {
        assert!(clients.len() < 100, "they have no end");
        // Of different sizes, since requests for one picture share it.
        let path = format!("/avatar/UvClassic/left/{}", 20_000 + clients.len());
        let request = request(server.address(), "GET", &path, &[]);
        let mut client = send_raw(server.address(), request.as_bytes());
        client.read_exact(&mut [0; 12]).unwrap();
        clients.push(client);
        if in_flight() < clients.len() as f64 {
            break clients.pop();
        }
    };
    let rest = read_all(refused.unwrap());
    let refused = Reply::parse(&[b"HTTP/1.1 500", &rest[..]].concat(), true);
    assert_error(&refused, 500, "Failed to render avatar");
    assert_eq!(refused.header("retry-after"), Some("1"));
    // They read nothing.
    let mut connection = Connection::open(server.address()).unwrap();
    for _ in 0..100 {
        assert_eq!(connection.get(face).header("x-cache"), Some("hit"));
    }
    let memory = server.metric("process_resident_memory_bytes");
    assert!(memory < f64::from(512 << 20), "{memory} bytes");
    drop(clients);
    let timeout = Instant::now() + Duration::from_secs(30);
    while in_flight() > 0.0 {
        assert!(Instant::now() < timeout, "the drawings never end");
        thread::sleep(Duration::from_millis(20));
    }
}
