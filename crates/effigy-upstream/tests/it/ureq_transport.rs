//! The network transport against servers that misbehave.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use effigy_upstream::{
    Request, Response, Step, Transport as _, TransportError, UreqTransport, Validators,
};
use url::Url;

/// A server. Its threads end with the process.
#[derive(Debug)]
struct Server {
    url: Url,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Serves each connection on a thread of its own.
    fn start(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        let shared = Arc::new(serve);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let answer = Arc::clone(&shared);
                thread::spawn(move || answer(stream));
            }
        });
        Self {
            url: Url::parse(&format!("http://{address}/x")).expect("a url"),
            connections,
        }
    }

    /// Returns the number of connections so far.
    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Reads one request up to its empty line, or `None` if the connection has ended.
fn read_head(stream: &TcpStream) -> Option<String> {
    let mut head = String::new();
    for line in BufReader::new(stream).lines() {
        let line = line.ok()?;
        if line.is_empty() {
            return Some(head);
        }
        head.push_str(&line);
        head.push('\n');
    }
    None
}

/// A timeout that no test reaches.
const LONG: Duration = Duration::from_secs(30);

fn request(url: &Url, timeout: Duration) -> Request {
    Request {
        provider: "test".into(),
        step: Step::Texture,
        url: url.clone(),
        json: None,
        validators: Validators::default(),
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
fn a_request_has_the_user_agent_and_no_cookies() {
    let (sender, heads) = mpsc::channel();
    let server = Server::start(move |mut stream| {
        sender.send(read_head(&stream)).expect("the test listens");
        respond(&mut stream, b"hello");
    });
    let response = get(&server.url).unwrap();
    assert_eq!((response.status, &*response.body), (200, &b"hello"[..]));
    let head = heads.recv().unwrap().unwrap();
    assert!(head.starts_with("GET /x HTTP/1.1\n"), "{head}");
    let head = head.to_ascii_lowercase();
    let version = env!("CARGO_PKG_VERSION");
    let agent = format!("\nuser-agent: effigy/{version}\n");
    assert!(head.contains(&agent), "{head}");
    assert!(!head.contains("gzip") && !head.contains("cookie"), "{head}");
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
fn every_status_is_an_answer() {
    let date = "Date: Fri, 21 Nov 2025 10:00:00 GMT";
    let rejected = |time| format!("429 X\r\n{date}\r\nRetry-After: {time}\r\nContent-Length: 0");
    let later = "Fri, 21 Nov 2025 10:00:42 GMT";
    let long_ago = "Sun, 06 Nov 1994 08:49:37 GMT";
    let text = |head: &str| format!("{head}\r\nContent-Length: 4");
    let redirect = "302 X\r\nLocation: /elsewhere\r\nContent-Length: 0";
    for (head, body, status, retry_after, location) in [
        (text("404 Not Found"), "none", 404, None, None),
        (text("503 X"), "busy", 503, None, None),
        // The status is known although the body is incomplete.
        (text("403 X"), "blo", 403, None, None),
        ("204 No Content".into(), "", 204, None, None),
        // No redirect is followed.
        (redirect.into(), "", 302, None, Some("/elsewhere")),
        (rejected("7"), "", 429, Some(7), None),
        (rejected("-7"), "", 429, None, None),
        (rejected("soon"), "", 429, None, None),
        (rejected(later), "", 429, Some(42), None),
        (rejected(long_ago), "", 429, Some(0), None),
    ] {
        let server = answering(format!("HTTP/1.1 {head}\r\n\r\n{body}"));
        let expected = Response {
            location: location.map(str::to_owned),
            validators: Validators::default(),
            status,
            retry_after: retry_after.map(Duration::from_secs),
            body: body.into(),
        };
        assert_eq!(get(&server.url).expect(&head), expected, "{head}");
        assert_eq!(server.connections(), 1, "{head}");
    }
}

#[test]
fn validators_are_sent_and_received() {
    let (sender, heads) = mpsc::channel();
    let server = Server::start(move |mut stream| {
        let answer = b"HTTP/1.1 304 Not Modified\r\nETag: \"2\"\r\n\r\n";
        // The connection is used again.
        while let Some(head) = read_head(&stream) {
            sender.send(head).expect("the test listens");
            stream.write_all(answer).expect("the client reads");
        }
    });
    let time = "Sun, 06 Nov 1994 08:49:37 GMT";
    let transport = UreqTransport::new(None).unwrap();
    let validators = |etag: &str| Validators {
        etag: Some(etag.to_owned()),
        last_modified: Some(time.to_owned()),
    };
    let response = transport.send(&Request {
        validators: validators(r#""1""#),
        ..request(&server.url, LONG)
    });
    let response = response.unwrap();
    assert_eq!(response.status, 304);
    assert_eq!(response.validators.etag.as_deref(), Some(r#""2""#));
    let head = heads.recv().unwrap().to_ascii_lowercase();
    assert!(head.contains("\nif-none-match: \"1\"\n"), "{head}");
    let since = format!("\nif-modified-since: {}\n", time.to_ascii_lowercase());
    assert!(head.contains(&since), "{head}");
    // A stored validator that no header can have is not sent.
    for etag in ["a\r\nX: y", &"x".repeat(257)] {
        let sent = transport.send(&Request {
            validators: validators(etag),
            ..request(&server.url, LONG)
        });
        assert!(sent.is_ok());
        let later_head = heads.recv().unwrap().to_ascii_lowercase();
        assert!(!later_head.contains("if-none-match"), "{later_head}");
        assert!(later_head.contains(&since), "{later_head}");
    }
}

#[test]
fn validators_of_a_response_have_a_bounded_length() {
    for (length, is_kept) in [(256, true), (257, false)] {
        let etag = "x".repeat(length);
        let time = "Sun, 06 Nov 1994 08:49:37 GMT";
        let head = format!("ETag: {etag}\r\nLast-Modified: {time}\r\nContent-Length: 0");
        let server = answering(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n"));
        let validators = get(&server.url).unwrap().validators;
        assert_eq!(validators.etag, is_kept.then_some(etag));
        assert_eq!(validators.last_modified.as_deref(), Some(time));
    }
}

#[test]
fn a_body_is_no_larger_than_allowed() {
    for (len, fits) in [(1000, true), (1001, false)] {
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
    for status in [200, 429] {
        let server = Server::start(move |mut stream| {
            read_head(&stream);
            let head = format!("HTTP/1.1 {status} X\r\nTransfer-Encoding: chunked\r\n\r\n");
            let mut open = stream.write_all(head.as_bytes());
            while open.is_ok() {
                open = stream.write_all(b"10\r\n0123456789abcdef\r\n");
            }
        });
        match get(&server.url) {
            Ok(response) => assert!(response.status == 429 && response.body.len() <= 1001),
            Err(error) => {
                let is_too_large = matches!(error, TransportError::TooLarge { .. });
                assert!(is_too_large && status == 200, "{error:?}");
            }
        }
    }
}

/// Sends the beginning of a response, then one byte every few milliseconds until the client is
/// gone.
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

#[test]
fn slow_responses_time_out() {
    let head = dripping("HTTP/1.1 200 OK\r\nX: ");
    let body = dripping("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nx");
    let transport = UreqTransport::new(None).unwrap();
    let start = Instant::now();
    for server in [head, body] {
        let sent = transport.send(&request(&server.url, Duration::from_millis(300)));
        assert!(matches!(sent, Err(TransportError::Timeout)), "{sent:?}");
    }
    assert!(start.elapsed() < LONG / 3);
}

#[test]
fn a_broken_connection_is_an_error() {
    // A port that no other test can have taken.
    let refused = Url::parse("http://127.0.0.1:1/").unwrap();
    let dropped = answering("").url;
    let head_only = answering("HTTP/1.1 200 OK\r\nContent-").url;
    let short = answering("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nx").url;
    let not_http = answering("SSH-2.0-OpenSSH_9.9\r\n\r\n").url;
    let not_tls = {
        let mut url = answering("HTTP/1.1 400 Bad Request\r\n\r\n").url;
        url.set_scheme("https").unwrap();
        url
    };
    let unsent = get(&refused).expect_err("nobody listens");
    assert!(
        matches!(unsent, TransportError::Unreachable { .. }),
        "{unsent:?}"
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
