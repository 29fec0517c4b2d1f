//! Pictures that are drawn while they are sent.

use std::{
    io::Read,
    thread,
    time::{Duration, Instant},
};

use effigy_render::Facing;
use fixtures::client::{Reply, exchange, request, send_raw};

use crate::support::{Server, assert_picture, avatar};

#[test]
fn a_long_picture_comes_while_it_is_drawn() {
    let server = Server::start();
    let path = "/avatar/UvClassic/left/3000";
    // The connection ends with the picture, so the response needs no length.
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
fn no_long_picture_is_drawn_for_head_or_not_modified() {
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
    // Nothing is drawn yet, so it is not a hash of the bytes.
    assert!(tag.starts_with("W/\""), "{tag}");
    let known = server.ask("GET", path, &[("If-None-Match", tag)]);
    assert_eq!((known.status, known.header("etag")), (304, Some(tag)));
}

#[test]
fn a_client_that_leaves_ends_the_drawing_of_its_long_picture() {
    let server = Server::start();
    let in_flight = || server.metric("effigy_long_pictures_in_flight");
    let request = request(server.address(), "GET", "/avatar/UvClassic/left/8000", &[]);
    // More than there are places for, one after the other.
    for _ in 0..8 {
        let mut client = send_raw(server.address(), request.as_bytes());
        client.read_exact(&mut [0; 12]).unwrap();
        assert_eq!(in_flight(), 1.0);
        drop(client);
        let timeout = Instant::now() + Duration::from_secs(30);
        while in_flight() > 0.0 {
            assert!(Instant::now() < timeout, "the drawing never ends");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn an_abandoned_picture_stops_before_it_has_written_anything() {
    let server = Server::start();
    let in_flight = || server.metric("effigy_long_pictures_in_flight");
    // The first thousands of rows are empty: a few bytes of the file, which do not fill a chunk.
    let clients: Vec<_> = (0..7)
        .map(|number| {
            let path = format!("/avatar/UvClassic/left/{}", 104_000 + number);
            let request = request(server.address(), "GET", &path, &[]);
            let mut client = send_raw(server.address(), request.as_bytes());
            if number == 0 {
                client.read_exact(&mut [0; 12]).unwrap();
            }
            client
        })
        .collect();
    assert!(in_flight() >= 1.0);
    drop(clients);
    let left = Instant::now();
    while in_flight() > 0.0 {
        // Together they would write for the next time after some seconds.
        let took = left.elapsed();
        assert!(took < Duration::from_secs(1), "the drawings go on");
        thread::sleep(Duration::from_millis(20));
    }
}
