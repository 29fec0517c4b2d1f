//! The drawing thread's end of a large picture's stream.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::picture_stream::SharedFile;
use crate::{ServiceError, service::Shared};

/// The usual length of a chunk.
const CHUNK_BYTES: usize = 64 * 1024;

/// The longest time between two chunks. Many empty rows at the top of a picture compress to a few
/// bytes, and clients should see that it arrives.
const CHUNK_INTERVAL: Duration = Duration::from_millis(200);

/// The longest time of a picture, including the waits for its turns and for its readers.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// A writer that cuts a file into chunks and takes turns with other large pictures.
///
/// It blocks and belongs on a thread of its own.
pub(crate) struct ChunkWriter {
    file: Arc<SharedFile>,
    runtime: Handle,
    turns: Arc<Semaphore>,
    turn: Option<OwnedSemaphorePermit>,
    buffer: Vec<u8>,
    last_sent: Option<Instant>,
    deadline: Instant,
}

impl ChunkWriter {
    /// A writer to `file`, inside of a runtime.
    pub(crate) fn new(file: Arc<SharedFile>, turns: Arc<Semaphore>) -> Self {
        Self {
            file,
            runtime: Handle::current(),
            turns,
            turn: None,
            buffer: Vec::with_capacity(CHUNK_BYTES),
            last_sent: None,
            deadline: Instant::now() + TIME_LIMIT,
        }
    }

    /// Waits until this picture may be drawn.
    pub(crate) fn wait_for_turn(&mut self) {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = self.runtime.block_on(turn);
        self.turn = Some(turn.expect("the semaphore is never closed"));
    }

    /// Sends what has been written.
    pub(crate) fn send(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK_BYTES));
        self.turn = None;
        let pushed = self.file.push(Bytes::from(chunk), self.deadline);
        self.runtime.block_on(pushed)?;
        self.wait_for_turn();
        self.last_sent = Some(Instant::now());
        Ok(())
    }

    /// The whole file, unless it is too long to be cached.
    pub(crate) fn whole(&self) -> Option<Vec<u8>> {
        self.file.whole()
    }

    /// Ends the file and waits for its readers.
    pub(crate) fn end(mut self, outcome: Shared<()>) {
        self.turn = None;
        self.file.end(outcome);
        self.runtime.block_on(self.file.drain(self.deadline));
    }

    fn is_due(&self) -> bool {
        let is_late = |sent: Instant| sent.elapsed() >= CHUNK_INTERVAL;
        self.buffer.len() >= CHUNK_BYTES || self.last_sent.is_none_or(is_late)
    }
}

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_abandoned() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.buffer.extend_from_slice(bytes);
        if self.is_due() {
            self.send()?;
        }
        Ok(bytes.len())
    }

    /// Does nothing: chunks are sent when they are long enough or due.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for ChunkWriter {
    fn drop(&mut self) {
        // This is the outcome only if drawing has panicked.
        self.file.end(Err(Arc::new(ServiceError::Interrupted)));
    }
}

/// Whether drawing stopped because the clients left or read too slowly.
pub(crate) fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::TimedOut
    )
}
