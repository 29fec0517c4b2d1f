//! The queue of writes: pictures, bounded in number and bytes, and counts.

use std::{
    cmp::Reverse,
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use effigy_player::Edition;
use effigy_store::CachedImage;

/// Limit of queued pictures.
const MAX_IMAGES: usize = 4096;

/// Limit of their bytes.
const MAX_BYTES: usize = 32 << 20;

/// The most pictures in a batch.
const BATCH_IMAGES: usize = 64;

/// A batch that has this many bytes is full, so that one statement can write it in time.
const BATCH_BYTES: usize = 2 << 20;

/// Pictures that are written together, with their keys, oldest first.
pub(crate) type Batch = Vec<(String, Arc<CachedImage>)>;

/// The queue of one writer.
#[derive(Debug, Default)]
pub(crate) struct WriteQueue {
    /// Renders by edition that are not in the store yet.
    pub(crate) counts: Counts,
    /// The pictures that are not in the store yet, also those of a batch that is being written.
    images: HashMap<String, Arc<CachedImage>>,
    /// The keys of the pictures that are not in a batch, oldest first.
    order: VecDeque<String>,
    /// The bytes of all pictures.
    pub(crate) bytes: usize,
    /// The number of pictures dropped since the start.
    pub(crate) dropped: u64,
    /// `true` while the writer task runs.
    writer_runs: bool,
    /// `true` after a batch has failed, so that the next one is a single picture.
    one_by_one: bool,
}

impl WriteQueue {
    /// Adds a picture, replacing an older one. Drops it if there is no room.
    pub(crate) fn push(&mut self, key: &str, file: &Arc<CachedImage>) {
        let older = self.images.get(key);
        let freed = older.map_or(0, |older| older.data.len());
        let is_full = older.is_none() && self.order.len() >= MAX_IMAGES;
        let bytes = self.bytes - freed + file.data.len();
        if is_full || bytes > MAX_BYTES {
            self.dropped += 1;
            return;
        }
        self.bytes = bytes;
        let older = self.images.insert(key.to_owned(), Arc::clone(file));
        // The key of an older one is queued already, or will be after its batch.
        if older.is_none() {
            self.order.push_back(key.to_owned());
        }
    }

    /// The picture under `key`, until it is in the store.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<CachedImage>> {
        self.images.get(key).cloned()
    }

    /// Takes the next pictures to write. [`get`](Self::get) still finds them.
    pub(crate) fn next_batch(&mut self) -> Batch {
        let (mut batch, mut bytes) = (Batch::new(), 0);
        let limit = if self.one_by_one { 1 } else { BATCH_IMAGES };
        while batch.len() < limit && bytes < BATCH_BYTES {
            let Some(key) = self.order.pop_front() else {
                break;
            };
            if let Some(file) = self.get(&key) {
                bytes += file.data.len();
                batch.push((key, file));
            }
        }
        batch
    }

    /// Removes a batch that is in the store now.
    pub(crate) fn batch_written(&mut self, batch: Batch) {
        self.one_by_one = false;
        for (key, file) in batch {
            self.remove(key, &file);
        }
    }

    /// Queues a batch again that the store has refused, behind the others, to be tried one picture
    /// at a time. A picture that is refused on its own is dropped, because it may be the cause.
    pub(crate) fn batch_failed(&mut self, batch: Batch) {
        self.one_by_one = true;
        let is_alone = batch.len() == 1;
        for (key, file) in batch {
            if is_alone {
                self.dropped += 1;
                self.remove(key, &file);
            } else {
                self.order.push_back(key);
            }
        }
    }

    /// Removes a picture of a batch, or queues the newer one that has replaced it.
    fn remove(&mut self, key: String, file: &Arc<CachedImage>) {
        if self
            .get(&key)
            .is_some_and(|found| Arc::ptr_eq(&found, file))
        {
            self.images.remove(&key);
            self.bytes -= file.data.len();
        } else {
            self.order.push_back(key);
        }
    }

    /// Returns `true` if the writer has to be started; it counts as running from now on.
    pub(crate) fn claim_writer(&mut self) -> bool {
        !std::mem::replace(&mut self.writer_runs, true)
    }

    /// Returns `true` if the queue is empty; the writer counts as ended then.
    pub(crate) fn release_writer(&mut self) -> bool {
        let is_empty = self.images.is_empty() && self.counts == Counts::default();
        self.writer_runs = !is_empty;
        is_empty
    }

    /// The number of pictures.
    pub(crate) fn len(&self) -> usize {
        self.images.len()
    }
}

