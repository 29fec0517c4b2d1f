//! Pictures that are drawn while they are sent.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use crate::support::{Server, assert_error, assert_picture, avatar};
use effigy_render::Facing;
use fixtures::client::{Reply, exchange};

#[test]
fn a_long_picture_comes_while_it_is_drawn() {
    let server = Server::start();
    let path = "/avatar/UvClassic/left/3000";
    // Whoever is done closes the connection, so it needs no length.
    let request = format!("GET {path} HTTP/1.0\r\n\r\n");
    let reply = Reply::parse(&exchange(server.address(), request.as_bytes()), true);
    assert_picture(&reply, avatar(Facing::Left, 3_000), "uv_classic");
    assert_eq!(reply.header("content-length"), None);
    assert_eq!(reply.header("x-cache"), Some("miss"));
    assert_eq!(reply.header("cache-control"), Some("public, max-age=3600"));
    assert!(reply.header("etag").is_some() && reply.header("last-modified").is_some());

    // It was kept, as every other picture is.
    let again = server.get(path);
    assert_eq!(again.header("x-cache"), Some("hit"));
    assert!(again.body == reply.body, "the same bytes");
    assert_eq!(server.get("/allstats").json()["count"], 1);
}

#[test]
fn no_long_picture_is_drawn_for_its_head_or_for_who_has_it() {
    let server = Server::start();
    let path = "/avatar/UvClassic/left/20000";
    // More often than there are places, and none of them is taken.
    for _ in 0..100 {
        server.ask("HEAD", path, &[]);
    }
    let head = server.ask("HEAD", path, &[]);
    assert_eq!((head.status, head.header("content-length")), (200, None));
    assert_eq!(head.header("content-type"), Some("image/png"));
    assert_eq!(server.get("/allstats").json()["count"], 0);
    let tag = head.header("etag").unwrap();
    let known = server.ask("GET", path, &[("If-None-Match", tag)]);
    assert_eq!((known.status, known.header("etag")), (304, Some(tag)));
}

#[test]
fn a_client_that_leaves_ends_the_drawing_of_its_long_picture() {
    let server = Server::start();
    let in_flight = || figure(&server, "effigy_long_pictures_in_flight");
    // More than there are places for, one after the other.
    for _ in 0..8 {
        let client = long_client(&server, 20_000);
        assert_eq!(in_flight(), 1);
        drop(client);
        until(|| in_flight() == 0);
    }
}

#[test]
fn long_pictures_are_few_and_leave_hits_and_memory_alone() {
    let server = Server::start();
    let face = "/head/Gwendolin/128";
    server.get(face);
    let mut clients = Vec::new();
    let refused = loop {
        assert!(clients.len() < 100, "they have no end");
        // Of different sizes, since requests for one picture share it.
        clients.push(long_client(&server, 20_000 + clients.len()));
        let places = figure(&server, "effigy_long_pictures_in_flight");
        if places < clients.len() {
            break clients.pop();
        }
    };
    drop(refused);
    // They read nothing.
    for _ in 0..100 {
        assert_eq!(server.get(face).header("x-cache"), Some("hit"));
    }
    let memory = figure(&server, "process_resident_memory_bytes");
    assert!(memory < 512 << 20, "{memory} bytes");
    let more = server.get("/avatar/UvClassic/left/19999");
    assert_error(&more, 500, "Failed to render avatar");
    assert_eq!(more.header("retry-after"), Some("1"));
    drop(clients);
    until(|| figure(&server, "effigy_long_pictures_in_flight") == 0);
}

/// A client that asks for a picture which takes longer than any test, and knows that it comes.
fn long_client(server: &Server, size: usize) -> TcpStream {
    let request = format!("GET /avatar/UvClassic/left/{size} HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut client = TcpStream::connect(server.address()).unwrap();
    client.write_all(request.as_bytes()).unwrap();
    client.read_exact(&mut [0; 12]).unwrap();
    client
}

/// One of the server's figures, as it is now.
fn figure(server: &Server, name: &str) -> usize {
    let figures = String::from_utf8(server.get("/metrics").body).unwrap();
    let mut lines = figures.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
    value.unwrap_or_else(|| panic!("there is no {name}"))
}

/// Waits for something that the server does by itself.
fn until(done: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < patience, "it never came to pass");
        thread::sleep(Duration::from_millis(5));
    }
}
