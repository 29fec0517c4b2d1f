//! The socket of a connection.

use std::{
    io::{self, IoSlice},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf},
    net::TcpStream,
    time::Instant,
};

use super::{
    activity::Activity,
    http2::{Flood, Protocol},
};

/// A socket that reports when bytes of responses leave. It fails if the client floods it with frames that
/// ask for nothing, or has closed it while a large picture is being sent.
///
/// A client may close its sending side after its request and still wait for the response, and the system
/// does not tell this from a client that is gone until something is sent. For a picture of seconds, the
/// difference matters less than the work that nobody waits for.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Arc<Activity>,
    protocol: Protocol,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            activity,
            protocol: Protocol::Unknown(0),
        }
    }

    /// Fails if the client is gone and a large picture is being sent. Otherwise the task is woken when
    /// the client closes the socket, unless bytes of further requests wait to be read.
    fn check_client(&self, context: &mut Context<'_>) -> io::Result<()> {
        if !self.activity.sends_large_pictures() {
            return Ok(());
        }
        let is_ready = self.stream.poll_read_ready(context)?.is_ready();
        if is_ready && is_closed_by_client(&self.stream) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(())
    }

    /// Records that these bytes have left.
    fn record<'a>(&mut self, pieces: impl IntoIterator<Item = &'a [u8]>, mut written: usize) {
        for piece in pieces {
            let bytes = &piece[..written.min(piece.len())];
            if !bytes.is_empty() && self.protocol.is_response(bytes) {
                self.activity.record(Instant::now());
            }
            written -= bytes.len();
        }
    }
}

/// Returns `true` if the client sends nothing more. Unread bytes do not matter.
fn is_closed_by_client(stream: &TcpStream) -> bool {
    let ready = pin!(stream.ready(Interest::READABLE));
    let ready = ready.poll(&mut Context::from_waker(Waker::noop()));
    matches!(ready, Poll::Ready(Ok(ready)) if ready.is_read_closed())
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let received = self.protocol.receive(&buffer.filled()[before..]);
        Poll::Ready(received.map_err(|Flood| {
            io::Error::new(io::ErrorKind::ConnectionAborted, "too many control frames")
        }))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_client(context)?;
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.record([bytes], written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check_client(context)?;
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, bytes))?;
        self.record(bytes.iter().map(|piece| &**piece), written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        Poll::Ready(self.check_client(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
