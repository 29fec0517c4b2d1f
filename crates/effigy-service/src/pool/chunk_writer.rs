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

use super::{large::Place, picture_stream::SharedFile};
use crate::{ServiceError, error::Shared};

/// The usual length of a chunk.
const CHUNK_BYTES: usize = 64 * 1024;

/// The longest time between two chunks, and the longest turn. Many empty rows at the top of a picture
/// compress to a few bytes, and clients should see that it arrives.
const CHUNK_INTERVAL: Duration = Duration::from_millis(200);

/// The longest time of a picture, including the waits for its turns and for its readers.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// A writer that cuts a file into chunks and takes turns with other large pictures.
///
/// It blocks and belongs on a thread of its own.
pub(crate) struct ChunkWriter {
    file: Arc<SharedFile>,
    /// The place of this picture among those in flight.
    _place: Place,
    runtime: Handle,
    turns: Arc<Semaphore>,
    turn: Option<OwnedSemaphorePermit>,
    buffer: Vec<u8>,
    last_sent: Option<Instant>,
    deadline: Instant,
}

impl ChunkWriter {
    /// A writer to `file`, inside of a runtime.
    pub(crate) fn new(file: Arc<SharedFile>, place: Place, turns: Arc<Semaphore>) -> Self {
        Self {
            file,
            _place: place,
            runtime: Handle::current(),
            turns,
            turn: None,
            buffer: Vec::with_capacity(CHUNK_BYTES),
            last_sent: None,
            deadline: Instant::now() + TIME_LIMIT,
        }
    }

    /// Waits until this picture may be drawn.
    ///
    /// # Errors
    /// `BrokenPipe` if no reader is left, `TimedOut` after the deadline.
    pub(crate) fn wait_for_turn(&mut self) -> io::Result<()> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = self.runtime.block_on(async {
            tokio::select! {
                turn = tokio::time::timeout_at(self.deadline, turn) => Ok(turn?),
                () = self.file.abandoned() => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
            }
        });
        self.turn = Some(turn?.expect("the semaphore is never closed"));
        Ok(())
    }

    /// Sends what has been written, and lets other pictures have their turns.
    pub(crate) fn send(&mut self) -> io::Result<()> {
        self.turn = None;
        if !self.buffer.is_empty() {
            let chunk = mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK_BYTES));
            let pushed = self.file.push(Bytes::from(chunk), self.deadline);
            self.runtime.block_on(pushed)?;
        }
        self.wait_for_turn()?;
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
        self.buffer.extend_from_slice(bytes);
        self.flush()?;
        Ok(bytes.len())
    }

    /// Sends a chunk if it is long enough or due. Fails if no reader is left, or after the deadline. The
    /// renderer flushes between strips of rows, whether it has written something or not.
    fn flush(&mut self) -> io::Result<()> {
        if self.file.is_abandoned() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if Instant::now() > self.deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match self.is_due() {
            true => self.send(),
            false => Ok(()),
        }
    }
}

impl Drop for ChunkWriter {
    fn drop(&mut self) {
        // This is the outcome only if drawing has panicked.
        self.file.end(Err(Arc::new(ServiceError::Interrupted)));
    }
}

