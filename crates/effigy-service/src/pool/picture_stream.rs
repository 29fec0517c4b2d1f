//! A picture on its way from the thread that draws it to the client that reads it.

use std::{
    fmt,
    future::Future,
    io::{self, Write},
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot},
    time::Instant,
};

use crate::{ServiceError, flow::LONGEST_KEPT, service::Shared};

/// So much is sent at once.
const CHUNK: usize = 64 * 1024;

/// What is there is sent at least so often: a picture may begin with many rows of nothing.
const PACE: Duration = Duration::from_millis(200);

/// So many chunks wait for a client that reads more slowly than they are drawn: 1 MiB.
const WAITING_CHUNKS: usize = 16;

/// A client that does not take one chunk in this time is not waited for any longer.
const STALL: Duration = Duration::from_secs(30);

/// How long a picture may take in all, the waiting for its turns and for its client included.
const TIME: Duration = Duration::from_secs(600);

/// A picture that is being drawn. Drawing ends when this is dropped.
pub struct PictureStream {
    first: Option<Bytes>,
    chunks: mpsc::Receiver<Bytes>,
    outcome: oneshot::Receiver<Shared<()>>,
    /// Whether the outcome has been seen.
    ended: bool,
}

/// The rest of a picture could not be drawn, or not in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the rest of the picture was not drawn")]
pub struct Broken;

impl PictureStream {
    /// The stream of these chunks, once the first one is there.
    pub(crate) async fn begin(
        chunks: mpsc::Receiver<Bytes>,
        outcome: oneshot::Receiver<Shared<()>>,
    ) -> Shared<Self> {
        let mut stream = Self {
            first: None,
            chunks,
            outcome,
            ended: false,
        };
        stream.first = stream.chunks.recv().await;
        if stream.first.is_none() {
            stream.ended = true;
            let outcome = (&mut stream.outcome).await;
            outcome.unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))?;
        }
        Ok(stream)
    }

    /// The next bytes; nothing when the picture is complete.
    ///
    /// # Errors
    /// When there will be no more although it is not.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Broken>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        if let Some(chunk) = ready!(self.chunks.poll_recv(context)) {
            return Poll::Ready(Some(Ok(chunk)));
        }
        if self.ended {
            return Poll::Ready(None);
        }
        let outcome = ready!(Pin::new(&mut self.outcome).poll(context));
        self.ended = true;
        Poll::Ready(match outcome {
            Ok(Ok(())) => None,
            _ => Some(Err(Broken)),
        })
    }
}

impl fmt::Debug for PictureStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PictureStream").finish_non_exhaustive()
    }
}

/// The drawing thread's end: a writer that cuts a file into chunks.
pub(crate) struct Chunks {
    sender: mpsc::Sender<Bytes>,
    runtime: Handle,
    turns: Arc<Semaphore>,
    turn: Option<OwnedSemaphorePermit>,
    buffer: Vec<u8>,
    /// All that was sent, unless it is too much to be kept.
    kept: Option<Vec<u8>>,
    last_sent: Instant,
    deadline: Instant,
}

impl Chunks {
    /// A writer that takes its turn among others, and where its chunks are received.
    pub(crate) fn new(turns: Arc<Semaphore>, runtime: Handle) -> (Self, mpsc::Receiver<Bytes>) {
        let (sender, receiver) = mpsc::channel(WAITING_CHUNKS);
        let now = Instant::now();
        let chunks = Self {
            sender,
            runtime,
            turns,
            turn: None,
            buffer: Vec::with_capacity(CHUNK),
            kept: Some(Vec::new()),
            // The first bytes go at once.
            last_sent: now.checked_sub(PACE).unwrap_or(now),
            deadline: now + TIME,
        };
        (chunks, receiver)
    }

    /// Waits until this one may draw.
    pub(crate) fn wait_for_turn(&mut self) {
        let turn = Arc::clone(&self.turns).acquire_owned();
        // It is never closed.
        self.turn = self.runtime.block_on(turn).ok();
    }

    /// The whole file, where it is short enough to be kept.
    pub(crate) fn into_kept(self) -> Option<Vec<u8>> {
        self.kept
    }

