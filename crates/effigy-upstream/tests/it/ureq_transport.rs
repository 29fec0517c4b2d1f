//! The network transport against servers that misbehave.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use effigy_upstream::{Request, Response, Step, Transport as _, TransportError, UreqTransport};
use url::Url;

use crate::support::server::{Server, read_head};

/// A timeout that no test reaches.
const LONG: Duration = Duration::from_secs(30);

fn request(url: &Url, timeout: Duration) -> Request {
    Request {
        provider: "test".into(),
        step: Step::Texture,
        url: url.clone(),
        json: None,
        timeout,
        max_body: 1000,
        any_address: true,
    }
}

fn get(url: &Url) -> Result<Response, TransportError> {
    let transport = UreqTransport::new(None).expect("no contact is a good one");
    transport.send(&request(url, LONG))
}

/// A server that answers each connection's first request with these bytes.
fn answering(answer: impl Into<Vec<u8>>) -> Server {
    let answer = answer.into();
    Server::start(move |mut stream| {
        if read_head(&stream).is_some() {
            // The client may have disconnected already.
            let _ = stream.write_all(&answer);
        }
    })
}

fn respond(stream: &mut TcpStream, body: &[u8]) {
    let len = body.len();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {len}\r\n\r\n");
    let answer = [head.as_bytes(), body].concat();
    stream.write_all(&answer).expect("the client reads");
}

#[test]
fn the_request() {
    let (sender, heads) = mpsc::channel();
    let server = Server::start(move |mut stream| {
        sender.send(read_head(&stream)).expect("the test listens");
        respond(&mut stream, b"hello");
    });
    let version = env!("CARGO_PKG_VERSION");
    for (contact, expected) in [
        (None, format!("Effigy/{version}")),
        (Some(" "), format!("Effigy/{version}")),
        (
            Some("https://example.com/me"),
            format!("Effigy/{version} (+https://example.com/me)"),
        ),
    ] {
        let transport = UreqTransport::new(contact).unwrap();
        let response = transport.send(&request(&server.url, LONG)).unwrap();
        assert_eq!((response.status, &*response.body), (200, &b"hello"[..]));
        let head = heads.recv().unwrap().unwrap();
        assert!(head.starts_with("GET /x HTTP/1.1\n"), "{head}");
        let head = head.to_ascii_lowercase();
        let agent = format!("\nuser-agent: {}\n", expected.to_ascii_lowercase());
        assert!(head.contains(&agent), "{head}");
        assert!(!head.contains("gzip") && !head.contains("cookie"), "{head}");
    }
}

#[test]
fn a_post_has_the_json() {
    let (sender, requests) = mpsc::channel();
    let server = Server::start(move |mut stream| {
        let mut request = Vec::new();
        while !request.ends_with(b"[1]") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("the client sends it");
            request.extend(byte);
        }
        sender.send(request).expect("the test listens");
        respond(&mut stream, b"hello");
    });
    let transport = UreqTransport::new(None).unwrap();
    let response = transport.send(&Request {
        json: Some(b"[1]".to_vec()),
        ..request(&server.url, LONG)
    });
    assert_eq!(response.unwrap().body, b"hello");
    let request = String::from_utf8(requests.recv().unwrap()).unwrap();
    assert!(request.starts_with("POST /x HTTP/1.1\r\n"), "{request}");
    let request = request.to_ascii_lowercase();
    for line in [
        "\ncontent-type: application/json\r\n",
        "\ncontent-length: 3\r\n",
    ] {
        assert!(request.contains(line), "{request}");
    }
}

#[test]
fn a_malformed_contact() {
    for value in ["a\r\nX: y", "é", "a\0b"] {
        let error = UreqTransport::new(Some(value)).unwrap_err();
        let problem = "may only have printable ASCII characters";
        assert_eq!(error.to_string(), format!("--contact: {value:?} {problem}"));
    }
}

#[test]
fn every_status_is_an_answer() {
    let empty = "Content-Length: 0\r\n";
    let date = "Date: Fri, 21 Nov 2025 10:00:00 GMT\r\n";
    let at = |time| format!("429 X\r\n{date}Retry-After: {time}\r\n{empty}\r\n");
    for (answer, status, retry_after, body) in [
        (
            "404 Not Found\r\nContent-Length: 2\r\n\r\nno".into(),
            404,
            None,
            "no",
        ),
        ("204 No Content\r\n\r\n".into(), 204, None, ""),
        (
            "503 X\r\nContent-Length: 4\r\n\r\nbusy".into(),
            503,
            None,
            "busy",
        ),
        (at("7"), 429, Some(7), ""),
        (at("-7"), 429, None, ""),
        (at("soon"), 429, None, ""),
        (at("Fri, 21 Nov 2025 10:00:42 GMT"), 429, Some(42), ""),
        (at("Sun, 06 Nov 1994 08:49:37 GMT"), 429, Some(0), ""),
        // The status is known although the body is incomplete.
        (
            "403 X\r\nContent-Length: 9\r\n\r\nblo".into(),
            403,
            None,
            "blo",
        ),
    ] {
        let server = answering(format!("HTTP/1.1 {answer}"));
        let expected = Response {
            location: None,
            status,
            retry_after: retry_after.map(Duration::from_secs),
            body: body.into(),
        };
        assert_eq!(get(&server.url).expect(&answer), expected, "{answer}");
    }
}

