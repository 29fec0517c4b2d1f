//! Responses that are not read, and files that never arrive completely.

use std::{
    io::{Read, Write},
    thread,
    time::{Duration, Instant},
};

use fixtures::client::{request, send_raw};

use crate::support::{Http2, Server, WINDOW, assert_error, read};

const GREEDY: (&str, &str) = ("X-Forwarded-For", "192.0.2.1");
const OTHER: (&str, &str) = ("X-Forwarded-For", "192.0.2.2");
const MEBIBYTE: u64 = 1 << 20;

/// The bytes that wait for all clients, without those of the response that says so.
fn waiting(server: &Server) -> f64 {
    server.metric("effigy_waiting_bytes")
}

/// Waits until no bytes wait any more.
#[track_caller]
fn wait_until_nothing_waits(server: &Server) {
    let begun = Instant::now();
    // The response that says so waits itself.
    while waiting(server) > f64::from(10 << 10) {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "{}",
            waiting(server)
        );
        thread::sleep(Duration::from_millis(10));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_on_streams_without_a_window_are_bounded() {
    let server = Server::start_with(|settings| {
        settings.proxied().bytes = Some(MEBIBYTE);
    });
    let mut connections = Vec::new();
    let mut responses = Vec::new();
    for _ in 0..4 {
        let mut connection = Http2::open(&server, 0).await;
        let sent: Vec<_> = (0..100)
            .map(|_| connection.get("/minecraft/mhf", &[GREEDY]))
            .collect();
        for response in sent {
            responses.push(response.await);
        }
        connections.push(connection);
    }
    let statuses = responses
        .iter()
        .flatten()
        .map(|response| response.status().as_u16());
    let statuses: Vec<u16> = statuses.collect();
    let count = |expected| {
        statuses
            .iter()
            .filter(|status| **status == expected)
            .count()
    };
    // Each counts as ten KiB at least.
    assert_eq!(count(200), 1024 / 10);
    // A few say why they are refused, and the others are reset.
    assert!((1..=32).contains(&count(429)), "{}", count(429));
    assert_eq!(count(200) + count(429), statuses.len());
    assert!(waiting(&server) <= (MEBIBYTE + (10 << 10)) as f64);

    assert_eq!(server.ask("GET", "/minecraft/mhf", &[GREEDY]).status, 429);
    let specified = server.ask("GET", "/head/Gwendolin", &[GREEDY]);
    assert_error(&specified, 500, "Failed to render head");
    assert_eq!(specified.header("retry-after"), Some("1"));
    assert_eq!(server.upstream.total_calls(), 0, "nothing is made for it");
    assert_eq!(server.ask("GET", "/health", &[GREEDY]).status, 200);
    assert_eq!(server.ask("GET", "/minecraft/mhf", &[OTHER]).status, 200);

    drop((responses, connections));
    wait_until_nothing_waits(&server);
    assert_eq!(server.ask("GET", "/minecraft/mhf", &[GREEDY]).status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_counts_until_it_is_read() {
    let server = Server::start_with(|settings| {
        settings.proxied().bytes = Some(MEBIBYTE);
    });
    // A small window: the rest waits in the buffers of the connection.
    let mut slow = Http2::open(&server, 1_000).await;
    let mut quick = Http2::open(&server, WINDOW).await;
    let unread = slow.get("/docs", &[GREEDY]).await.unwrap();
    let document = read(quick.get("/docs", &[GREEDY]).await.unwrap().into_body()).await;
    let expected = document.len() as f64;
    let begun = Instant::now();
    while !(expected..expected * 2.0).contains(&waiting(&server)) {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "{}",
            waiting(&server)
        );
    }
    assert_eq!(read(unread.into_body()).await, document);
    wait_until_nothing_waits(&server);
}

#[test]
fn a_connection_whose_responses_are_not_read_is_closed() {
    let server = Server::start_with(|settings| settings.idle_timeout = Duration::from_secs(1));
    let length = server.get("/openapi.json").body.len();
    let request = request(
        server.address(),
        "GET",
        "/openapi.json",
        &[("Connection", "keep-alive")],
    );
    let request = request.replace("Connection: close\r\n", "");
    // More than the buffers of both sockets hold.
    let mut stream = send_raw(server.address(), request.repeat(200).as_bytes());
    let begun = Instant::now();
    while waiting(&server) < length as f64 {
        assert!(begun.elapsed() < Duration::from_secs(10), "nothing waits");
    }
    // The time after which it is closed has passed twice.
    thread::sleep(Duration::from_secs(2));
    wait_until_nothing_waits(&server);
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received);
    assert!(received.len() < 200 * length, "it was closed");
}

#[test]
fn files_that_arrive_count_as_well() {
    let server = Server::start_with(|settings| {
        settings.proxied().bytes = Some(250 << 10);
    });
    let (name, client) = GREEDY;
    let upload = |bytes: usize| {
        let head = format!(
            "POST /preview/head/16 HTTP/1.1\r\nHost: x\r\n{name}: {client}\r\n\
             Content-Length: 200000\r\n\r\n"
        );
        let mut stream = send_raw(server.address(), head.as_bytes());
        stream.write_all(&vec![0; bytes]).unwrap();
        stream
    };
    let _slow = upload(100_000);
    let begun = Instant::now();
    while waiting(&server) < f64::from(128 << 10) {
        assert!(begun.elapsed() < Duration::from_secs(10), "nothing waits");
    }
    let mut refused = upload(100_000);
    let mut status = [0; 12];
    refused.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 429");
    assert_eq!(server.ask("GET", "/docs", &[OTHER]).status, 200);
}
