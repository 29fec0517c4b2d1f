//! The bytes that wait for clients: responses that are not read, and uploads that don't arrive.

use std::{
    io::{self, ErrorKind, Read},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use fixtures::{assert_within, client::send_raw, until};

use crate::support::{GREEDY, OTHER, Server};

const MEBIBYTE: f64 = 1_048_576.0;

/// The bytes that wait for all clients, without those of the response that contains the number.
fn waiting_bytes(server: &Server) -> f64 {
    server.metric("effigy_waiting_bytes")
}

/// Waits until a condition holds for the bytes that wait.
#[track_caller]
fn wait_until(server: &Server, condition: impl Fn(f64) -> bool) {
    let begun = Instant::now();
    until("waiting bytes", || condition(waiting_bytes(server)));
    assert_within(Duration::from_secs(10), begun);
}

/// Asks for a document 200 times and reads nothing of it. That is more than the buffers of both
/// sockets hold.
fn ask_without_reading(server: &Server, client: (&str, &str)) -> TcpStream {
    let (name, value) = client;
    let request = format!("GET /openapi.json HTTP/1.1\r\nHost: x\r\n{name}: {value}\r\n\r\n");
    send_raw(server.address(), request.repeat(200).as_bytes())
}

/// Begins to upload a file of a million bytes, and sends this number of them.
fn begin_upload(server: &Server, bytes: usize) -> TcpStream {
    let (name, value) = GREEDY;
    let head = format!(
        "POST /preview/head/16 HTTP/1.1\r\nHost: x\r\n{name}: {value}\r\n\
         Content-Length: 1000000\r\n\r\n"
    );
    let body = vec![0; bytes];
    send_raw(server.address(), &[head.as_bytes(), &body].concat())
}

#[test]
fn a_document_that_is_sent_to_many_counts_once() {
    let server = Server::start();
    let length = server.get("/openapi.json").body.len();
    let _unread = [(); 10].map(|()| ask_without_reading(&server, GREEDY));
    wait_until(&server, |bytes| bytes > 0.0);
    assert_eq!(server.ask("GET", "/openapi.json", &[GREEDY]).status, 200);
    assert!(waiting_bytes(&server) < 2.0 * length as f64);
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
    let idle_timeout = Duration::from_secs(1);
    let server = Server::start_with(|settings| settings.config.idle_timeout = idle_timeout);
    let length = server.get("/openapi.json").body.len();
    let mut stream = ask_without_reading(&server, OTHER);
    wait_until(&server, |bytes| bytes >= length as f64);
    // Nothing is read until the server has given up.
    wait_until(&server, |bytes| bytes == 0.0);
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received);
    assert!(received.len() < 200 * length, "not all responses were sent");
}

#[test]
fn a_file_counts_while_it_arrives() {
    let server = Server::start();
    let slow = begin_upload(&server, 100_000);
    wait_until(&server, |bytes| bytes >= MEBIBYTE / 8.0);
    drop(slow);
    wait_until(&server, |bytes| bytes == 0.0);
}

#[test]
fn an_upload_without_a_byte_counts_as_well() {
    let server = Server::start();
    let stalled = [(); 16].map(|()| begin_upload(&server, 0));
    wait_until(&server, |bytes| bytes >= MEBIBYTE);
    drop(stalled);
    wait_until(&server, |bytes| bytes == 0.0);
}

/// Returns `true` if the server has neither answered nor closed the connection.
fn waits(stream: TcpStream) -> bool {
    let timeout = Duration::from_millis(100);
    stream.set_read_timeout(Some(timeout)).unwrap();
    match stream.peek(&mut [0]) {
        Ok(_) => false,
        Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    }
}

/// All uploads together take more than the 192 MiB from which on memory is short. Those that have
/// made no progress for the longest time are closed, long before the deadline of an upload.
#[test]
fn stalled_uploads_are_closed_while_memory_is_short() {
    let server = Server::start();
    let mut oldest = begin_upload(&server, 900_000);
    let others: Vec<_> = (0..250).map(|_| begin_upload(&server, 900_000)).collect();
    let newest = begin_upload(&server, 900_000);
    let all_sent = Instant::now();
    let _ = oldest.read_to_end(&mut Vec::new());
    assert_within(Duration::from_secs(10), all_sent);
    wait_until(&server, |bytes| bytes <= 192.0 * MEBIBYTE);
    assert!(waits(newest));
    assert_eq!(server.ask("GET", "/docs", &[OTHER]).status, 200);
    drop(others);
}
