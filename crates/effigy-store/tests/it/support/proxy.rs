//! A TCP proxy that can stop passing bytes, which looks like an unreachable server.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// A proxy from a port of its own to another port of 127.0.0.1.
pub(crate) struct Proxy {
    port: u16,
    gate: Arc<Gate>,
}

/// Connections with a number below `first_open` hang: neither bytes nor the end of stream pass.
#[derive(Default)]
struct Gate {
    first_open: Mutex<usize>,
    changed: Condvar,
    accepted: AtomicUsize,
    /// `true` if the next commit reaches the server and its connection ends then.
    swallows: AtomicBool,
}

impl Proxy {
    pub(crate) fn start(target_port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let gate = Arc::new(Gate::default());
        let shared = Arc::clone(&gate);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let number = shared.accepted.fetch_add(1, Ordering::SeqCst);
                let _ = connect(client, target_port, number, &shared);
            }
        });
        Ok(Self { port, gate })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the number of connections so far.
    pub(crate) fn accepted(&self) -> usize {
        self.gate.accepted.load(Ordering::SeqCst)
    }

    /// Blocks all present connections for good; new ones work.
    pub(crate) fn strand_connections(&self) {
        self.gate.open_from(self.accepted());
    }

    /// Lets the next commit reach the server, and ends its connection before the answer.
    pub(crate) fn swallow_next_commit(&self) {
        self.gate.swallows.store(true, Ordering::SeqCst);
    }

    /// Blocks all present and future connections until [`Self::thaw`].
    pub(crate) fn freeze(&self) {
        self.gate.open_from(usize::MAX);
    }

    /// Unblocks all connections.
    pub(crate) fn thaw(&self) {
        self.gate.open_from(0);
    }
}

impl Gate {
    fn open_from(&self, number: usize) {
        *self.first_open.lock().unwrap() = number;
        self.changed.notify_all();
    }

    fn wait_until_open(&self, number: usize) {
        let first_open = self.first_open.lock().unwrap();
        let opened = self
            .changed
            .wait_while(first_open, |first_open| number < *first_open);
        drop(opened);
    }
}

fn connect(client: TcpStream, target: u16, number: usize, gate: &Arc<Gate>) -> io::Result<()> {
    let server = TcpStream::connect((Ipv4Addr::LOCALHOST, target))?;
    let ways = [(client.try_clone()?, server.try_clone()?), (server, client)];
    for (from, to) in ways {
        let gate = Arc::clone(gate);
        thread::spawn(move || pass(from, to, number, &gate));
    }
    Ok(())
}

fn pass(mut from: TcpStream, mut to: TcpStream, number: usize, gate: &Gate) {
    let mut buffer = [0; 16 * 1024];
    loop {
        let read = from.read(&mut buffer).unwrap_or(0);
        gate.wait_until_open(number);
        let commits = buffer[..read].windows(6).any(|word| word == b"COMMIT");
        if commits && gate.swallows.swap(false, Ordering::SeqCst) {
            let _ = from.shutdown(Shutdown::Both);
        }
        if read == 0 || to.write_all(&buffer[..read]).is_err() {
            let _ = to.shutdown(Shutdown::Both);
            return;
        }
    }
}
