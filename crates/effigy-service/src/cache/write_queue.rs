//! What waits to be written: pictures, bounded in number and bytes, and counts.

use std::{
    cmp::Reverse,
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use effigy_player::Edition;
use effigy_store::CachedImage;

/// The most pictures that wait.
const MOST_IMAGES: usize = 4096;

/// The most bytes of pictures that wait.
const MOST_BYTES: usize = 32 << 20;

/// The most pictures that are written at once.
const BATCH_IMAGES: usize = 64;

/// So many bytes end a batch, so that each is written in a time that a database has for a statement.
const BATCH_BYTES: usize = 2 << 20;

/// Pictures that are written together, with their keys, in the order in which they came.
pub(crate) type Batch = Vec<(String, Arc<CachedImage>)>;

/// What waits to be written.
#[derive(Debug, Default)]
pub(crate) struct WriteQueue {
    /// Renders by edition that are not yet counted.
    pub(crate) counts: Counts,
    images: HashMap<String, Waiting>,
    /// The keys of those that are not in a batch, the oldest first.
    order: VecDeque<String>,
    bytes: usize,
    dropped: u64,
    /// Whether a writer runs.
    running: bool,
    /// Whether the last batch was refused: then the next one is a single picture.
    careful: bool,
}

#[derive(Debug)]
struct Waiting {
    file: Arc<CachedImage>,
    /// Whether it stands in the order, and not in a batch that is being written.
    in_order: bool,
}

impl WriteQueue {
    /// Adds a picture, in place of an older one; drops it where there is no room.
    pub(crate) fn put(&mut self, key: &str, file: &Arc<CachedImage>) {
        let (bytes, older) = (file.data.len(), self.images.get_mut(key));
        let freed = older.as_ref().map_or(0, |older| older.file.data.len());
        let full = older.is_none() && self.order.len() >= MOST_IMAGES;
        if full || self.bytes - freed + bytes > MOST_BYTES {
            self.dropped += 1;
            return;
        }
        self.bytes = self.bytes - freed + bytes;
        let file = Arc::clone(file);
        match older {
            Some(older) if older.in_order => older.file = file,
            _ => {
                let in_order = true;
                self.images
                    .insert(key.to_owned(), Waiting { file, in_order });
                self.order.push_back(key.to_owned());
            }
        }
    }

    /// The picture under `key`, while it waits or is being written.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<CachedImage>> {
        self.images
            .get(key)
            .map(|waiting| Arc::clone(&waiting.file))
    }

    /// The next pictures to write. They can still be found here until they are written.
    pub(crate) fn take(&mut self) -> Batch {
        let (mut batch, mut bytes) = (Batch::new(), 0);
        let most = if self.careful { 1 } else { BATCH_IMAGES };
        while batch.len() < most && bytes < BATCH_BYTES {
            let Some(key) = self.order.pop_front() else {
                break;
            };
            if let Some(waiting) = self.images.get_mut(&key) {
                waiting.in_order = false;
                bytes += waiting.file.data.len();
                batch.push((key, Arc::clone(&waiting.file)));
            }
        }
        batch
    }

    /// The batch is in the database.
    pub(crate) fn written(&mut self, batch: &Batch) {
        self.careful = false;
        for (key, _) in batch {
            self.forget(key);
        }
    }

    /// The database did not take the batch: its pictures wait again, behind the others, and are
    /// then tried one by one. One that is refused alone is dropped, for the fault may be its own.
    pub(crate) fn refused(&mut self, batch: Batch) {
        self.careful = true;
        let alone = batch.len() == 1;
        for (key, _) in batch {
            if alone {
                self.dropped += 1;
                self.forget(&key);
            } else if let Some(waiting) = self.images.get_mut(&key)
                && !waiting.in_order
            {
                waiting.in_order = true;
                self.order.push_back(key);
            }
        }
    }

    /// Removes the picture, unless a newer one waits under its key.
    fn forget(&mut self, key: &str) {
        if self
            .images
            .get(key)
            .is_some_and(|waiting| !waiting.in_order)
            && let Some(gone) = self.images.remove(key)
        {
            self.bytes -= gone.file.data.len();
        }
    }

    /// Whether a writer has to be started; from now on one runs.
    pub(crate) fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.running, true)
    }

    /// Whether the writer can end, since nothing waits; then none runs from now on.
    pub(crate) fn end(&mut self) -> bool {
        let done = self.images.is_empty() && self.counts == Counts::default();
        self.running = !done;
        done
    }

    /// How many pictures wait.
    pub(crate) fn len(&self) -> usize {
        self.images.len()
    }

    /// Their bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many pictures were dropped since the start.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// A number for each edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts([u64; Edition::ALL.len()]);

