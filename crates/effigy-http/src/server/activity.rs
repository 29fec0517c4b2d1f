//! The phase of a connection, and the socket that records when the bytes of a response have left.

use std::{
    io::{self, IoSlice},
    mem,
    pin::Pin,
    sync::Arc,
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
pub(super) struct Activity(Mutex<State>);

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
        Arc::new(Self(Mutex::new(State {
            phase: Phase::Waiting,
            since: now,
            permit: None,
        })))
    }

    /// Returns the phase, and the time of the last progress in it.
    pub(super) fn phase(&self) -> (Phase, Instant) {
        let state = self.0.lock();
        (state.phase, state.since)
    }

    /// Records that a request has arrived.
    pub(super) fn begin(&self, now: Instant) {
        let mut state = self.0.lock();
        (state.phase, state.since) = (Phase::Working, now);
    }

    /// Records that the response is ready. Its permit is kept until it has left.
    pub(super) fn send(&self, now: Instant, permit: Option<Permit>) {
        *self.0.lock() = State {
            phase: Phase::Sending,
            since: now,
            permit,
        };
    }

    /// Records that bytes of the response have left.
    fn progress(&self, now: Instant) {
        let mut state = self.0.lock();
        if state.phase == Phase::Sending {
            state.since = now;
        }
    }

    /// Records that everything has left that was ready. A response is in one piece, so none of it is left.
    fn finish(&self) {
        let mut state = self.0.lock();
        if state.phase == Phase::Sending {
            (state.phase, state.permit) = (Phase::Waiting, None);
        }
    }
}

/// The socket of a connection.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// `true` if bytes wait for the client.
    is_blocked: bool,
}

impl Socket {
    pub(super) const fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            activity,
            is_blocked: false,
        }
    }

    /// Records progress if bytes have left after others had to wait.
    fn record(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if mem::replace(&mut self.is_blocked, written.is_pending()) && written.is_ready() {
            self.activity.progress(Instant::now());
        }
        written
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.record(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.record(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Hyper calls this when it has written everything that it has.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.activity.finish();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
