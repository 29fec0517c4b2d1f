//! Limits and sharing of large pictures, which are drawn while they are sent.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::Semaphore;

use super::{
    chunk_writer::ChunkWriter,
    limit::Limit,
    picture_stream::{PictureStream, SharedFile},
};
use crate::{Fingerprint, ServiceError};

/// Large pictures that may wait for their turn or for a client, in addition to those being drawn.
const MAX_WAITING: usize = 6;

/// The large pictures in flight.
#[derive(Debug)]
pub(crate) struct LargePictures {
    /// One permit for each picture, until it is drawn and sent.
    pub(crate) limit: Limit,
    /// One permit for each picture that is being drawn at this moment. Pictures take turns: after
    /// each chunk a picture goes to the end of the queue, and it has no turn while it waits for a
    /// slow client.
    turns: Arc<Semaphore>,
    files: Mutex<HashMap<Fingerprint, Weak<SharedFile>>>,
}

/// A picture that was asked for.
pub(crate) enum Opened {
    /// It is being drawn for another request.
    Joined(PictureStream),
    /// It is to be drawn with the writer.
    New(PictureStream, ChunkWriter),
}

impl LargePictures {
    /// The limits for a machine with that many processors.
    pub(crate) fn new(processors: usize) -> Self {
        // Half of the processors stay free for other pictures.
        let turns = (processors / 2).max(1);
        Self {
            limit: Limit::new("long pictures", turns + MAX_WAITING),
            turns: Arc::new(Semaphore::new(turns)),
            files: Mutex::default(),
        }
    }

    /// Joins the picture with this fingerprint if it is being drawn and can still be read from its
    /// beginning, and admits a new one otherwise.
    ///
    /// # Errors
    /// `Overloaded` if a new picture would be one too many.
    pub(crate) fn open(&self, fingerprint: Fingerprint) -> Result<Opened, ServiceError> {
        // Map operations do not panic halfway, so a poisoned map is consistent.
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let in_flight = files.get(&fingerprint).and_then(Weak::upgrade);
        if let Some(stream) = in_flight.as_ref().and_then(SharedFile::join) {
            return Ok(Opened::Joined(stream));
        }
        let permit = self.limit.acquire()?;
        let (file, stream) = SharedFile::new();
        files.retain(|_, file| file.strong_count() > 0);
        files.insert(fingerprint, Arc::downgrade(&file));
        let writer = ChunkWriter::new(file, permit, Arc::clone(&self.turns));
        Ok(Opened::New(stream, writer))
    }
}
