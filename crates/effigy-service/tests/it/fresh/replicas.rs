//! Several services on one store.

use crate::support::{Bench, Call, MINUTE, NOTCH, SKIN, face};

/// Two replicas on one store.
fn replicas() -> (Bench, Bench) {
    let first = Bench::with_config(|config| config.shared_store = true);
    let second = first.another(|config| config.shared_store = true);
    (first, second)
}

#[tokio::test]
async fn a_player_who_one_replica_knows_is_known_to_the_other() {
    let (first, second) = replicas();
    first.served(face(8, "Notch")).await;
    first.service.flush().await;
    for input in ["Notch", NOTCH] {
        assert_eq!(second.seen(input).await, SKIN);
    }
    assert_eq!(first.source.lookups(), 1);
}

#[tokio::test]
async fn replicas_follow_each_other_and_share_checks() {
    let (first, second) = replicas();
    first.served(face(8, "Notch")).await;
    first.service.flush().await;
    second.served(face(8, "Notch")).await;
    first.source.wear("Notch", "knight");
    first.clock.advance(MINUTE);
    assert_eq!(first.seen("Notch").await, "knight");
    first.service.flush().await;
    assert_eq!(second.seen("Notch").await, "knight");
    assert_eq!(first.source.calls_of(Call::Renewal), 1);
}

#[tokio::test]
async fn an_unchanged_check_of_another_replica_is_taken_over() {
    let (first, second) = replicas();
    first.served(face(8, "Notch")).await;
    first.service.flush().await;
    second.served(face(8, "Notch")).await;
    first.clock.advance(MINUTE);
    first.served(face(8, "Notch")).await;
    first.service.flush().await;
    second.served(face(8, "Notch")).await;
    assert_eq!(first.source.calls_of(Call::Renewal), 1);
}

#[tokio::test]
async fn a_check_that_another_replica_made_long_ago_is_made_again() {
    let (first, second) = replicas();
    first.served(face(8, "Notch")).await;
    first.service.flush().await;
    second.served(face(8, "Notch")).await;
    first.clock.advance(MINUTE);
    first.served(face(8, "Notch")).await;
    first.service.flush().await;
    first.source.wear("Notch", "knight");
    first.clock.advance(MINUTE);
    assert_eq!(second.seen("Notch").await, "knight");
}

#[tokio::test]
async fn a_version_that_another_replica_knows_makes_no_check() {
    let (first, second) = replicas();
    let version = |version| face(8, "Notch").with_version(Some(version));
    first.served(version(1)).await;
    first.service.flush().await;
    second.served(version(1)).await;
    first.clock.advance(MINUTE / 2);
    first.served(version(2)).await;
    first.service.flush().await;
    let checks = first.source.calls_of(Call::Renewal);
    second.served(version(2)).await;
    assert_eq!(first.source.calls_of(Call::Renewal), checks);
    second.served(version(3)).await;
    assert_eq!(first.source.calls_of(Call::Renewal), checks + 1);
}
