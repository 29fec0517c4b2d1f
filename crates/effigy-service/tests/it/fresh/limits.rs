//! The limits of upstreams.

use std::time::Duration;

use effigy_render::Layers;
use effigy_service::{FileRequest, Rate};

use crate::support::{Answer, Bench, Call, FakeSource, MINUTE, SKIN, face, specified};

const SECOND: Duration = Duration::from_secs(1);

fn head(size: u32) -> FileRequest {
    specified::head(Some(size), Layers::WithOverlay).of_player("Notch")
}

#[tokio::test]
async fn a_profile_is_checked_once_per_interval() {
    let bench = Bench::with_config(|config| config.fresh = Duration::ZERO);
    bench.source.state().interval = MINUTE;
    bench.served(face(8, "Notch")).await;
    for (wait, checks) in [
        (SECOND, 0),
        (MINUTE - SECOND * 2, 0),
        (SECOND, 1),
        (SECOND, 1),
    ] {
        bench.clock.advance(wait);
        bench.served(face(8, "Notch")).await;
        assert_eq!(bench.source.calls_of(Call::Renewal), checks, "{wait:?}");
    }
}

#[tokio::test]
async fn without_an_interval_every_old_record_is_checked() {
    let bench = Bench::with_config(|config| config.fresh = Duration::ZERO);
    bench.served(face(8, "Notch")).await;
    for checks in 1..=3 {
        bench.clock.advance(SECOND);
        bench.served(face(8, "Notch")).await;
        assert_eq!(bench.source.calls_of(Call::Renewal), checks);
    }
}

#[tokio::test]
async fn a_specified_look_up_is_made_within_the_interval() {
    let bench = Bench::new();
    bench.source.state().interval = MINUTE;
    bench.served(head(8)).await;
    bench.source.wear("Notch", "knight");
    bench.clock.advance(SECOND);
    assert_eq!(bench.seen_on(head(9)).await, "knight");
}

#[tokio::test]
async fn a_429_within_the_interval_answers_with_the_record() {
    let bench = Bench::new();
    bench.source.state().interval = MINUTE;
    bench.served(head(8)).await;
    bench.source.answer(Answer::TooMany);
    bench.clock.advance(MINUTE - SECOND);
    assert_eq!(bench.seen_on(head(9)).await, SKIN);
    bench.clock.advance(SECOND);
    assert!(bench.get(head(10)).await.unwrap_err().is_outage());
}

#[tokio::test]
async fn a_429_answers_with_a_stored_record_too() {
    let bench = Bench::new();
    bench.source.state().interval = MINUTE;
    bench.served(head(8)).await;
    let restarted = bench.restarted().await;
    bench.source.answer(Answer::TooMany);
    assert_eq!(restarted.seen_on(head(9)).await, SKIN);
}

#[tokio::test]
async fn checks_use_at_most_half_of_a_budget() {
    let source = FakeSource::new();
    source.limit(Rate::new(10, MINUTE * 60).unwrap());
    let bench = Bench::with_source(source, |_| ());
    let players: Vec<String> = (0..8).map(|number| format!("Player{number}")).collect();
    for player in &players {
        bench.served(face(8, player)).await;
    }
    bench.clock.advance(MINUTE);
    for player in &players {
        assert_eq!(bench.seen(player).await, SKIN, "{player}");
    }
    assert_eq!(bench.source.calls_of(Call::Renewal), 5);
}
