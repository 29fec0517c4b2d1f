//! A client that needs little processor time, so that it doesn't distort the measurement. It writes
//! requests as they are, and reads only the status and the length of answers.

use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::tally::Tally;

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Bytes,
}

impl Reply {
    /// The header of that name, in lower case.
    pub(crate) fn header(&self, name: &str) -> String {
        let found = self.headers.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }
}

/// Host and path of a URL.
pub(crate) fn split(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").unwrap();
    let slash = rest.find('/').unwrap_or(rest.len());
    rest.split_at(slash)
}

/// One GET on a connection of its own.
pub(crate) async fn get(address: &str, path: &str) -> Reply {
    let mut connection = Connection::open(address).await;
    let (status, head, body) = connection.ask(path, "").await.unwrap();
    assert_eq!(status, 200, "{path}");
    let headers = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "));
    Reply {
        headers: headers
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect(),
        body: Bytes::from(body),
    }
}

/// The times at which a connection sends requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) first: Instant,
    /// The interval, or `None` to send the next request as soon as the last one was answered.
    pub(crate) every: Option<Duration>,
    pub(crate) end: Instant,
}

impl Pace {
    pub(crate) fn as_fast_as_it_goes(time: Duration) -> Self {
        let first = Instant::now();
        Self {
            first,
            every: None,
            end: first + time,
        }
    }
}

/// A connection that is kept.
pub(crate) struct Connection {
    stream: TcpStream,
    address: String,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            address: address.to_owned(),
            buffer: Vec::with_capacity(64 * 1024),
        }
    }

    /// Asks for one path after the other until the time is over: at its pace, or without a pause.
    pub(crate) async fn load(
        address: String,
        next: impl Fn() -> String,
        headers: String,
        pace: Pace,
    ) -> Tally {
        let mut connection = Self::open(&address).await;
        let mut tally = Tally::default();
        let mut due = pace.first;
        loop {
            // A late answer delays the next request, whose time counts from when it was due.
            let late = Instant::now().saturating_duration_since(due);
            if late.is_zero() {
                tokio::time::sleep_until(due.into()).await;
            }
            if Instant::now() >= pace.end {
                return tally;
            }
            let path = next();
            let begun = Instant::now();
            match connection.status(&path, &headers).await {
                Some(200 | 304) => tally.good.push(late + begun.elapsed()),
                Some(_) => tally.bad += 1,
                None => {
                    tally.bad += 1;
                    connection = Self::open(&address).await;
                }
            }
            due = match pace.every {
                Some(every) => due + every,
                None => Instant::now(),
            };
        }
    }

    /// Reads a picture of any length without keeping it.
    pub(crate) async fn drain(address: &str, path: &str) -> Option<()> {
        let mut connection = Self::open(address).await;
        connection.exchange(path, "Connection: close\r\n").await?;
        loop {
            let read = connection.stream.read_buf(&mut connection.buffer).await;
            if read.ok()? == 0 {
                return Some(());
            }
            connection.buffer.clear();
        }
    }

    /// Sends a request, and returns the status when the whole answer has arrived.
    async fn status(&mut self, path: &str, headers: &str) -> Option<u16> {
        let (status, head, length) = self.exchange(path, headers).await?;
        let end = head + length;
        while self.buffer.len() < end {
            if self.stream.read_buf(&mut self.buffer).await.ok()? == 0 {
                return None;
            }
        }
        Some(status)
    }

    async fn ask(&mut self, path: &str, headers: &str) -> Option<(u16, String, Vec<u8>)> {
        let status = self.status(path, headers).await?;
        let head = head_length(&self.buffer)?;
        let text = String::from_utf8_lossy(&self.buffer[..head]).into_owned();
        Some((status, text, self.buffer[head..].to_vec()))
    }

    /// Status, length of the head, length of the body.
    async fn exchange(&mut self, path: &str, headers: &str) -> Option<(u16, usize, usize)> {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n",
            self.address
        );
        self.stream.write_all(request.as_bytes()).await.ok()?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await.ok()? == 0 {
                return None;
            }
            if let Some(head) = head_length(&self.buffer) {
                let text = std::str::from_utf8(&self.buffer[..head]).ok()?;
                let status = text.get(9..12)?.parse().ok()?;
                return Some((status, head, body_length(text)));
            }
        }
    }
}

fn head_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    end.map(|end| end + 4)
}

fn body_length(head: &str) -> usize {
    for line in head.lines() {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            return value.trim().parse().unwrap_or(0);
        }
    }
    0
}
