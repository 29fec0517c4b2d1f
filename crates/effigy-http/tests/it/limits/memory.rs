//! Responses that are not read, and files that never arrive completely.

use std::{
    io::{self, Read},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use fixtures::{assert_within, client::send_raw, until};

use crate::support::{GREEDY, OTHER, Server};

const MEBIBYTE: u32 = 1 << 20;

/// The bytes that wait for all clients, without those of the response that says so.
fn waiting(server: &Server) -> f64 {
    server.metric("effigy_waiting_bytes")
}

/// Waits until a condition holds for the bytes that wait.
#[track_caller]
fn wait_until(server: &Server, condition: impl Fn(f64) -> bool) {
    let begun = Instant::now();
    until("the bytes that wait", || condition(waiting(server)));
    assert_within(Duration::from_secs(10), begun);
}

/// Asks for a document again and again and reads nothing of it: more than the buffers of both sockets hold.
fn ask_without_reading(server: &Server, (name, client): (&str, &str)) -> TcpStream {
    let request = format!("GET /openapi.json HTTP/1.1\r\nHost: x\r\n{name}: {client}\r\n\r\n");
    send_raw(server.address(), request.repeat(200).as_bytes())
}

/// Begins to upload a file of 200,000 bytes, of which so many are sent.
fn upload(server: &Server, bytes: usize) -> TcpStream {
    let (name, client) = GREEDY;
    let head = format!(
        "POST /preview/head/16 HTTP/1.1\r\nHost: x\r\n{name}: {client}\r\nContent-Length: 200000\r\n\r\n"
    );
    send_raw(
        server.address(),
        &[head.as_bytes(), &vec![0; bytes]].concat(),
    )
}

#[test]
fn a_file_that_is_sent_to_many_counts_once() {
    let server = Server::start();
    let length = server.get("/openapi.json").body.len();
    let _unread: Vec<_> = (0..10)
        .map(|_| ask_without_reading(&server, GREEDY))
        .collect();
    wait_until(&server, |bytes| bytes > 0.0);
    assert_eq!(server.ask("GET", "/openapi.json", &[GREEDY]).status, 200);
    assert!(waiting(&server) < 2.0 * length as f64);
}

#[test]
fn a_response_counts_until_it_is_read() {
    let server = Server::start();
    let length = server.get("/openapi.json").body.len() as f64;
    let mut unread = ask_without_reading(&server, OTHER);
    wait_until(&server, |bytes| (length..length * 2.0).contains(&bytes));
    thread::spawn(move || io::copy(&mut unread, &mut io::sink()));
    wait_until(&server, |bytes| bytes == 0.0);
}

#[test]
fn a_connection_whose_responses_are_not_read_is_closed() {
    let server =
        Server::start_with(|settings| settings.config.idle_timeout = Duration::from_secs(1));
    let length = server.get("/openapi.json").body.len();
    let mut stream = ask_without_reading(&server, OTHER);
    wait_until(&server, |bytes| bytes >= length as f64);
    // The time after which it is closed has passed twice.
    thread::sleep(Duration::from_secs(2));
    wait_until(&server, |bytes| bytes == 0.0);
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received);
    assert!(received.len() < 200 * length, "it was closed");
}

#[test]
fn files_that_arrive_count_as_well() {
    let server = Server::start();
    let slow = upload(&server, 100_000);
    wait_until(&server, |bytes| bytes >= f64::from(128 << 10));
    drop(slow);
    wait_until(&server, |bytes| bytes == 0.0);
}

#[test]
fn uploads_without_a_byte_count_as_well() {
    let server = Server::start();
    let waiting: Vec<_> = (0..16).map(|_| upload(&server, 0)).collect();
    wait_until(&server, |bytes| bytes >= f64::from(MEBIBYTE));
    drop(waiting);
    wait_until(&server, |bytes| bytes == 0.0);
}

/// More uploads without a byte than there is memory for: those that have made no progress for the
/// longest time end, and everybody else is served.
#[test]
fn when_memory_is_short_stalled_uploads_are_closed() {
    let server = Server::start();
    let stalled: Vec<_> = (0..3_500).map(|_| upload(&server, 0)).collect();
    let short = f64::from(192 * MEBIBYTE);
    wait_until(&server, |bytes| bytes > 0.0 && bytes <= short);
    assert_eq!(server.ask("GET", "/docs", &[OTHER]).status, 200);
    drop(stalled);
}
