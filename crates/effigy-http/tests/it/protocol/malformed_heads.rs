//! Properties of malformed requests: whatever arrives, the server answers with a client error or
//! closes the connection, in bounded time, and serves the next connection.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::Duration,
};

use fixtures::{client::try_get, until};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::support::{Server, statuses};

/// The time after which the server closes a connection whose head doesn't arrive.
const IDLE_TIMEOUT: Duration = Duration::from_millis(200);

/// The longest wait for the end of a connection, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(30);

/// The number of requests that are sent at once, so that their idle times pass together.
const BATCH: usize = 50;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 8,
        // A batch takes a fifth of a second, so shrinking has to be short.
        max_shrink_iters: 50,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn start() -> Server {
    Server::start_with(|settings| settings.config.idle_timeout = IDLE_TIMEOUT)
}

/// Sends each of these requests on a connection of its own, all at once, and returns everything
/// that the server sends on each of them.
#[track_caller]
fn answers_to(server: &Server, requests: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut streams = Vec::new();
    for request in requests {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // The server may close the connection before it has read all of a malformed request.
        let _ = stream.write_all(request);
        streams.push(stream);
    }
    streams.into_iter().map(read_to_end).collect()
}

/// Reads until the server closes or resets the connection.
#[track_caller]
fn read_to_end(mut stream: TcpStream) -> Vec<u8> {
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer) {
        let kind = error.kind();
        let timed_out = matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut);
        assert!(!timed_out, "the connection stays open");
    }
    answer
}

/// Asserts that a new connection is served. On a busy machine the idle time may pass before the
/// server has read a head, so this tries again.
#[track_caller]
fn assert_serves(server: &Server) {
    until("the next connection is served", || {
        let reply = try_get(server.address(), "/livez");
        reply.is_some_and(|reply| reply.status == 200)
    });
}

/// Asserts that no answer is a server error, and that the server still serves.
#[track_caller]
fn assert_survives(server: &Server, requests: &[Vec<u8>]) {
    for (request, answer) in requests.iter().zip(answers_to(server, requests)) {
        let shown = String::from_utf8_lossy(request);
        for status in statuses(&answer) {
            assert!(status < 500, "{status} for {shown:?}");
        }
    }
    assert_serves(server);
}

/// Asserts that each answer is a client error or missing, and that the server still serves.
#[track_caller]
fn assert_refuses(server: &Server, requests: &[Vec<u8>]) {
    for (request, answer) in requests.iter().zip(answers_to(server, requests)) {
        let shown = String::from_utf8_lossy(request);
        for status in statuses(&answer) {
            assert!((400..500).contains(&status), "{status} for {shown:?}");
        }
    }
    assert_serves(server);
}

/// Random bytes, half of them with the empty line that ends a head.
fn random_bytes() -> impl Strategy<Value = Vec<u8>> {
    let ends = select(&["", "\r\n\r\n"][..]);
    (vec(any::<u8>(), 0..300), ends).prop_map(|(mut bytes, end)| {
        bytes.extend_from_slice(end.as_bytes());
        bytes
    })
}

/// A piece of a request, well formed or not.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = select(
        &[
            "GET ",
            "HEAD ",
            "POST ",
            "OPTIONS ",
            "CONNECT ",
            "/livez",
            "/v1/face/Gwendolin?size=8",
            "http://x/livez",
            "*",
            " HTTP/1.1\r\n",
            " HTTP/1.0\r\n",
            " HTTP/2.0\r\n",
            "Host: x\r\n",
            "Content-Length: 5\r\n",
            "Content-Length: -1\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n",
            "Upgrade: websocket\r\n",
            "X-Forwarded-For: 192.0.2.1, ?\r\n",
            "If-None-Match: \"\r\n",
            "Accept-Encoding: gzip;q=x\r\n",
            " folded\r\n",
            ": \r\n",
            "\r\n",
            "\n",
            "\0",
        ][..],
    );
    let known = known.prop_map(|text| text.as_bytes().to_vec());
    let random = vec(any::<u8>(), 0..20);
    prop_oneof![9 => known, 1 => random]
}

/// Pieces of requests in any order.
fn jumbled_request() -> impl Strategy<Value = Vec<u8>> {
    vec(piece(), 1..12).prop_map(|pieces| pieces.concat())
}

/// A request that is valid except for one part of its head, which is larger than the server reads.
fn huge_request() -> impl Strategy<Value = Vec<u8>> {
    (0..5_usize, 20_000..300_000_usize).prop_map(|(part, bytes)| {
        let long = "x".repeat(bytes);
        let request = match part {
            0 => format!("GET /livez?{long} HTTP/1.1\r\nHost: x\r\n\r\n"),
            1 => format!("{long} /livez HTTP/1.1\r\nHost: x\r\n\r\n"),
            2 => format!("GET /livez HTTP/1.1\r\nHost: x\r\n{long}: y\r\n\r\n"),
            3 => format!("GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: {long}\r\n\r\n"),
            _ => {
                let headers = "X-Many: y\r\n".repeat(bytes / 10);
                format!("GET /livez HTTP/1.1\r\nHost: x\r\n{headers}\r\n")
            }
        };
        request.into_bytes()
    })
}

#[test]
fn random_bytes_are_refused() {
    let server = start();
    proptest!(config(), |(requests in vec(random_bytes(), BATCH))| {
        assert_refuses(&server, &requests);
    });
}

#[test]
fn jumbled_pieces_of_requests_never_fail_the_server() {
    let server = start();
    proptest!(config(), |(requests in vec(jumbled_request(), BATCH))| {
        assert_survives(&server, &requests);
    });
}

#[test]
fn huge_heads_are_refused() {
    let server = start();
    proptest!(config(), |(requests in vec(huge_request(), BATCH / 5))| {
        assert_refuses(&server, &requests);
    });
}

#[test]
fn other_protocols_are_refused() {
    let tls_hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    let requests = [
        tls_hello.to_vec(),
        b"\r\n\r\n\r\n".to_vec(),
        b"not http at all\r\n\r\n".to_vec(),
        b"GET /livez HTTP/9.9\r\n\r\n".to_vec(),
    ];
    assert_refuses(&start(), &requests);
}

#[test]
fn raw_bytes_in_a_path_are_refused() {
    let paths: [&[u8]; 8] = [
        b"",
        b"livez",
        b"/v1/face/\xff\xfe",
        b"/v1/face/\x80",
        b"/v1/face/a b",
        b"/v1/face/\x01",
        b"/v1/face/\x00",
        b"/v1/face/<x>",
    ];
    let rest: &[u8] = b" HTTP/1.1\r\nHost: x\r\n\r\n";
    let requests = paths.map(|path| [b"GET ", path, rest].concat());
    assert_refuses(&start(), &requests);
}

#[test]
fn truncated_heads_are_closed_without_a_picture() {
    let server = start();
    let whole = "GET /v1/face/Gwendolin?size=8 HTTP/1.1\r\nHost: x\r\nAccept: image/png\r\n\
                 If-None-Match: \"0\"\r\nAccept-Encoding: gzip\r\n\r\n";
    let cut_at_each_byte = (0..whole.len()).map(|end| whole.as_bytes()[..end].to_vec());
    let requests: Vec<_> = cut_at_each_byte.collect();
    assert_refuses(&server, &requests);
    assert_eq!(server.upstream.total_calls(), 0);
}
