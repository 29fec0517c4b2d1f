//! Large pictures: of one client, and larger than the operator wants.

use std::{
    io::Read,
    net::TcpStream,
    num::NonZeroU32,
    thread,
    time::{Duration, Instant},
};

use fixtures::{
    client::{post, request, send_raw},
    skin,
};

use crate::support::{Server, assert_error};

#[test]
fn a_size_may_be_too_large_for_the_operator() {
    let server = Server::start_with(|settings| settings.max_size = NonZeroU32::new(100));
    for (path, status, message) in [
        ("/head/Gwendolin/101", 500, "Failed to render head"),
        ("/avatar/Gwendolin/left/101", 500, "Failed to render avatar"),
        (
            "/v1/avatar/Gwendolin?size=101",
            400,
            "The player has more than 256 bytes, or the picture would be too large",
        ),
    ] {
        assert_error(&server.get(path), status, message);
    }
    assert_eq!(server.upstream.total_calls(), 0);
    let knight = skin("knight").png;
    let refused = post(server.address(), "/preview/head/101", knight);
    assert_error(&refused, 400, "The picture would be too large");
    for path in [
        "/head/Gwendolin/100",
        "/avatar/Gwendolin/left/100",
        "/skin/Gwendolin",
    ] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
}

/// A client that asks for a picture and reads nothing but the status.
fn open(server: &Server, size: u32, client: &str) -> (String, TcpStream) {
    let path = format!("/avatar/UvClassic/left/{size}");
    let client = ("X-Forwarded-For", client);
    let request = request(server.address(), "GET", &path, &[client]);
    let mut stream = send_raw(server.address(), request.as_bytes());
    let mut status = [0; 12];
    stream.read_exact(&mut status).unwrap();
    (String::from_utf8_lossy(&status[9..]).into_owned(), stream)
}

#[test]
fn one_client_has_one_giant_and_all_have_two() {
    let server = Server::start_with(|settings| {
        settings.proxied().large_pictures = Some(2);
    });
    let (status, first) = open(&server, 1_000_000, "192.0.2.1");
    assert_eq!(status, "200");
    // The second one would leave nothing to others, even if it is smaller.
    assert_eq!(open(&server, 3_000, "192.0.2.1").0, "500");
    let (status, second) = open(&server, 1_000_001, "192.0.2.2");
    assert_eq!(status, "200");
    // They take all the memory and work that there is.
    assert_eq!(open(&server, 3_000, "192.0.2.3").0, "500");
    assert_eq!(server.get("/avatar/UvClassic/left/64").status, 200);
    drop((first, second));
    let patience = Instant::now() + Duration::from_secs(20);
    while open(&server, 3_000, "192.0.2.3").0 != "200" {
        assert!(Instant::now() < patience, "the giants go on");
    }
}

#[test]
fn a_large_preview_that_nobody_waits_for_stops() {
    let server = Server::start();
    let knight = skin("knight").png;
    let head = format!(
        "POST /preview/avatar/left/100000 HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
        knight.len()
    );
    let request = [head.as_bytes(), knight].concat();
    // More than there are drawing threads, which other pictures need.
    let clients = [(); 4].map(|()| {
        let mut stream = send_raw(server.address(), &request);
        stream.read_exact(&mut [0; 12]).unwrap();
        stream
    });
    assert_eq!(server.get("/avatar/UvClassic/left/64").status, 200);
    drop(clients);
    let left = Instant::now();
    while server.metric("effigy_long_pictures_in_flight") > 0.0 {
        assert!(
            left.elapsed() < Duration::from_secs(10),
            "the drawings go on"
        );
        thread::sleep(Duration::from_millis(20));
    }
}
