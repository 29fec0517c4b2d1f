//! Writes after the response: pictures and counts survive failures of the database.

use std::time::{Duration, Instant};

use crate::support::{Answer, Bench, face, specified};
use effigy_player::Edition::{Bedrock, Java};
use effigy_render::Layers;
use effigy_service::{Origin, PictureParams, ShelfLife};
use effigy_store::{Counts as _, HealthStatus};
use fixtures::Failing;

const HEAD: PictureParams = specified::head(None, Layers::Base);

#[tokio::test]
async fn pictures_and_counts_outlast_an_outage_of_the_database() {
    let bench = Bench::with(Failing::Writes);
    let inputs = ["Notch", "Steve", ".Bluejay"];
    for input in inputs {
        bench.served(HEAD.of_player(input)).await;
    }
    tokio::time::pause();
    assert_eq!(bench.store.counts().await.unwrap()[0], (Java, 0));
    // The counts include those that are not written yet.
    let expected = [(Java, 2), (Bedrock, 1)];
    assert_eq!(bench.counts().await.unwrap(), expected);
    // The paused clock advances on its own; the writer retries in the meantime.
    tokio::time::sleep(Duration::from_millis(10_500)).await;
    bench.store.fail(Failing::Nothing);
    // The line of a health check is written again, and the pictures are not yet.
    let report = bench.service.health().await;
    assert_eq!(report.database, HealthStatus::Red);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(bench.store.counts().await.unwrap(), expected);
    assert_eq!(bench.counts().await.unwrap(), expected);
    for input in inputs {
        let key = format!("head_{}_default_default", input.to_lowercase());
        assert!(bench.stored(&key).await.is_some(), "{input}");
    }
}

#[tokio::test]
async fn a_picture_that_is_not_stored_is_counted_soon() {
    let bench = Bench::new();
    bench.source.answers(Answer::Down, Answer::Own);
    let shown = bench.served(HEAD.of_player(".Bluejay")).await;
    assert_eq!(shown.shelf_life, ShelfLife::Revalidate);
    tokio::time::pause();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let counts = bench.store.counts().await.unwrap();
    assert!(counts.contains(&(Bedrock, 1)), "{counts:?}");
}

/// The first requests for a player also write the record and its use, which wake the writer. After
/// them, the picture alone must do so.
#[tokio::test]
async fn a_picture_of_a_known_player_is_stored_soon() {
    let bench = Bench::new();
    for (size, pictures) in [(8, 1), (9, 2), (10, 3)] {
        bench.served(face(size, "Notch")).await;
        tokio::time::pause();
        tokio::time::sleep(Duration::from_millis(100)).await;
        tokio::time::resume();
        assert_eq!(bench.store.pictures(), pictures, "{size}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_queue_needs_no_database() {
    let bench = Bench::with(Failing::Writes);
    let flush = tokio::time::timeout(Duration::from_millis(500), bench.service.flush());
    assert!(
        flush.await.is_ok(),
        "it waits for a database that it does not need"
    );
}

#[tokio::test]
async fn a_database_that_fails_or_hangs_is_read_once_per_second() {
    for failing in [Failing::Reads, Failing::Hanging] {
        let bench = Bench::with(failing);
        let begun = Instant::now();
        for number in 0..50 {
            let input = format!("Player{number}");
            let origin = bench.origin(HEAD.of_player(&input)).await;
            assert_eq!(origin, Origin::Render);
        }
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(5), "{failing:?}: {took:?}");
        // One read at the start, and one in each second after that.
        let most = 2 + took.as_secs();
        assert!((1..=most).contains(&bench.store.lookups()), "{failing:?}");
    }
}

/// Otherwise somebody would have to ask for a picture first.
#[tokio::test]
async fn a_health_check_tells_that_the_database_can_be_read() {
    let bench = Bench::with(Failing::Reads);
    bench.served(HEAD.of_player("Notch")).await;
    for (failing, is_down) in [(Failing::Reads, 1), (Failing::Nothing, 0)] {
        bench.store.fail(failing);
        bench.clock.advance(Duration::from_secs(60));
        bench.service.health().await;
        assert_eq!(bench.metric("effigy_database_reads_down", ""), is_down);
    }
}

#[tokio::test]
async fn counts_are_right_while_they_move() {
    let bench = Bench::new();
    let looks = {
        let bench = bench.clone();
        tokio::spawn(async move {
            let mut last = 0;
            while last < 200 {
                let count = bench.java_count().await;
                assert!(count >= last, "{count} after {last}");
                last = count;
                tokio::task::yield_now().await;
            }
            last
        })
    };
    for number in 0..200 {
        let input = format!("Player{number}");
        bench.served(PictureParams::SKIN.of_player(&input)).await;
        if number % 10 == 0 {
            bench.service.flush().await;
        }
    }
    assert_eq!(looks.await.unwrap(), 200);
}

/// The clock may be set back, and another replica's may be ahead.
#[tokio::test]
async fn a_picture_from_the_future_is_drawn_anew() {
    let bench = Bench::new();
    bench.served(HEAD.of_player("Notch")).await;
    bench.service.flush().await;
    bench.clock.set_back(Duration::from_secs(600));
    for expected in [Origin::Render, Origin::Cache] {
        let origin = bench.origin(HEAD.of_player("Notch")).await;
        assert_eq!(origin, expected);
    }
}
