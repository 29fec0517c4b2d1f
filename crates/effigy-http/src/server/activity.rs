//! The phase of a connection, and the socket that records when the bytes of a response have left.

use std::{
    io::{self, IoSlice},
    mem,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use effigy_service::Permit;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
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
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// The time at which the phase began, or at which bytes of the response left. Bytes that arrive are no progress,
    /// so a client cannot hold the connection by sending a request's head slowly.
    since: Instant,
    /// The permit for the bytes of the response.
    permit: Option<Permit>,
}

impl Activity {
    /// The activity of a connection that begins at `now`.
    pub(super) fn new(now: Instant) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                phase: Phase::Waiting,
                since: now,
                permit: None,
            }),
            has_read: AtomicBool::new(false),
        })
    }

    /// Returns the phase, and the time of the last progress in it.
    pub(super) fn phase(&self) -> (Phase, Instant) {
        let state = self.state.lock();
        (state.phase, state.since)
    }

    /// Records that a request has arrived. Returns `true` if it arrived together with an earlier one.
    pub(super) fn begin(&self, now: Instant) -> bool {
        let mut state = self.state.lock();
        (state.phase, state.since) = (Phase::Working, now);
        !self.has_read.swap(false, Ordering::Relaxed)
    }

    /// Records that the response is ready. Its permit is kept until it has left.
    pub(super) fn send(&self, now: Instant, permit: Option<Permit>) {
        *self.state.lock() = State {
            phase: Phase::Sending,
            since: now,
            permit,
        };
    }
}

/// The socket of a connection.
pub(super) struct Socket {
    pub(super) stream: TcpStream,
    pub(super) activity: Arc<Activity>,
    /// `true` if bytes wait for the client.
    pub(super) is_blocked: bool,
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.activity.has_read.store(true, Ordering::Relaxed);
        Pin::new(&mut self.stream).poll_read(context, buffer)
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
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        // Bytes that leave after others had to wait are progress.
        if mem::replace(&mut self.is_blocked, written.is_pending()) && written.is_ready() {
            let mut state = self.activity.state.lock();
            if state.phase == Phase::Sending {
                state.since = Instant::now();
            }
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Hyper calls this when it has written everything that it has. A response is in one piece, so none of it is left.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.activity.state.lock();
        if state.phase == Phase::Sending {
            (state.phase, state.permit) = (Phase::Waiting, None);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
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
        let socket = Socket {
            stream: listener.accept().await.unwrap().0,
            activity: Activity::new(Instant::now()),
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
    async fn a_response_is_on_its_way_until_it_has_left() {
        let (mut socket, mut client) = open().await;
        let (activity, now) = (Arc::clone(&socket.activity), Instant::now());
        activity.send(now, None);
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
