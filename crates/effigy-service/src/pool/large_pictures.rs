//! The bounds of how many pictures are drawn while they are sent.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// Pictures beside those that are being drawn that may wait for their turn, or for their client.
const WAITING: usize = 6;

/// Places for long pictures, and turns at drawing.
#[derive(Debug)]
pub(crate) struct LongPlaces {
    /// Held by each from its beginning until all of it is drawn.
    pub(crate) places: Arc<Semaphore>,
    /// Held by those that are being drawn this moment. They take turns: whoever has drawn a chunk
    /// goes to the end of the queue, and whoever waits for a slow client holds up nobody.
    pub(crate) turns: Arc<Semaphore>,
    size: usize,
}

impl LongPlaces {
    /// The places on a machine with so many processors.
    pub(crate) fn new(processors: usize) -> Self {
        // Where there are two, one is left to other pictures.
        let turns = (processors / 2).max(1);
        let size = turns + WAITING;
        Self {
            places: Arc::new(Semaphore::new(size)),
            turns: Arc::new(Semaphore::new(turns)),
            size,
        }
    }

    /// How many long pictures are being drawn or wait.
    pub(crate) fn taken(&self) -> usize {
        self.size.saturating_sub(self.places.available_permits())
    }
}
