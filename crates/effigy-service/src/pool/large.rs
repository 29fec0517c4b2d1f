//! Limits and sharing of large pictures, which are drawn while they are sent.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::{
    chunk_writer::ChunkWriter,
    limit::Limit,
    picture_stream::{PictureStream, SharedFile},
};
use crate::{Fingerprint, PictureParams, ServiceError};

/// Large pictures that may wait for their turn or for a client, in addition to those being drawn.
const MAX_WAITING: usize = 6;

/// The cost of all large pictures in flight, in MiB of memory.
const MAX_COST: u32 = 256;

/// The cost of one picture at most, so that there is always room for two.
const MAX_COST_OF_ONE: u32 = MAX_COST / 2;

/// The memory of any large picture in MiB: the file as far as it is ahead of its readers, and a strip.
const BASE_MIB: u64 = 16;

/// The memory for each pixel of the width: 16 rows of a strip, the borders of columns, a few rows
/// before and after their compression.
const BYTES_PER_COLUMN: u64 = 104;

/// The pixels whose drawing counts as much as a MiB of memory: about a second.
const PIXELS_PER_MIB: u64 = 1 << 27;

/// The longest wait for the place of a slow reader.
const PLACE_TIMEOUT: Duration = Duration::from_secs(2);

/// The large pictures in flight.
#[derive(Debug)]
pub(crate) struct LargePictures {
    /// One permit for each picture, until it is drawn and sent.
    pub(crate) limit: Limit,
    /// One permit for each unit of cost that the pictures may have together.
    costs: Arc<Semaphore>,
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
    /// The caller must draw it with the writer.
    New(PictureStream, ChunkWriter),
}

/// The share of memory and work that a picture takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost(u32);

/// The permits of one picture in flight.
#[derive(Debug)]
pub(crate) struct Place {
    _picture: OwnedSemaphorePermit,
    _cost: OwnedSemaphorePermit,
}

#[cfg(test)]
impl Place {
    /// A place that nobody counts.
    pub(super) fn of_nobody() -> Self {
        let permit = || Arc::new(Semaphore::new(1)).try_acquire_owned();
        Self {
            _picture: permit().expect("it is new"),
            _cost: permit().expect("it is new"),
        }
    }
}

impl Cost {
    pub(crate) fn of(params: PictureParams) -> Self {
        let size = params.spec().map(|spec| (spec.width(), spec.height()));
        let (width, height) = size.unwrap_or_default();
        let memory = BASE_MIB + width * BYTES_PER_COLUMN / (1 << 20);
        let work = width.saturating_mul(height) / PIXELS_PER_MIB;
        let cost = u32::try_from(memory.max(work)).unwrap_or(u32::MAX);
        Self(cost.min(MAX_COST_OF_ONE))
    }

    /// Returns `true` if two such pictures leave no room for one of another client.
    pub(crate) const fn is_giant(self) -> bool {
        self.0 > MAX_COST / 4
    }
}

impl LargePictures {
    /// The limits for a machine with that many processors.
    pub(crate) fn new(processors: usize) -> Self {
        // Half of the processors stay free for other pictures.
        let turns = (processors / 2).max(1);
        Self {
            limit: Limit::new("long pictures", turns + MAX_WAITING),
            costs: Arc::new(Semaphore::new(MAX_COST as usize)),
            turns: Arc::new(Semaphore::new(turns)),
            files: Mutex::default(),
        }
    }

