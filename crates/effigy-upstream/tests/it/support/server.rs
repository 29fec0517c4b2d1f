//! A server on a socket of its own, with a handler for each connection.

use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use url::Url;

/// A server. Its threads end with the process.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) url: Url,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Serves each connection on a thread of its own.
    pub(crate) fn start(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let (serve, count) = (Arc::new(serve), Arc::clone(&connections));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let serve = Arc::clone(&serve);
                thread::spawn(move || serve(stream));
            }
        });
        Self {
            url: Url::parse(&format!("http://{address}/x")).expect("a url"),
            connections,
        }
    }

    /// Returns the number of connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Reads one request up to its empty line, or `None` if the connection has ended.
pub(crate) fn read_head(stream: &TcpStream) -> Option<String> {
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
