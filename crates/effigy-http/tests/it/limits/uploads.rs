//! Uploads that never end, are too long, or are malformed.

use std::{
    io::Write,
    time::{Duration, Instant},
};

use fixtures::{
    assert_within,
    client::{Reply, exchange, read_all, send_raw},
    skin,
};

use crate::support::{Server, assert_error, status};

/// The head of an upload with these headers, after which the server closes the connection.
fn upload_head(headers: &str) -> String {
    format!("POST /preview/head/16 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n")
}

/// A whole upload of a body whose length is stated.
fn upload_of(body: &[u8]) -> Vec<u8> {
    let length = format!("Content-Length: {}\r\n", body.len());
    [upload_head(&length).as_bytes(), body].concat()
}

#[test]
fn slow_uploads_hold_no_place() {
    let server = Server::start();
    let knight = skin("knight").png;
    let whole = upload_of(knight);
    let (begin, rest) = whole.split_at(whole.len() - 100);
    // More than there are places on the drawing threads.
    let slow = [(); 100].map(|()| send_raw(server.address(), begin));
    let begun = Instant::now();
    assert_eq!(server.post("/preview/head/16", knight).status, 200);
    assert_within(Duration::from_secs(10), begun);
    for mut stream in slow.into_iter().take(3) {
        stream.write_all(rest).unwrap();
        assert_eq!(Reply::parse(&read_all(stream), true).status, 200);
    }
}

#[test]
fn an_upload_that_is_too_long_is_refused_at_once() {
    let server = Server::start();
    let without_body = upload_head("Content-Length: 1048577\r\n");
    let mut stream = send_raw(server.address(), without_body.as_bytes());
    let begun = Instant::now();
    assert_eq!(status(&mut stream), Some(413));
    assert_within(Duration::from_secs(5), begun);
}

/// Many clients read nothing before they have sent their whole request. If the server closed the
/// connection without reading it, they would get no response.
#[test]
fn a_client_that_sends_a_refused_file_gets_the_response() {
    let server = Server::start();
    let too_long = upload_of(&vec![0; 4 << 20]);
    let reply = Reply::parse(&exchange(server.address(), &too_long), true);
    assert_error(&reply, 413, "A skin file has at most 1 MiB");
}

#[test]
fn a_request_that_is_rejected_at_once_may_send_its_body() {
    let server = Server::start();
    let body = vec![0; 7 << 20];
    for (path, status) in [
        ("/preview/head?model=wide", 400),
        ("/v1/preview/head?sise=64", 400),
        ("/v1/preview/nothing", 404),
        ("/v1/head/Gwendolin", 405),
    ] {
        assert_eq!(server.post(path, &body).status, status, "{path}");
    }
}

/// Sends this body in chunks.
fn send_chunked(server: &Server, body: &str) -> Reply {
    let request = upload_head("Transfer-Encoding: chunked\r\n") + body;
    Reply::parse(&exchange(server.address(), request.as_bytes()), true)
}

#[test]
fn malformed_chunks_are_refused() {
    let server = Server::start();
    for body in [
        "zz\r\n",
        "5\r\nabcdefgh\r\n",
        "fffffffffffffffff\r\n",
        "3\nabc\n",
    ] {
        let reply = send_chunked(&server, body);
        assert_error(&reply, 400, "The body of the request is malformed");
    }
    let next = server.post("/preview/head/16", skin("knight").png);
    assert_eq!(next.status, 200);
}

#[test]
fn a_file_in_thousands_of_pieces_is_refused() {
    let server = Server::start();
    let pieces = "1\r\nx\r\n".repeat(10_000) + "0\r\n\r\n";
    let reply = send_chunked(&server, &pieces);
    assert_error(&reply, 413, "The skin file arrives in too many pieces");
}

/// Returns `true` if the server reads a rejected body of this many chunks to its end, so that it
/// answers the next request on the connection too.
fn reads_rejected_body(server: &Server, chunks: usize, chunk_length: usize) -> bool {
    let head = "POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunk = format!("{chunk_length:x}\r\n{}\r\n", "x".repeat(chunk_length));
    let next = "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let request = [head, &chunk.repeat(chunks), next].concat();
    let replies = exchange(server.address(), request.as_bytes());
    String::from_utf8_lossy(&replies).contains("HTTP/1.1 200")
}

#[test]
fn a_rejected_body_in_small_pieces_is_not_read_to_its_end() {
    let server = Server::start();
    assert!(reads_rejected_body(&server, 100, 1));
    assert!(!reads_rejected_body(&server, 5_000, 1));
    // The pieces in which networks transport it.
    assert!(reads_rejected_body(&server, 1_000, 1_448));
}

#[test]
fn uploads_can_be_turned_off() {
    let server = Server::start_with(|settings| settings.config.previews = false);
    for path in ["/preview/head/16", "/v1/preview/head?size=16"] {
        let reply = server.post(path, skin("knight").png);
        assert_error(&reply, 404, "Not found");
    }
}