    /// Joins the picture with this fingerprint if it is being drawn and can still be read from its
    /// beginning, and admits a new one otherwise. If there is no place, the slowest reader has to leave.
    ///
    /// # Errors
    /// `Overloaded` if a new picture would be one too many, and all others are being read.
    pub(crate) async fn open(
        &self,
        fingerprint: Fingerprint,
        cost: Cost,
    ) -> Result<Opened, ServiceError> {
        if let Some(stream) = join(&self.files(), &fingerprint) {
            return Ok(Opened::Joined(stream));
        }
        let place = match self.place(cost) {
            Err(_) if self.break_slowest() => self.wait_for_place(cost).await,
            place => place,
        }?;
        let mut files = self.files();
        // Another request for the same picture may have waited as well.
        if let Some(stream) = join(&files, &fingerprint) {
            return Ok(Opened::Joined(stream));
        }
        let (file, stream) = SharedFile::new();
        files.retain(|_, file| file.strong_count() > 0);
        files.insert(fingerprint, Arc::downgrade(&file));
        let writer = ChunkWriter::new(file, place, Arc::clone(&self.turns));
        Ok(Opened::New(stream, writer))
    }

    fn place(&self, Cost(cost): Cost) -> Result<Place, ServiceError> {
        let picture = self.limit.acquire()?;
        let cost = Arc::clone(&self.costs).try_acquire_many_owned(cost);
        Ok(Place {
            _picture: picture,
            _cost: cost.map_err(|_| self.limit.overloaded())?,
        })
    }

    async fn wait_for_place(&self, Cost(cost): Cost) -> Result<Place, ServiceError> {
        let place = async {
            Some(Place {
                _picture: self.limit.wait().await,
                _cost: Arc::clone(&self.costs)
                    .acquire_many_owned(cost)
                    .await
                    .ok()?,
            })
        };
        let place = tokio::time::timeout(PLACE_TIMEOUT, place).await;
        place.ok().flatten().ok_or_else(|| self.limit.overloaded())
    }

    /// Breaks the streams of the picture that is read most slowly, if any is read too slowly.
    fn break_slowest(&self) -> bool {
        let now = Instant::now();
        let files: Vec<_> = self.files().values().filter_map(Weak::upgrade).collect();
        let rates = files.iter();
        let rates = rates.filter_map(|file| Some((file.slow_bytes_per_second(now)?, file)));
        let slowest = rates.min_by_key(|(rate, _)| *rate);
        if let Some((rate, file)) = slowest {
            tracing::debug!(
                rate,
                "a slow reader of a large picture leaves its place to others"
            );
            file.break_streams();
        }
        slowest.is_some()
    }

    fn files(&self) -> MutexGuard<'_, HashMap<Fingerprint, Weak<SharedFile>>> {
        // Map operations do not panic halfway, so a poisoned map is consistent.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn join(
    files: &HashMap<Fingerprint, Weak<SharedFile>>,
    fingerprint: &Fingerprint,
) -> Option<PictureStream> {
    let file = files.get(fingerprint).and_then(Weak::upgrade);
    file.as_ref().and_then(SharedFile::join)
}

#[cfg(test)]
mod tests {
    use effigy_render::Facing;

    use super::*;
    use crate::SizeParameter;

    #[test]
    fn memory_and_work_are_counted() {
        let rows = [
            (2_900, 16, false),
            (20_000, 17, false),
            (50_000, 37, false),
            (104_000, 128, true),
            (1_000_000, 128, true),
            (effigy_render::Size::MAX, 128, true),
        ];
        for (width, expected, is_giant) in rows {
            let size = SizeParameter::pixels(width);
            let cost = Cost::of(PictureParams::avatar(size, Facing::Left));
            assert_eq!((cost.0, cost.is_giant()), (expected, is_giant), "{width}");
        }
    }

    #[tokio::test]
    async fn two_giants_leave_no_room() {
        let pictures = LargePictures::new(8);
        let open = |number: u8, cost| pictures.open(Fingerprint::of(&[number]), Cost(cost));
        let first = open(1, 128).await.ok();
        let second = open(2, 128).await.ok();
        assert!(first.is_some() && second.is_some());
        let refused = open(3, 16).await.err();
        assert!(matches!(refused, Some(ServiceError::Overloaded { .. })));
        drop(first);
        assert!(open(3, 16).await.is_ok());
    }
}
