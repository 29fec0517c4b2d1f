//! The health log.

use std::time::Duration;

use effigy_store::{HealthEntry, HealthStatus, Store};

use super::now;
use crate::health_check;

pub(super) async fn entries_come_back_newest_first(store: &dyn Store) {
    assert_eq!(store.recent(100).await.unwrap(), []);
    let recorded = [
        ("c", 20),
        ("a", 0),
        ("d", 30),
        ("b1", 10),
        ("b2", 10),
        ("b3", 10),
    ];
    for (message, millis) in recorded {
        let entry = HealthEntry {
            message: message.to_owned(),
            timestamp: now() + Duration::from_millis(millis),
            ..health_check(HealthStatus::Green)
        };
        store.record(&entry).await.unwrap();
    }
    let newest_first = ["d", "c", "b3", "b2", "b1", "a"];
    for (limit, length) in [(0, 0), (1, 1), (3, 3), (6, 6), (7, 6), (u32::MAX, 6)] {
        let recent = store.recent(limit).await.unwrap();
        let messages: Vec<&str> = recent.iter().map(|entry| &*entry.message).collect();
        assert_eq!(messages, newest_first[..length], "limit {limit}");
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