    /// Hands over what has gathered.
    pub(crate) fn send(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK));
        self.turn = None;
        let end = self.deadline.min(Instant::now() + STALL);
        // The timer is made inside of the runtime.
        let send = async {
            let sent = self.sender.send(Bytes::from(chunk));
            tokio::time::timeout_at(end, sent).await
        };
        match self.runtime.block_on(send) {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(gone()),
            Err(_) => return Err(io::ErrorKind::TimedOut.into()),
        }
        self.wait_for_turn();
        self.last_sent = Instant::now();
        Ok(())
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.sender.is_closed() {
            return Err(gone());
        }
        self.buffer.extend_from_slice(bytes);
        let kept = self.kept.take();
        self.kept = kept.filter(|kept| kept.len() + bytes.len() <= LONGEST_KEPT);
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(bytes);
        }
        if self.buffer.len() >= CHUNK || self.last_sent.elapsed() >= PACE {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

/// Whether drawing ended because the client went away or reads too slowly.
pub(crate) fn is_of_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::TimedOut
    )
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, thread};

    use super::*;

    fn writer() -> (Chunks, mpsc::Receiver<Bytes>) {
        Chunks::new(Arc::new(Semaphore::new(1)), Handle::current())
    }

    /// What is written on another thread while the chunks are read.
    async fn written(parts: &'static [usize]) -> (Vec<usize>, Option<usize>) {
        let (mut chunks, mut received) = writer();
        let writing = thread::spawn(move || {
            for &length in parts {
                chunks.write_all(&vec![7; length]).unwrap();
            }
            chunks.send().unwrap();
            chunks.into_kept().map(|kept| kept.len())
        });
        let mut lengths = Vec::new();
        while let Some(chunk) = received.recv().await {
            lengths.push(chunk.len());
        }
        (lengths, writing.join().unwrap())
    }

    #[tokio::test]
    async fn the_first_bytes_go_at_once_and_long_files_are_not_kept() {
        let (lengths, kept) = written(&[8, 10, CHUNK]).await;
        assert_eq!((lengths.first(), kept), (Some(&8), Some(18 + CHUNK)));
        assert_eq!(lengths.iter().sum::<usize>(), 18 + CHUNK);
        assert_eq!(written(&[LONGEST_KEPT]).await.1, Some(LONGEST_KEPT));
        assert_eq!(written(&[1, LONGEST_KEPT, 1]).await.1, None);
    }

    #[tokio::test]
    async fn who_waits_for_a_client_leaves_its_turn_to_others() {
        let (mut chunks, mut received) = writer();
        let turns = Arc::clone(&chunks.turns);
        let writing = thread::spawn(move || {
            chunks.wait_for_turn();
            loop {
                if let Err(error) = chunks.write_all(&[7; CHUNK]) {
                    return error;
                }
            }
        });
        while received.len() < WAITING_CHUNKS {
            tokio::task::yield_now().await;
        }
        drop(turns.acquire().await);
        assert!(received.recv().await.is_some());
        drop(received);
        assert!(is_of_the_client(&writing.join().unwrap()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_nothing_is_not_waited_for_without_end() {
        let (mut chunks, received) = writer();
        let writing = tokio::task::spawn_blocking(move || {
            loop {
                if let Err(error) = chunks.write_all(&[7; CHUNK]) {
                    return error.kind();
                }
            }
        });
        // Time goes on by itself while a blocking task runs only when it is told to.
        while !writing.is_finished() {
            tokio::time::advance(STALL / 10).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(writing.await.unwrap(), io::ErrorKind::TimedOut);
        drop(received);
    }

    #[tokio::test]
    async fn a_stream_without_its_end_is_broken() {
        let begun = async |outcome: Option<Shared<()>>| {
            let (sender, received) = mpsc::channel(1);
            let (end, ended) = oneshot::channel();
            sender.send(Bytes::from_static(b"x")).await.unwrap();
            drop(sender);
            if let Some(outcome) = outcome {
                end.send(outcome).unwrap();
            }
            PictureStream::begin(received, ended).await.unwrap()
        };
        let failed = || Err(Arc::new(ServiceError::Interrupted));
        let rows = [
            (Some(Ok(())), None),
            (Some(failed()), Some(Err(Broken))),
            // The thread panicked.
            (None, Some(Err(Broken))),
        ];
        for (outcome, expected) in rows {
            let mut stream = begun(outcome).await;
            let first = poll_fn(|context| stream.poll_next(context)).await;
            assert_eq!(first, Some(Ok(Bytes::from_static(b"x"))));
            let end = poll_fn(|context| stream.poll_next(context)).await;
            assert_eq!(end, expected);
        }
    }

    #[tokio::test]
    async fn what_fails_before_the_first_byte_is_an_error() {
        let (sender, received) = mpsc::channel(1);
        let (end, ended) = oneshot::channel();
        drop(sender);
        end.send(Err(Arc::new(ServiceError::ImpossibleSize)))
            .unwrap();
        let failed = PictureStream::begin(received, ended).await.unwrap_err();
        assert!(matches!(*failed, ServiceError::ImpossibleSize));
    }
}
