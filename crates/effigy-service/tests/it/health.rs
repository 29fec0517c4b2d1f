//! The health check. Spec, "Health" and "Health status".

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::support::{Answer, Bench, down, until};
use effigy_service::{HealthReport, Service, ServiceConfig};
use effigy_store::{HealthEntry, HealthLog as _, HealthStatus};
use effigy_upstream::Ping;
use fixtures::Failing;
use tokio::task::JoinHandle;

/// The reason why a service is red that is in order again.
const MOST_FAILED: &str = "more than half of the recent checks failed";

/// Logs `count` earlier checks of this age.
async fn log(bench: &Bench, status: HealthStatus, count: usize, age: Duration) {
    for _ in 0..count {
        let entry = HealthEntry {
            status,
            message: "earlier".to_owned(),
            response_time: Duration::ZERO,
            timestamp: bench.clock.now() - age,
        };
        bench.store.record(&entry).await.unwrap();
    }
}

/// Checks the health in a task of its own.
fn check(bench: &Bench) -> JoinHandle<HealthReport> {
    let service = bench.service.clone();
    tokio::spawn(async move { service.health().await })
}

#[tokio::test]
async fn a_check_without_the_identity_service_is_logged_and_red() {
    use HealthStatus::{Green, Red};
    for (answer, status) in [
        (Answer::Own, Green),
        (Answer::Down, Red),
        (Answer::Panic, Red),
    ] {
        let bench = Bench::new();
        bench.source.answer(answer);
        let report = bench.service.health().await;
        assert_eq!(report.external_apis, status, "{answer:?}");
        assert_eq!((report.status, report.database), (status, Green));
        assert_eq!(report.timestamp, bench.clock.now());
        assert_eq!(report.error.is_some(), status == Red, "{answer:?}");
        let entries = bench.store.recent(10).await.unwrap();
        let logged = entries.iter().map(|entry| (entry.status, entry.timestamp));
        assert!(logged.eq([(status, bench.clock.now())]), "{entries:?}");
        assert_eq!(bench.source.state().pings, 1);
    }
}

#[tokio::test]
async fn a_failing_database_makes_the_check_red() {
    for failing in [Failing::Reads, Failing::Writes, Failing::Everything] {
        let bench = Bench::new();
        // Earlier checks that succeeded do not help.
        log(&bench, HealthStatus::Green, 3, Duration::ZERO).await;
        bench.store.fail(failing);
        let report = bench.service.health().await;
        assert_eq!(report.database, HealthStatus::Red, "{failing:?}");
        assert_eq!(report.external_apis, HealthStatus::Green);
        assert_eq!(report.status, HealthStatus::Red);
        assert!(report.error.is_some());
    }
}

#[tokio::test]
async fn the_status_follows_the_recent_checks() {
    use HealthStatus::{Green, Red, Yellow};
    let minute = Duration::from_secs(60);
    let well = Answer::Own;
    let down = Answer::Down;
    let rows = [
        // Half of the checks, including this one, are errors.
        (Red, 1, minute, well, Yellow, None),
        (Red, 2, minute, well, Red, Some(MOST_FAILED)),
        (Yellow, 1, minute, well, Yellow, None),
        (Green, 9, minute, well, Green, None),
        (Green, 9, minute, down, Yellow, None),
        // Older checks do not count.
        (Red, 9, minute * 6, well, Green, None),
    ];
    for (earlier, count, age, answer, status, error) in rows {
        let bench = Bench::new();
        log(&bench, earlier, count, age).await;
        bench.source.answer(answer);
        let report = bench.service.health().await;
        let found = (report.status, report.error);
        assert_eq!(found, (status, error), "{count} {earlier:?}");
    }
}

#[tokio::test]
async fn only_the_hundred_newest_checks_are_read() {
    let bench = Bench::new();
    log(&bench, HealthStatus::Red, 150, Duration::from_secs(2)).await;
    log(&bench, HealthStatus::Green, 99, Duration::from_secs(1)).await;
    let report = bench.service.health().await;
    assert_eq!(report.status, HealthStatus::Green);
    assert_eq!(report.recent.by_status, [100, 0, 0]);
}

#[tokio::test]
async fn simultaneous_checks_share_one_ping_and_outlive_a_caller() {
    let bench = Bench::new();
    bench.source.hold();
    let gone = check(&bench);
    until(|| bench.source.state().pings == 1).await;
    let others: Vec<_> = (0..50).map(|_| check(&bench)).collect();
    tokio::spawn(async {}).await.unwrap();
    gone.abort();
    assert!(gone.await.is_err());
    bench.source.release();
    for other in others {
        assert_eq!(other.await.unwrap().status, HealthStatus::Green);
    }
    assert_eq!(bench.source.state().pings, 1);
    assert_eq!(bench.store.recent(100).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_report_is_reused_for_a_second() {
    for (millis, pings) in [(0, 1), (999, 1), (1_000, 2)] {
        let bench = Bench::new();
        bench.source.answer(Answer::Down);
        let first = bench.service.health().await;
        assert_eq!(first.external_apis, HealthStatus::Red);
        bench.source.answer(Answer::Missing);
        bench.clock.advance(Duration::from_millis(millis));
        let second = bench.service.health().await;
        assert_eq!(second == first, pings == 1, "{millis} ms");
        assert_eq!(bench.source.state().pings, pings);
        assert_eq!(bench.store.recent(9).await.unwrap().len() as u64, pings);
    }
}

/// The database stalls for longer than a report is reused: only the first look at the clock is
/// before that.
#[tokio::test]
async fn a_report_is_new_when_it_is_made_however_long_that_took() {
    let bench = Bench::new();
    let begin = bench.clock.now();
    let is_stalled = AtomicBool::new(false);
    let clock = move || {
        if is_stalled.swap(true, Ordering::Relaxed) {
            begin + Duration::from_secs(10)
        } else {
            begin
        }
    };
    let store = Arc::new(bench.store.clone());
    let source = Arc::new(bench.source.clone());
    let service = Service::new(store, source, Arc::new(clock), ServiceConfig::default()).unwrap();
    // The second caller waits for the first one's report, and makes no check of its own after it.
    let (first, second) = tokio::join!(service.health(), service.health());
    assert_eq!(first, second);
    assert_eq!(bench.source.state().pings, 1);
}

#[tokio::test]
async fn one_provider_that_answers_is_enough() {
    use HealthStatus::{Green, Red, Yellow};
    let second = |answer| Ping {
        provider: "second".into(),
        answer,
        response_time: Duration::from_millis(9),
        age: Duration::from_secs(5),
    };
    let silent = || Err(down().into());
    let rows = [
        (Answer::Missing, Ok(()), Green, ""),
        (Answer::Missing, silent(), Yellow, "second does not answer"),
        (Answer::Down, Ok(()), Yellow, "first does not answer"),
        (Answer::Down, silent(), Red, ""),
    ];
    for (answer, other, expected, named) in rows {
        let bench = Bench::new();
        bench.source.answer(answer);
        bench.source.state().other_pings.push(second(other));
        let report = bench.service.health().await;
        assert_eq!(report.external_apis, expected, "{answer:?}");
        assert_eq!(report.status, expected);
        assert!(report.message.contains(named), "{}", report.message);
        assert_eq!(report.response_time, Duration::from_millis(9));
        assert_eq!(report.ping_age, Duration::from_secs(5));
    }
}
