//! A connection: its phase, and the socket that records when the bytes of a response are sent.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use effigy_service::{Client, WaitingBytes};
use futures_util::FutureExt as _;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready},
    net::TcpStream,
    time::Instant,
};

/// The phase of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// All responses are sent, and the head of the next request has not arrived yet.
    Waiting,
    /// The body of a request is arriving.
    Receiving,
    /// A request is being answered.
    Working,
    /// A response is ready, and not all of it is sent yet.
    Sending,
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) peer: Client,
    /// The state, which is locked at most for the time of a system call that does not block.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    stream: TcpStream,
    phase: Phase,
    /// The time of the last progress: the start of the phase, or when bytes of the response were
    /// sent. Received bytes of a head are not progress, so that a client can't hold the connection
    /// by sending it slowly.
    since: Instant,
    /// `true` if the socket has been read since the last request. Otherwise, the next request has
    /// arrived together with the last one.
    has_read: bool,
    /// The counted memory of an upload and of the response.
    waiting: Vec<WaitingBytes>,
}

impl Connection {
    /// A new connection of a peer.
    pub(crate) fn new(stream: TcpStream, peer: Client) -> Arc<Self> {
        Arc::new(Self {
            peer,
            state: Mutex::new(State {
                stream,
                phase: Phase::Waiting,
                since: Instant::now(),
                has_read: false,
                waiting: Vec::new(),
            }),
        })
    }

    /// Returns `true` if the connection has made no progress in a phase for `pause`.
    pub(crate) fn is_quiet(&self, phase: Phase, pause: Duration) -> bool {
        let (found, since) = self.phase();
        found == phase && since.elapsed() >= pause
    }

    /// Returns `true` if the connection waits for a request, and no bytes of one have arrived.
    pub(crate) fn is_idle(&self, pause: Duration) -> bool {
        self.is_quiet(Phase::Waiting, pause) && !self.readiness().is_readable()
    }

    /// Returns `true` if the client has closed the connection.
    pub(crate) fn has_ended(&self) -> bool {
        self.readiness().is_read_closed()
    }

    fn readiness(&self) -> Ready {
        let state = self.state.lock();
        let ready = state.stream.ready(Interest::READABLE).now_or_never();
        ready.and_then(Result::ok).unwrap_or(Ready::EMPTY)
    }

    /// Returns the phase, and the time of the last progress in it.
    pub(crate) fn phase(&self) -> (Phase, Instant) {
        let state = self.state.lock();
        (state.phase, state.since)
    }

    /// Records that a request has arrived. Returns `true` if it is pipelined: it arrived together
    /// with an earlier one.
    pub(crate) fn begin_request(&self, now: Instant) -> bool {
        let mut state = self.state.lock();
        state.begin(Phase::Working, now);
        let is_pipelined = !state.has_read;
        state.has_read = false;
        is_pipelined
    }

    /// Records that the next piece of a body is awaited. The phase begins anew with each piece, so
    /// only the wait for one piece counts.
    pub(crate) fn begin_receiving(&self, now: Instant) {
        self.state.lock().begin(Phase::Receiving, now);
    }

    /// Records that no more of a body is read, and the request is being answered now.
    pub(crate) fn end_receiving(&self, now: Instant) {
        self.state.lock().begin(Phase::Working, now);
    }

    /// Holds the memory of a part of an upload until the response is sent.
    pub(crate) fn hold_until_sent(&self, part: WaitingBytes) {
        self.state.lock().waiting.push(part);
    }

    /// Records that a response is ready, and holds its memory until it is sent. An error for lack
    /// of memory has none.
    pub(crate) fn begin_sending(&self, now: Instant, response: Option<WaitingBytes>) {
        let mut state = self.state.lock();
        state.begin(Phase::Sending, now);
        if let Some(memory) = response {
            state.waiting.push(memory);
        }
    }

    /// Returns the number of counted bytes.
    pub(crate) fn waiting_bytes(&self) -> usize {
        let state = self.state.lock();
        state.waiting.iter().map(WaitingBytes::bytes).sum()
    }
}

impl State {
    fn begin(&mut self, phase: Phase, now: Instant) {
        self.phase = phase;
        self.since = now;
    }
}

/// The socket of a connection.
pub(crate) struct Socket(pub(crate) Arc<Connection>);

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.0.state.lock();
        state.has_read = true;
        Pin::new(&mut state.stream).poll_read(context, buffer)
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
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.0.state.lock();
        let written = Pin::new(&mut state.stream).poll_write_vectored(context, pieces);
        let length = pieces.iter().map(|piece| piece.len()).sum();
        // A partial write is progress. After a complete one, the phase ends in `poll_flush`.
        if let Poll::Ready(Ok(count)) = written
            && count < length
            && state.phase == Phase::Sending
        {
            state.since = Instant::now();
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Records that a response is sent. Hyper calls this when it has written everything, and a
    /// response is in one piece.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.0.state.lock();
        if state.phase == Phase::Sending {
            state.phase = Phase::Waiting;
            state.waiting.clear();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0.state.lock().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;

    /// Returns both ends of a connection: the server's and the client's.
    pub(crate) async fn connect() -> (Arc<Connection>, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        (Connection::new(stream, Client::SERVICE), client)
    }

    #[tokio::test]
    async fn second_request_of_one_read_is_pipelined() {
        let (connection, mut client) = connect().await;
        let now = Instant::now();
        client.write_all(b"both").await.unwrap();
        let mut socket = Socket(Arc::clone(&connection));
        socket.read_exact(&mut [0; 4]).await.unwrap();
        assert!(!connection.begin_request(now) && connection.begin_request(now));
    }

    #[tokio::test]
    async fn connection_with_unread_bytes_is_not_idle() {
        let (connection, mut client) = connect().await;
        let mut socket = Socket(Arc::clone(&connection));
        for byte in 0..2 {
            assert!(socket.read_u8().now_or_never().is_none());
            assert!(connection.is_idle(Duration::ZERO));
            client.write_u8(byte).await.unwrap();
            while connection.is_idle(Duration::ZERO) {
                tokio::task::yield_now().await;
            }
            assert_eq!(socket.read_u8().await.unwrap(), byte);
        }
    }

    #[tokio::test]
    async fn partial_write_is_progress_and_flush_ends_the_response() {
        let (connection, mut client) = connect().await;
        let mut socket = Socket(Arc::clone(&connection));
        let now = Instant::now();
        connection.begin_sending(now, None);
        let bytes = vec![0; 16 << 20];
        let write = async {
            socket.write_all(&bytes).await.unwrap();
            assert_eq!(connection.phase().0, Phase::Sending);
            socket.flush().await.unwrap();
        };
        let read = async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            client.read_exact(&mut bytes.clone()).await.unwrap();
        };
        tokio::join!(write, read);
        let (phase, since) = connection.phase();
        assert!(phase == Phase::Waiting && since > now, "progress counts");
    }
}