/// Returns `true` if drawing stopped because the clients left or read too slowly.
pub(crate) fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::TimedOut
    )
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, thread};

    use super::{super::picture_stream::*, *};

    fn open() -> (ChunkWriter, Arc<SharedFile>, PictureStream) {
        let (file, stream) = SharedFile::new();
        let turns = Arc::new(Semaphore::new(1));
        let writer = ChunkWriter::new(Arc::clone(&file), Place::of_nobody(), turns);
        (writer, file, stream)
    }

    /// Writes on another thread until the file has `length` bytes or an error stops it.
    fn write(mut writer: ChunkWriter, length: usize) -> thread::JoinHandle<io::Result<()>> {
        thread::spawn(move || {
            for start in (0..length).step_by(CHUNK_BYTES) {
                writer.write_all(&vec![7; CHUNK_BYTES.min(length - start)])?;
            }
            writer.send()?;
            writer.end(Ok(()));
            Ok(())
        })
    }

    async fn next(stream: &mut PictureStream) -> Option<Result<Bytes, BrokenStream>> {
        poll_fn(|context| stream.poll_next(context)).await
    }

    /// The length of the rest of a stream.
    async fn read(stream: &mut PictureStream) -> Result<usize, BrokenStream> {
        let mut length = 0;
        while let Some(chunk) = next(stream).await {
            length += chunk?.len();
        }
        Ok(length)
    }

    #[tokio::test]
    async fn the_first_bytes_are_sent_at_once() {
        let (mut writer, _file, mut stream) = open();
        let writing = thread::spawn(move || writer.write_all(b"PNG").map(|()| writer));
        let first = next(&mut stream).await;
        assert_eq!(first, Some(Ok(Bytes::from_static(b"PNG"))));
        assert!(writing.join().unwrap().is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_file_is_cached_unless_it_is_too_long() {
        for (length, is_cached) in [
            (0, true),
            (CHUNK_BYTES + 18, true),
            (MAX_CACHED_BYTES, true),
            (MAX_CACHED_BYTES + 1, false),
        ] {
            let (writer, file, mut stream) = open();
            let writing = write(writer, length);
            assert_eq!(read(&mut stream).await, Ok(length));
            drop(stream);
            writing.join().unwrap().unwrap();
            assert_eq!(file.whole().is_some(), is_cached, "{length}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_later_reader_gets_the_whole_file() {
        let (writer, file, mut first) = open();
        let writing = write(writer, 3 * CHUNK_BYTES + MAX_CACHED_BYTES / 2);
        assert!(next(&mut first).await.is_some());
        let mut second = SharedFile::join(&file).unwrap();
        drop(first);
        let read = read(&mut second).await;
        assert_eq!(read, Ok(3 * CHUNK_BYTES + MAX_CACHED_BYTES / 2));
        writing.join().unwrap().unwrap();
        assert!(SharedFile::join(&file).is_none(), "it has ended");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_slow_reader_does_not_delay_the_others() {
        let (writer, file, mut slow) = open();
        let mut fast = SharedFile::join(&file).unwrap();
        let writing = write(writer, 2 * MAX_CACHED_BYTES);
        assert_eq!(read(&mut fast).await, Ok(2 * MAX_CACHED_BYTES));
        assert!(SharedFile::join(&file).is_none(), "its beginning is gone");
        assert_eq!(read(&mut slow).await, Err(BrokenStream));
        drop(slow);
        writing.join().unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_writer_that_waits_for_readers_leaves_its_turn_to_others() {
        let (mut writer, file, stream) = open();
        let turns = Arc::clone(&writer.turns);
        let writing = thread::spawn(move || -> io::Result<()> {
            writer.wait_for_turn()?;
            loop {
                writer.write_all(&[7; CHUNK_BYTES])?;
            }
        });
        drop(turns.acquire().await);
        assert!(!file.is_abandoned());
        drop(stream);
        assert!(is_client_error(&writing.join().unwrap().unwrap_err()));
        assert!(SharedFile::join(&file).is_none(), "it is abandoned");
    }

    #[tokio::test]
    async fn a_drawing_without_a_byte_ends_with_its_reader_and_leaves_its_turn_to_others() {
        let (mut writer, _file, stream) = open();
        let turns = Arc::clone(&writer.turns);
        let drawing = thread::spawn(move || -> io::Result<()> {
            writer.write_all(b"PNG")?;
            loop {
                thread::sleep(Duration::from_millis(1));
                writer.flush()?;
            }
        });
        let mut stream = stream.started().await.unwrap();
        assert!(next(&mut stream).await.is_some());
        // It waits for its turn as well.
        let turn = turns.acquire().await;
        drop(stream);
        let stopped = drawing.join().unwrap().unwrap_err();
        assert_eq!(stopped.kind(), io::ErrorKind::BrokenPipe);
        drop(turn);
    }

    #[tokio::test]
    async fn a_drawing_without_a_byte_ends_at_its_deadline() {
        let (mut writer, _file, _stream) = open();
        writer.deadline = Instant::now();
        while Instant::now() <= writer.deadline {}
        assert_eq!(writer.flush().unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_nothing_is_not_waited_for_without_end() {
        let (mut writer, _file, stream) = open();
        let writing = tokio::task::spawn_blocking(move || {
            loop {
                if let Err(error) = writer.write_all(&[7; CHUNK_BYTES]) {
                    return error.kind();
                }
            }
        });
        // A running blocking task stops the paused clock from advancing on its own.
        while !writing.is_finished() {
            tokio::time::advance(Duration::from_secs(3)).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(writing.await.unwrap(), io::ErrorKind::TimedOut);
        drop(stream);
    }

    #[tokio::test]
    async fn a_file_without_its_end_breaks_its_streams() {
        for (outcome, expected) in [
            (Some(Ok(())), None),
            (
                Some(Err(Arc::new(ServiceError::TooLarge))),
                Some(Err(BrokenStream)),
            ),
            // The thread has panicked.
            (None, Some(Err(BrokenStream))),
        ] {
            let (writer, file, mut stream) = open();
            let far = Instant::now() + TIME_LIMIT;
            file.push(Bytes::from_static(b"x"), far).await.unwrap();
            match outcome {
                Some(outcome) => file.end(outcome),
                None => drop(writer),
            }
            assert!(matches!(next(&mut stream).await, Some(Ok(_))));
            assert_eq!(next(&mut stream).await, expected);
        }
    }

    #[tokio::test]
    async fn a_failure_before_the_first_byte_is_an_error() {
        let (_writer, file, stream) = open();
        file.end(Err(Arc::new(ServiceError::TooLarge)));
        let failed = stream.started().await.unwrap_err();
        assert!(matches!(*failed, ServiceError::TooLarge));
    }
}
