//! The use of players and textures, by which they age in the store.

use std::time::{Duration, SystemTime};

use crate::support::{Bench, HOUR, face};

/// A service that makes no checks.
fn bench() -> Bench {
    Bench::with_config(|config| config.fresh = HOUR * 100)
}

/// The times of the last use of every row of a player or a texture.
async fn uses(bench: &Bench) -> Vec<SystemTime> {
    bench.service.flush().await;
    let players = bench.store.players().into_iter();
    let mut uses: Vec<SystemTime> = players.map(|row| row.used_at).collect();
    uses.extend(bench.store.textures().into_iter().map(|(_, at)| at));
    uses
}

#[tokio::test]
async fn a_use_is_written_once_an_hour() {
    let bench = bench();
    bench.served(face(8, "Notch")).await;
    bench.served(face(8, "Notch")).await;
    let first = bench.clock.now();
    // The record, the name, and the texture.
    assert_eq!(uses(&bench).await, [first; 3]);
    bench.clock.advance(HOUR - Duration::from_secs(1));
    bench.served(face(8, "Notch")).await;
    assert_eq!(uses(&bench).await, [first; 3]);
    bench.clock.advance(Duration::from_secs(1));
    bench.served(face(8, "Notch")).await;
    assert_eq!(uses(&bench).await, [bench.clock.now(); 3]);
}

#[tokio::test]
async fn a_use_after_a_restart_is_written() {
    let bench = bench();
    bench.served(face(8, "Notch")).await;
    bench.service.flush().await;
    bench.clock.advance(HOUR / 2);
    let restarted = bench.another(|config| config.fresh = HOUR * 100);
    restarted.served(face(8, "Notch")).await;
    assert_eq!(uses(&restarted).await, [bench.clock.now(); 3]);
}
