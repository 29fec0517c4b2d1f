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

fn head(more: &str) -> String {
    format!("POST /preview/head/16 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{more}\r\n")
}

#[test]
fn slow_uploads_hold_no_place() {
    let server = Server::start();
    let knight = skin("knight").png;
    let length = format!("Content-Length: {}\r\n", knight.len());
    let begin = [head(&length).as_bytes(), &knight[..100]].concat();
    // More than there are places.
    let slow = [(); 100].map(|()| send_raw(server.address(), &begin));
    let begun = Instant::now();
    assert_eq!(server.post("/preview/head/16", knight).status, 200);
    assert_within(Duration::from_secs(10), begun);
    for mut stream in slow.into_iter().take(3) {
        stream.write_all(&knight[100..]).unwrap();
        assert_eq!(Reply::parse(&read_all(stream), true).status, 200);
    }
}

#[test]
fn an_upload_that_is_too_long_is_refused_at_once() {
    let server = Server::start();
    // Nothing of the body is ever sent.
    let request = head("Content-Length: 1048577\r\n");
    let mut stream = send_raw(server.address(), request.as_bytes());
    let begun = Instant::now();
    assert_eq!(status(&mut stream), Some(413));
    assert_within(Duration::from_secs(5), begun);
    // A client that reads after it has sent everything gets the response as well.
    let body = vec![0; 4 << 20];
    let length = format!("Content-Length: {}\r\n", body.len());
    let request = [head(&length).as_bytes(), &body].concat();
    let reply = Reply::parse(&exchange(server.address(), &request), true);
    assert_error(&reply, 413, "A skin file has at most 1 MiB");
}

/// Many clients read nothing before they have sent their whole request, and get no response if it is refused unread.
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

#[test]
fn malformed_chunks_and_endless_pieces_are_refused() {
    let server = Server::start();
    let malformed = "The body of the request is malformed";
    let pieces = "1\r\nx\r\n".repeat(10_000) + "0\r\n\r\n";
    let too_many = "The skin file arrives in too many pieces";
    for (body, status, message) in [
        ("zz\r\n", 400, malformed),
        ("5\r\nabcdefgh\r\n", 400, malformed),
        ("fffffffffffffffff\r\n", 400, malformed),
        ("3\nabc\n", 400, malformed),
        (&pieces, 413, too_many),
    ] {
        let request = head("Transfer-Encoding: chunked\r\n") + body;
        let reply = Reply::parse(&exchange(server.address(), request.as_bytes()), true);
        assert_error(&reply, status, message);
    }
    let reply = server.post("/preview/head/16", skin("knight").png);
    assert_eq!(reply.status, 200);
}

#[test]
fn a_rejected_body_in_small_pieces_is_not_read_to_its_end() {
    let server = Server::start();
    let of_pieces = |length: usize, number| {
        let head = "POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        let piece = format!("{length:x}\r\n{}\r\n", "x".repeat(length));
        let next = "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        let request = [head, &piece.repeat(number), next].concat();
        let replies = exchange(server.address(), request.as_bytes());
        let replies = String::from_utf8_lossy(&replies);
        replies.matches("HTTP/1.1 ").count()
    };
    assert_eq!((of_pieces(1, 100), of_pieces(1, 5000)), (2, 1));
    // Pieces as networks have them.
    assert_eq!(of_pieces(1448, 1000), 2);
}

#[test]
fn uploads_can_be_turned_off() {
    let server = Server::start_with(|settings| settings.config.previews = false);
    for path in ["/preview/head/16", "/v1/preview/head?size=16"] {
        let reply = server.post(path, skin("knight").png);
        assert_error(&reply, 404, "Not found");
    }
}
