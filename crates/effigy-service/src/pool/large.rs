//! Limits and sharing of large pictures, which are drawn while they are sent.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    chunk_writer::ChunkWriter,
    picture_stream::{PictureStream, SharedFile},
};
use crate::{Fingerprint, ServiceError};

/// Large pictures that may wait for their turn or for a client, in addition to those being drawn.
const MAX_WAITING: usize = 6;

/// The large pictures in flight.
#[derive(Debug)]
pub(crate) struct LargePictures {
    /// One permit for each picture, until it is drawn and sent.
    permits: Arc<Semaphore>,
    /// One permit for each picture that is being drawn at this moment. Pictures take turns: after
    /// each chunk a picture goes to the end of the queue, and it has no turn while it waits for a
    /// slow client.
    turns: Arc<Semaphore>,
    max_pictures: usize,
    files: Mutex<HashMap<Fingerprint, Arc<SharedFile>>>,
}

/// A picture that was asked for.
pub(crate) enum Opened {
    /// It is being drawn for another request.
    Joined(PictureStream),
    /// It is to be drawn with the writer. The admission ends when it is dropped.
    New(PictureStream, ChunkWriter, Admission),
}

/// The place of one picture among those in flight.
#[derive(Debug)]
pub(crate) struct Admission {
    pictures: Arc<LargePictures>,
    fingerprint: Fingerprint,
    file: Arc<SharedFile>,
    _permit: OwnedSemaphorePermit,
}

impl LargePictures {
    /// The limits for a machine with that many processors.
    pub(crate) fn new(processors: usize) -> Arc<Self> {
        // Half of the processors stay free for other pictures.
        let turns = (processors / 2).max(1);
        let max_pictures = turns + MAX_WAITING;
        Arc::new(Self {
            permits: Arc::new(Semaphore::new(max_pictures)),
            turns: Arc::new(Semaphore::new(turns)),
            max_pictures,
            files: Mutex::default(),
        })
    }

    /// The number of large pictures in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.max_pictures
            .saturating_sub(self.permits.available_permits())
    }

    /// Joins the picture with this fingerprint if it is being drawn and can still be read from its
    /// beginning, and admits a new one otherwise.
    ///
    /// # Errors
    /// `Overloaded` if a new picture would be one too many.
    pub(crate) fn open(self: &Arc<Self>, fingerprint: Fingerprint) -> Result<Opened, ServiceError> {
        let mut files = self.files();
        if let Some(stream) = files.get(&fingerprint).and_then(SharedFile::join) {
            return Ok(Opened::Joined(stream));
        }
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        let permit = permit.map_err(|_| ServiceError::Overloaded {
            pool: "long pictures",
        })?;
        let (file, stream) = SharedFile::new();
        files.insert(fingerprint, Arc::clone(&file));
        let writer = ChunkWriter::new(Arc::clone(&file), Arc::clone(&self.turns));
        let admission = Admission {
            pictures: Arc::clone(self),
            fingerprint,
            file,
            _permit: permit,
        };
        Ok(Opened::New(stream, writer, admission))
    }

    fn files(&self) -> MutexGuard<'_, HashMap<Fingerprint, Arc<SharedFile>>> {
        // Map operations do not panic halfway, so a poisoned map is consistent.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut files = self.pictures.files();
        // A newer file may have taken its place.
        let registered = files.get(&self.fingerprint);
        if registered.is_some_and(|file| Arc::ptr_eq(file, &self.file)) {
            files.remove(&self.fingerprint);
        }
    }
}
