//! The health log.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use effigy_store::{HEALTH_LOG_LENGTH, HealthEntry, HealthStatus, LIFETIME, Store};

use super::counts::all;
use super::now;

fn entry(message: &str, timestamp: SystemTime) -> HealthEntry {
    HealthEntry {
        status: HealthStatus::Green,
        message: message.to_owned(),
        response_time: Duration::from_millis(12),
        timestamp,
    }
}

async fn messages(store: &dyn Store, limit: u32) -> Vec<String> {
    let entries = store.recent(limit).await.expect("recent");
    entries.into_iter().map(|entry| entry.message).collect()
}

pub(super) async fn entries_come_back_newest_first(store: &dyn Store) {
    assert!(store.recent(100).await.expect("recent").is_empty());
    let at = |millis| now() + Duration::from_millis(millis);
    let recorded = [
        ("c", at(20)),
        ("a", at(0)),
        ("d", at(30)),
        ("b1", at(10)),
        ("b2", at(10)),
        ("b3", at(10)),
    ];
    for (message, timestamp) in recorded {
        store
            .record(&entry(message, timestamp))
            .await
            .expect("record");
    }
    let newest_first = ["d", "c", "b3", "b2", "b1", "a"];
    for limit in [0, 1, 3, 6, 7, u32::MAX] {
        let length = usize::try_from(limit)
            .unwrap_or(usize::MAX)
            .min(newest_first.len());
        assert_eq!(
            messages(store, limit).await,
            newest_first[..length],
            "limit {limit}"
        );
    }
}

pub(super) async fn entries_keep_their_fields(store: &dyn Store) {
    let entries = HealthStatus::ALL.iter().map(|&status| HealthEntry {
        status,
        message: format!("{status}: 'quoted' 🩺\n"),
        response_time: Duration::from_millis(2_345),
        timestamp: now(),
    });
    for entry in entries {
        store.record(&entry).await.expect("record");
        assert_eq!(store.recent(1).await.expect("recent"), [entry]);
    }
    let odd = HealthEntry {
        status: HealthStatus::Red,
        message: "an answer with \0 in it".to_owned(),
        response_time: Duration::MAX,
        timestamp: now() + Duration::from_micros(1_999),
    };
    store.record(&odd).await.expect("record");
    let kept = HealthEntry {
        message: "an answer with \u{fffd} in it".to_owned(),
        response_time: Duration::from_millis(i64::MAX.unsigned_abs()),
        timestamp: now() + Duration::from_millis(1),
        ..odd
    };
    assert_eq!(store.recent(1).await.expect("recent"), [kept]);
}

pub(super) async fn pruning_keeps_the_newest(store: &dyn Store) {
    // Three too many; the oldest are recorded last, and one of two equally old ones must stay.
    let length = HEALTH_LOG_LENGTH;
    let record = |number: u32| async move {
        let timestamp = UNIX_EPOCH + Duration::from_secs(u64::from(number));
        let recorded = store.record(&entry(&number.to_string(), timestamp)).await;
        recorded.expect("record");
    };
    for first in (2..length).step_by(100) {
        all((first..length.min(first + 100)).map(record)).await;
    }
    store.prune(now(), LIFETIME).await.expect("prune");
    for message in ["goes", "goes too", "and this", "last but one", "last"] {
        let second = u64::from(message.starts_with("last"));
        let timestamp = UNIX_EPOCH + Duration::from_secs(second);
        store
            .record(&entry(message, timestamp))
            .await
            .expect("record");
    }

    store.prune(now(), LIFETIME).await.expect("prune");
    let kept = messages(store, u32::MAX).await;
    assert_eq!(kept.len(), usize::try_from(length).unwrap_or(usize::MAX));
    assert_eq!(kept[0], (length - 1).to_string());
    assert_eq!(kept[kept.len() - 3..], ["2", "last", "last but one"]);
}
