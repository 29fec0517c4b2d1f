//! The counters.

use std::{future::poll_fn, task::Poll};

use effigy_player::Edition::{Bedrock, Java};
use effigy_store::{RenderCount, Store};

use crate::{StoreExt, counts};

/// A repeated write adds only the growth, and counters stop at the highest number.
pub(super) async fn totals_of_writers_are_added_up_by_edition(store: &dyn Store) {
    const HIGHEST: u64 = i64::MAX.unsigned_abs();
    let steps = [
        (Java, 1, 0, [0, 0]),
        (Bedrock, 1, 1, [0, 1]),
        (Java, 1, 3, [3, 1]),
        (Java, 1, 3, [3, 1]),
        (Java, 1, 5, [5, 1]),
        // A write that comes too late.
        (Java, 1, 4, [5, 1]),
        (Java, i64::MIN, 4, [9, 1]),
        (Java, 1, 6, [10, 1]),
        (Bedrock, 2, 5_000_000_000, [10, 5_000_000_001]),
        (Java, 2, HIGHEST - 11, [HIGHEST - 1, 5_000_000_001]),
        (Java, 3, 7, [HIGHEST, 5_000_000_001]),
        (Bedrock, 3, u64::MAX, [HIGHEST, HIGHEST]),
    ];
    for (edition, writer, total, [java, bedrock]) in steps {
        let count = RenderCount {
            edition,
            writer,
            total,
        };
        store.write(&counts(&[count])).await.unwrap();
        let expected = [(Java, java), (Bedrock, bedrock)];
        assert_eq!(store.counts().await.unwrap(), expected, "{count:?}");
    }
}

pub(super) async fn simultaneous_increments_all_count(store: &dyn Store) {
    // More than a store has connections.
    let increments = (0..12).flat_map(|_| [(Java, 1), (Bedrock, 3)]);
    let increments = increments.map(|(edition, by)| store.increment(edition, by));
    let mut pending: Vec<_> = increments.collect();
    // All of them at the same time.
    poll_fn(|context| {
        pending.retain_mut(|increment| increment.as_mut().poll(context).is_pending());
        if pending.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    let expected = [(Java, 12), (Bedrock, 36)];
    assert_eq!(store.counts().await.unwrap(), expected);
}