/// A number of renders for each edition.
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

    /// Every edition with its count, descending; Java first on a tie.
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
            queue.push(key, &file(1));
        }
        queue
    }

    fn keys(batch: &Batch) -> Vec<&str> {
        batch.iter().map(|(key, _)| key.as_str()).collect()
    }

    #[test]
    fn a_batch_can_be_looked_up_until_it_is_written() {
        let mut queue = queue(&["b", "a"]);
        let batch = queue.next_batch();
        assert_eq!(keys(&batch), ["b", "a"]);
        assert!(queue.get("a").is_some());
        assert!(queue.next_batch().is_empty());
        queue.batch_written(batch);
        assert!(queue.get("a").is_none());
        assert_eq!((queue.len(), queue.bytes), (0, 0));
    }

    #[test]
    fn a_newer_picture_replaces_a_queued_one_and_survives_a_running_batch() {
        let mut queue = queue(&["a"]);
        queue.push("a", &file(2));
        assert_eq!((queue.len(), queue.bytes), (1, 2));
        let batch = queue.next_batch();
        queue.push("a", &file(3));
        queue.batch_written(batch);
        assert_eq!((queue.len(), queue.bytes), (1, 3));
        let batch = queue.next_batch();
        assert_eq!(batch[0].1.data.len(), 3);
        queue.batch_written(batch);
        assert_eq!((queue.len(), queue.bytes), (0, 0));
    }

    #[test]
    fn a_failed_batch_is_retried_one_by_one_and_then_dropped() {
        let mut queue = queue(&["a", "b"]);
        let batch = queue.next_batch();
        queue.push("c", &file(1));
        queue.batch_failed(batch);
        let first = queue.next_batch();
        assert_eq!(keys(&first), ["c"]);
        queue.batch_failed(first);
        assert_eq!(queue.dropped, 1);
        let second = queue.next_batch();
        assert_eq!(keys(&second), ["a"]);
        queue.batch_written(second);
        queue.push("d", &file(1));
        assert_eq!(keys(&queue.next_batch()), ["b", "d"], "whole batches again");
    }

    #[test]
    fn pictures_are_bounded_in_number_and_in_bytes() {
        let mut many = WriteQueue::default();
        for number in 0..MAX_IMAGES + 10 {
            many.push(&number.to_string(), &file(1));
        }
        assert_eq!((many.len(), many.dropped), (MAX_IMAGES, 10));
        // A replacement needs no more room.
        many.push("0", &file(1));
        assert_eq!((many.len(), many.dropped), (MAX_IMAGES, 10));

        let mut large = WriteQueue::default();
        for number in 0..6 {
            large.push(&number.to_string(), &file(MAX_BYTES / 4));
        }
        assert_eq!((large.len(), large.dropped), (4, 2));
        assert_eq!(
            large.next_batch().len(),
            1,
            "the bytes of a batch are bounded"
        );
    }

    #[test]
    fn the_writer_ends_when_the_queue_is_empty() {
        let mut queue = queue(&["a"]);
        assert!(queue.claim_writer());
        assert!(!queue.claim_writer());
        queue.counts.add(Edition::Java, 1);
        let batch = queue.next_batch();
        queue.batch_written(batch);
        assert!(!queue.release_writer());
        queue.counts.subtract(Edition::Java, 1);
        assert!(queue.release_writer());
        assert!(queue.claim_writer());
    }

    #[test]
    fn counts_are_sorted_descending_with_java_first_on_a_tie() {
        use Edition::{Bedrock, Java};
        let mut counts = Counts::default();
        assert_eq!(counts.descending(), [(Java, 0), (Bedrock, 0)]);
        counts.add(Bedrock, 2);
        assert_eq!(counts.descending(), [(Bedrock, 2), (Java, 0)]);
    }
}