#[test]
fn redirects_are_not_followed() {
    let other = answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    for status in [301, 302, 303, 307, 308] {
        for to in [other.url.as_str(), "/elsewhere"] {
            let server = answering(format!(
                "HTTP/1.1 {status} X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
            ));
            assert_eq!(get(&server.url).unwrap().status, status);
            assert_eq!(server.connections(), 1);
        }
    }
    assert_eq!(other.connections(), 0);
}

#[test]
fn a_body_is_no_larger_than_allowed() {
    for (len, fits) in [(999, true), (1000, true), (1001, false), (100_000, false)] {
        let body = "x".repeat(len);
        let answers = [
            format!("Content-Length: {len}\r\n\r\n{body}"),
            format!("Transfer-Encoding: chunked\r\n\r\n{len:x}\r\n{body}\r\n0\r\n\r\n"),
            format!("Connection: close\r\n\r\n{body}"),
        ];
        for answer in answers {
            let server = answering(format!("HTTP/1.1 200 OK\r\n{answer}"));
            match get(&server.url) {
                Ok(response) => assert_eq!((response.body.len(), true), (len, fits)),
                Err(TransportError::TooLarge { max_body: 1000 }) => assert!(!fits, "{len}"),
                Err(error) => panic!("{len}: {error:?}"),
            }
        }
    }
}

#[test]
fn an_endless_body_ends_at_the_limit() {
    for (status, is_too_large) in [(200, true), (429, false)] {
        let server = Server::start(move |mut stream| {
            read_head(&stream);
            let head = format!("HTTP/1.1 {status} X\r\nTransfer-Encoding: chunked\r\n\r\n");
            let mut open = stream.write_all(head.as_bytes());
            while open.is_ok() {
                open = stream.write_all(b"10\r\n0123456789abcdef\r\n");
            }
        });
        match get(&server.url) {
            Ok(response) => {
                assert_eq!((response.status, is_too_large), (429, false));
                assert!(response.body.len() <= 1001, "it is not buffered");
            }
            Err(error) => assert!(
                is_too_large && matches!(error, TransportError::TooLarge { .. }),
                "{error:?}"
            ),
        }
    }
}

/// Sends the beginning of a response, then one byte every few milliseconds until the client is gone.
fn dripping(beginning: &'static str) -> Server {
    Server::start(move |mut stream| {
        read_head(&stream);
        let mut open = stream.write_all(beginning.as_bytes());
        while open.is_ok() {
            thread::sleep(Duration::from_millis(20));
            open = stream.write_all(b"x");
        }
    })
}

/// Sends the beginning of a response and nothing more.
fn hanging(beginning: &'static str) -> Server {
    Server::start(move |mut stream| {
        read_head(&stream);
        stream
            .write_all(beginning.as_bytes())
            .expect("the client reads");
        // Returns only when the client gives up.
        read_head(&stream);
    })
}

#[test]
fn slow_responses_time_out() {
    let started = "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nx";
    let timeout = Duration::from_millis(300);
    let servers = [
        ("hangs at once", hanging("")),
        ("hangs in the head", hanging("HTTP/1.1 200 OK\r\nX: ")),
        ("hangs in the body", hanging(started)),
        ("drips a head", dripping("HTTP/1.1 200 OK\r\nX: ")),
        ("drips a body", dripping(started)),
    ];
    let transport = UreqTransport::new(None).unwrap();
    let start = Instant::now();
    thread::scope(|scope| {
        for (name, server) in &servers {
            let send = || transport.send(&request(&server.url, timeout));
            scope.spawn(move || {
                let error = send().expect_err(name);
                assert!(
                    matches!(error, TransportError::Timeout),
                    "{name}: {error:?}"
                );
            });
        }
    });
    assert!(start.elapsed() < LONG / 3);
}

#[test]
fn broken_connections() {
    let unused = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let refused = Url::parse(&format!("http://{unused}/")).unwrap();
    let dropped = answering("").url;
    let head_only = answering("HTTP/1.1 200 OK\r\nContent-").url;
    let short = answering("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nx").url;
    let not_http = answering("SSH-2.0-OpenSSH_9.9\r\n\r\n").url;
    let not_tls = {
        let mut url = answering("HTTP/1.1 400 Bad Request\r\n\r\n").url;
        url.set_scheme("https").unwrap();
        url
    };
    let error = get(&refused).expect_err("nobody listens");
    assert!(
        matches!(error, TransportError::Unreachable { .. }),
        "{error:?}"
    );
    for url in [dropped, head_only, short, not_http, not_tls] {
        let error = get(&url).expect_err(url.as_str());
        assert!(matches!(error, TransportError::Io { .. }), "{error:?}");
    }
}

#[test]
fn a_connection_is_used_again() {
    let server = Server::start(|mut stream| {
        while read_head(&stream).is_some() {
            respond(&mut stream, b"hello");
        }
    });
    let transport = UreqTransport::new(None).unwrap();
    for _ in 0..5 {
        assert!(transport.send(&request(&server.url, LONG)).is_ok());
    }
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_connection_that_the_server_has_closed_is_not_used_again() {
    let (sender, closed) = mpsc::channel();
    let server = Server::start(move |mut stream| {
        read_head(&stream);
        respond(&mut stream, b"hello");
        drop(stream);
        sender.send(()).expect("the test listens");
    });
    let transport = UreqTransport::new(None).unwrap();
    for expected in 1..4 {
        assert!(transport.send(&request(&server.url, LONG)).is_ok());
        closed.recv().unwrap();
        assert_eq!(server.connections(), expected);
    }
}