impl Counts {
    pub(crate) fn of(&self, edition: Edition) -> u64 {
        self.0[edition as usize]
    }

    pub(crate) fn add(&mut self, edition: Edition, by: u64) {
        let count = &mut self.0[edition as usize];
        *count = count.saturating_add(by);
    }

    pub(crate) fn subtract(&mut self, edition: Edition, by: u64) {
        let count = &mut self.0[edition as usize];
        *count = count.saturating_sub(by);
    }

    /// Every edition with its count, descending; equal ones with Java first.
    pub(crate) fn descending(&self) -> Vec<(Edition, u64)> {
        let mut counts = Edition::ALL.map(|edition| (edition, self.of(edition)));
        counts.sort_by_key(|&(_, count)| Reverse(count));
        counts.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use bytes::Bytes;

    use super::*;

    fn file(length: usize) -> Arc<CachedImage> {
        Arc::new(CachedImage {
            data: Bytes::from(vec![7; length]),
            content_type: "image/png".to_owned(),
            created_at: UNIX_EPOCH,
        })
    }

    fn queue(keys: &[&str]) -> WriteQueue {
        let mut queue = WriteQueue::default();
        for key in keys {
            queue.put(key, &file(1));
        }
        queue
    }

    fn keys(batch: &Batch) -> Vec<&str> {
        batch.iter().map(|(key, _)| key.as_str()).collect()
    }

    #[test]
    fn a_batch_is_found_until_it_is_written() {
        let mut queue = queue(&["b", "a"]);
        let batch = queue.take();
        assert_eq!(keys(&batch), ["b", "a"]);
        assert!(queue.get("a").is_some());
        assert!(queue.take().is_empty());
        queue.written(&batch);
        assert!(queue.get("a").is_none());
        assert_eq!((queue.len(), queue.bytes()), (0, 0));
    }

    #[test]
    fn a_newer_picture_replaces_what_waits_and_outlives_what_is_being_written() {
        let mut queue = queue(&["a"]);
        queue.put("a", &file(2));
        assert_eq!((queue.len(), queue.bytes()), (1, 2));
        let batch = queue.take();
        queue.put("a", &file(3));
        queue.written(&batch);
        assert_eq!((queue.len(), queue.bytes()), (1, 3));
        let batch = queue.take();
        assert_eq!(batch[0].1.data.len(), 3);
        queue.written(&batch);
        assert_eq!((queue.len(), queue.bytes()), (0, 0));
    }

    #[test]
    fn what_was_refused_comes_again_alone_and_is_then_given_up() {
        let mut queue = queue(&["a", "b"]);
        let batch = queue.take();
        queue.put("c", &file(1));
        queue.refused(batch);
        let first = queue.take();
        assert_eq!(keys(&first), ["c"]);
        queue.refused(first);
        assert_eq!(queue.dropped(), 1);
        let second = queue.take();
        assert_eq!(keys(&second), ["a"]);
        queue.written(&second);
        queue.put("d", &file(1));
        assert_eq!(keys(&queue.take()), ["b", "d"], "all is well again");
    }

    #[test]
    fn pictures_are_bounded_in_number_and_in_bytes() {
        let mut many = WriteQueue::default();
        for number in 0..MOST_IMAGES + 10 {
            many.put(&number.to_string(), &file(1));
        }
        assert_eq!((many.len(), many.dropped()), (MOST_IMAGES, 10));
        // A newer one of what waits needs no more room.
        many.put("0", &file(1));
        assert_eq!((many.len(), many.dropped()), (MOST_IMAGES, 10));

        let mut large = WriteQueue::default();
        for number in 0..6 {
            large.put(&number.to_string(), &file(MOST_BYTES / 4));
        }
        assert_eq!((large.len(), large.dropped()), (4, 2));
        assert_eq!(large.take().len(), 1, "a batch ends with its bytes");
    }

    #[test]
    fn a_writer_ends_when_nothing_waits() {
        let mut queue = queue(&["a"]);
        assert!(queue.begin());
        assert!(!queue.begin());
        queue.counts.add(Edition::Java, 1);
        let batch = queue.take();
        queue.written(&batch);
        assert!(!queue.end());
        queue.counts.subtract(Edition::Java, 1);
        assert!(queue.end());
        assert!(queue.begin());
    }

    #[test]
    fn counts_are_listed_descending_and_ties_java_first() {
        use Edition::{Bedrock, Java};
        let mut counts = Counts::default();
        assert_eq!(counts.descending(), [(Java, 0), (Bedrock, 0)]);
        counts.add(Bedrock, 2);
        assert_eq!(counts.descending(), [(Bedrock, 2), (Java, 0)]);
    }
}
