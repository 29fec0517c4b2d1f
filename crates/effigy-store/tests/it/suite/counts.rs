//! The counters.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::Poll;

use effigy_player::Edition::{self, Bedrock, Java};
use effigy_store::Store;

use crate::StoreExt;

pub(super) async fn counters_begin_at_zero(store: &dyn Store) {
    for &edition in Edition::ALL {
        assert_eq!(store.count(edition).await.expect("count"), 0, "{edition}");
    }
    assert_eq!(
        store.counts().await.expect("counts"),
        [(Java, 0), (Bedrock, 0)]
    );
}

pub(super) async fn counts_are_listed_by_edition(store: &dyn Store) {
    let steps = [
        (Bedrock, 1, [(Java, 0), (Bedrock, 1)]),
        (Java, 1, [(Java, 1), (Bedrock, 1)]),
        (Java, 41, [(Java, 42), (Bedrock, 1)]),
        (Java, 0, [(Java, 42), (Bedrock, 1)]),
        (Bedrock, 41, [(Java, 42), (Bedrock, 42)]),
        (
            Bedrock,
            5_000_000_000,
            [(Java, 42), (Bedrock, 5_000_000_042)],
        ),
    ];
    for (edition, by, expected) in steps {
        store.increment(edition, by).await.expect("increment");
        assert_eq!(store.counts().await.expect("counts"), expected);
        for (edition, count) in expected {
            assert_eq!(
                store.count(edition).await.expect("count"),
                count,
                "{edition}"
            );
        }
    }
}

pub(super) async fn counters_stop_at_the_highest_number(store: &dyn Store) {
    const HIGHEST: u64 = i64::MAX.unsigned_abs();
    let steps = [
        (1, 1),
        (HIGHEST - 2, HIGHEST - 1),
        (7, HIGHEST),
        (u64::MAX, HIGHEST),
    ];
    for (by, expected) in steps {
        store.increment(Java, by).await.expect("increment");
        assert_eq!(
            store.count(Java).await.expect("count"),
            expected,
            "after {by}"
        );
    }
    store.increment(Bedrock, u64::MAX).await.expect("increment");
    assert_eq!(store.count(Bedrock).await.expect("count"), HIGHEST);
}

pub(super) async fn simultaneous_increments_all_count(store: &dyn Store) {
    let one = |edition, by| async move { store.increment(edition, by).await.expect("increment") };
    let java = (0..40).map(|_| one(Java, 1));
    let bedrock = (0..40).map(|_| one(Bedrock, 3));
    all(java.chain(bedrock)).await;
    assert_eq!(
        store.counts().await.expect("counts"),
        [(Java, 40), (Bedrock, 120)]
    );
}

/// Drives all futures at the same time.
pub(super) async fn all<F: Future<Output = ()>>(futures: impl Iterator<Item = F>) {
    let mut pending: Vec<Pin<Box<F>>> = futures.map(Box::pin).collect();
    std::future::poll_fn(|context| {
        pending.retain_mut(|future| pin!(future).poll(context).is_pending());
        if pending.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}
