//! The phase of a connection, and the socket that records when the bytes of a response have left.

use std::{
    io::{self, IoSlice},
    mem,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use effigy_service::Permits;
use futures_util::FutureExt as _;
use parking_lot::Mutex;
use rustix::net::Shutdown;
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf},
    net::TcpStream,
    time::Instant,
};

/// The phase of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The head of a request has not arrived, and nothing of an earlier response is left.
    Waiting,
    /// A request is being answered. Its body may still arrive.
    Working,
    /// Bytes of a response have not left yet.
    Sending,
}

/// The phase of a connection, and the time of its last progress.
#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<State>,
    /// `true` if bytes have arrived since the last request.
    has_read: AtomicBool,
    /// What waits: an upload, or the response.
    pub(super) permits: Arc<Permits>,
    stream: TcpStream,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// The time at which the phase began, or at which bytes of the response left. Bytes that arrive are no progress,
    /// so a client cannot hold the connection by sending a request's head slowly.
    since: Instant,
}

impl Activity {
    /// The activity of a connection that begins at `now`.
    pub(super) fn new(stream: TcpStream, now: Instant) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                phase: Phase::Waiting,
                since: now,
            }),
            has_read: AtomicBool::new(false),
            permits: Arc::default(),
            stream,
        })
    }

    /// Returns `true` if it has been in a phase without progress for `pause`.
    pub(super) fn is_quiet(&self, phase: Phase, pause: Duration) -> bool {
        let (found, since) = self.phase();
        found == phase && since.elapsed() >= pause
    }

    /// Returns `true` if the client has left, whatever it has sent before.
    pub(super) fn has_ended(&self) -> bool {
        let ready = self.stream.ready(Interest::READABLE).now_or_never();
        ready.is_some_and(|ready| ready.is_ok_and(|ready| ready.is_read_closed()))
    }

    /// Returns the phase, and the time of the last progress in it.
    pub(super) fn phase(&self) -> (Phase, Instant) {
        let state = self.state.lock();
        (state.phase, state.since)
    }

    /// Records that a request has arrived. Returns `true` if it arrived together with an earlier one.
    pub(super) fn begin(&self, now: Instant) -> bool {
        self.enter(Phase::Working, now);
        !self.has_read.swap(false, Ordering::Relaxed)
    }

    pub(super) fn enter(&self, phase: Phase, since: Instant) {
        *self.state.lock() = State { phase, since };
    }
}

/// The socket of a connection.
pub(super) struct Socket {
    pub(super) activity: Arc<Activity>,
    /// `true` if bytes wait for the client.
    pub(super) is_blocked: bool,
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = &self.activity.stream;
        self.activity.has_read.store(true, Ordering::Relaxed);
        let room = buffer.remaining();
        loop {
            ready!(stream.poll_read_ready(context))?;
            let read = stream.try_io(Interest::READABLE, || {
                let is_end = stream.try_read_buf(buffer)? == 0;
                match is_end || buffer.remaining() == 0 {
                    true => Ok(()),
                    // A read that leaves room has emptied the socket. As after Tokio's own reads, the next one waits
                    // without asking the system.
                    false => Err(io::ErrorKind::WouldBlock.into()),
                }
            });
            match read {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => {
                    return Poll::Ready(Err(error));
                }
                Err(_) if buffer.remaining() == room => {}
                _ => return Poll::Ready(Ok(())),
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            let stream = &self.activity.stream;
            let is_blocked = stream.poll_write_ready(context)?.is_pending();
            let was_blocked = mem::replace(&mut self.is_blocked, is_blocked);
            if is_blocked {
                return Poll::Pending;
            }
            // Bytes that leave after others had to wait are progress.
            if was_blocked {
                let mut state = self.activity.state.lock();
                if state.phase == Phase::Sending {
                    state.since = Instant::now();
                }
            }
            match self.activity.stream.try_write_vectored(pieces) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Hyper calls this when it has written everything that it has. A response is in one piece, so none of it is left.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.activity.state.lock();
        if state.phase == Phase::Sending {
            state.phase = Phase::Waiting;
            self.activity.permits.clear();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shutdown = rustix::net::shutdown(&self.activity.stream, Shutdown::Write);
        Poll::Ready(shutdown.map_err(io::Error::from))
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;

    async fn open() -> (Socket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).await.unwrap();
        let stream = listener.accept().await.unwrap().0;
        let socket = Socket {
            activity: Activity::new(stream, Instant::now()),
            is_blocked: false,
        };
        (socket, client)
    }

    #[tokio::test]
    async fn requests_that_arrive_together_are_told_apart() {
        let (mut socket, mut client) = open().await;
        let now = Instant::now();
        client.write_all(b"both").await.unwrap();
        socket.read_exact(&mut [0; 4]).await.unwrap();
        assert!(!socket.activity.begin(now) && socket.activity.begin(now));
    }

    #[tokio::test]
    async fn only_a_read_that_fills_its_buffer_is_followed_by_another_one_at_once() {
        let (mut socket, mut client) = open().await;
        let is_readable = |socket: &Socket| {
            let ready = socket.activity.stream.ready(Interest::READABLE);
            ready.now_or_never().is_some()
        };
        let mut buffer = [0; 8];
        for bytes in [&b"some"[..], b"more"] {
            client.write_all(bytes).await.unwrap();
            assert_eq!(socket.read(&mut buffer).await.unwrap(), bytes.len());
            assert!(!is_readable(&socket), "it is known to be empty");
        }
        client.write_all(b"0123456789").await.unwrap();
        for length in [8, 2] {
            assert_eq!(socket.read(&mut buffer).await.unwrap(), length);
            assert_eq!(is_readable(&socket), length == 8);
        }
        drop(client);
        for _ in 0..2 {
            assert_eq!(socket.read(&mut buffer).await.unwrap(), 0, "the end stays");
        }
    }

    #[tokio::test]
    async fn a_response_is_on_its_way_until_it_has_left() {
        let (mut socket, mut client) = open().await;
        let (activity, now) = (Arc::clone(&socket.activity), Instant::now());
        activity.enter(Phase::Sending, now);
        let bytes = vec![0; 16 << 20];
        let write = async {
            socket.write_all(&bytes).await.unwrap();
            assert_eq!(activity.phase().0, Phase::Sending);
            socket.flush().await.unwrap();
        };
        let read = async {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            client.read_exact(&mut bytes.clone()).await.unwrap();
        };
        tokio::join!(write, read);
        let (phase, since) = activity.phase();
        assert!(phase == Phase::Waiting && since > now, "progress counts");
    }
}
