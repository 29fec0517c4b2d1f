//! The health log.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use effigy_store::{HEALTH_LOG_LENGTH, HealthEntry, HealthStatus, LIFETIME, Store};

use super::{counts::all, now};

async fn record(store: &dyn Store, message: impl ToString, timestamp: SystemTime) {
    let entry = HealthEntry {
        status: HealthStatus::Green,
        message: message.to_string(),
        response_time: Duration::from_millis(12),
        timestamp,
    };
    store.record(&entry).await.unwrap();
}

async fn messages(store: &dyn Store, limit: u32) -> Vec<String> {
    let entries = store.recent(limit).await.unwrap();
    entries.into_iter().map(|entry| entry.message).collect()
}

pub(super) async fn entries_come_back_newest_first(store: &dyn Store) {
    assert!(messages(store, 100).await.is_empty());
    let recorded = [
        ("c", 20),
        ("a", 0),
        ("d", 30),
        ("b1", 10),
        ("b2", 10),
        ("b3", 10),
    ];
    for (message, millis) in recorded {
        record(store, message, now() + Duration::from_millis(millis)).await;
    }
    let newest_first = ["d", "c", "b3", "b2", "b1", "a"];
    for (limit, length) in [(0, 0), (1, 1), (3, 3), (6, 6), (7, 6), (u32::MAX, 6)] {
        assert_eq!(
            messages(store, limit).await,
            newest_first[..length],
            "limit {limit}"
        );
    }
}

pub(super) async fn entries_keep_their_fields(store: &dyn Store) {
    for &status in HealthStatus::ALL {
        let entry = HealthEntry {
            status,
            message: format!("{status}: 'quoted' 🩺\n"),
            response_time: Duration::from_millis(2_345),
            timestamp: now(),
        };
        store.record(&entry).await.unwrap();
        assert_eq!(store.recent(1).await.unwrap(), [entry]);
    }
    let odd = HealthEntry {
        status: HealthStatus::Red,
        message: "an answer with \0 in it".to_owned(),
        response_time: Duration::MAX,
        timestamp: now() + Duration::from_micros(1_999),
    };
    store.record(&odd).await.unwrap();
    let kept = HealthEntry {
        message: "an answer with \u{fffd} in it".to_owned(),
        response_time: Duration::from_millis(i64::MAX.unsigned_abs()),
        timestamp: now() + Duration::from_millis(1),
        ..odd
    };
    assert_eq!(store.recent(1).await.unwrap(), [kept]);
}

pub(super) async fn pruning_keeps_the_newest(store: &dyn Store) {
    // Three too many; the oldest are recorded last, and one of two equally old ones must stay.
    let length = HEALTH_LOG_LENGTH;
    let at = |second: u32| UNIX_EPOCH + Duration::from_secs(second.into());
    for first in (2..length).step_by(20) {
        let numbers = first..length.min(first + 20);
        all(numbers.map(|number| record(store, number, at(number)))).await;
    }
    store.prune(now(), LIFETIME).await.unwrap();
    for message in ["goes", "goes too", "and this", "last but one", "last"] {
        record(store, message, at(message.starts_with("last").into())).await;
    }
    store.prune(now(), LIFETIME).await.unwrap();
    let kept = messages(store, u32::MAX).await;
    assert_eq!(kept.len(), length as usize);
    assert_eq!(kept[0], (length - 1).to_string());
    assert_eq!(kept[kept.len() - 3..], ["2", "last", "last but one"]);
}
