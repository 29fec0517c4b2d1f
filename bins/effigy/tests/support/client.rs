//! An HTTP client that sends what it is told, byte by byte, and reads what comes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;

/// Longer than any answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer, as it came.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    /// The only header of that name.
    #[track_caller]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self
            .headers
            .iter()
            .filter(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str());
        let value = values.next();
        assert_eq!(values.next(), None, "{name} is there twice");
        value
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Reads the first answer in `bytes`; `has_body` is false for HEAD.
    #[track_caller]
    pub fn parse(bytes: &[u8], has_body: bool) -> Self {
        let end = bytes
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .unwrap_or_else(|| panic!("no head: {:?}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status_line = lines.next().unwrap();
        let status = status_line.split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
            .collect();
        let mut reply = Self {
            status,
            headers,
            body: bytes[end + 4..].to_vec(),
        };
        let length = reply
            .header("content-length")
            .map(|value| value.parse::<usize>().unwrap());
        if let (true, Some(length)) = (has_body, length) {
            assert_eq!(reply.body.len(), length, "the body has its length");
        }
        if !has_body {
            assert!(reply.body.is_empty(), "HEAD has no body");
            reply.body.clear();
        }
        reply
    }
}

/// A connection for one request after the other.
pub struct Connection {
    address: String,
    stream: BufReader<TcpStream>,
}

impl Connection {
    #[track_caller]
    pub fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            address: address.to_owned(),
            stream: BufReader::new(stream),
        }
    }

    /// The answer to one GET, which has to have a length.
    #[track_caller]
    pub fn get(&mut self, path: &str) -> Reply {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            let read = self.stream.read_until(b'\n', &mut bytes).unwrap();
            assert!(read > 0, "the connection was closed in {path}");
        }
        let length = Reply::parse(&bytes, false)
            .header("content-length")
            .map(str::to_owned);
        let length: usize = length.unwrap().parse().unwrap();
        let head = bytes.len();
        bytes.resize(head + length, 0);
        self.stream.read_exact(&mut bytes[head..]).unwrap();
        Reply::parse(&bytes, true)
    }
}

/// Sends `request` to `address` and returns all that comes until the other side closes.
#[track_caller]
pub fn exchange(address: &str, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}

/// One request with these headers, on a connection of its own.
#[track_caller]
pub fn get_from(address: &str, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("Connection: close\r\n\r\n");
    let bytes = exchange(address, request.as_bytes());
    Reply::parse(&bytes, method != "HEAD")
}

/// A GET of a server that may end at any moment: its answer, where it came whole.
pub fn try_get(address: &str, path: &str) -> Option<Reply> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let (_, length) = head.split_once("content-length: ")?;
    let length: usize = length.lines().next()?.parse().ok()?;
    (bytes.len() == end + 4 + length).then(|| Reply::parse(&bytes, true))
}
