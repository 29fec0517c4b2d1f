//! Simultaneous requests share their work.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::Arc;

use effigy_render::{Facing, Layers};
use effigy_service::{Image, Origin, Picture, ServiceError, SizeParameter};
use support::{Answer, Bench, until};
use tokio::task::JoinHandle;

type Outcome = Result<Image, Arc<ServiceError>>;

const HEAD: Picture = Picture::Head {
    layers: Layers::Base,
    size: SizeParameter::Default,
};

/// Lets every task run until it waits for the upstream. The runtime has one thread, so each round
/// polls all that were ready before it; a request is three tasks deep.
async fn settle() {
    for _ in 0..3 {
        tokio::spawn(async {}).await.unwrap();
    }
}

/// Asks for the pictures at one time, with the upstream held until all have been asked for.
async fn ask_together(bench: &Bench, asked: &[(Picture, &str)]) -> Vec<Outcome> {
    bench.source.hold();
    let tasks: Vec<JoinHandle<Outcome>> = asked
        .iter()
        .map(|&(picture, input)| {
            let (service, input) = (bench.service.clone(), input.to_owned());
            tokio::spawn(async move { service.image(picture, &input).await })
        })
        .collect();
    until(|| bench.source.look_ups() > 0).await;
    settle().await;
    bench.source.release();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

#[tokio::test]
async fn two_hundred_requests_for_one_cold_key_share_one_render() {
    let bench = Bench::new();
    let outcomes = ask_together(&bench, &[(HEAD, "Notch"); 200]).await;
    let first = outcomes[0].as_ref().unwrap();
    for outcome in &outcomes {
        let image = outcome.as_ref().unwrap();
        assert_eq!(image.file, first.file);
        assert_eq!(image.origin, Origin::Render);
    }
    assert_eq!(bench.source.look_ups(), 1);
    // One render: shared waits do not count.
    assert_eq!(bench.java_count().await, 1);
}

#[tokio::test]
async fn several_views_of_one_player_share_one_look_up() {
    let bench = Bench::new();
    let mut asked: Vec<(Picture, &str)> = [16, 32, 64]
        .map(|side| {
            let size = SizeParameter::pixels(side);
            (
                Picture::Player {
                    layers: Layers::Base,
                    size,
                },
                "Notch",
            )
        })
        .to_vec();
    let facing = Facing::Left;
    let size = SizeParameter::Default;
    asked.push((Picture::Avatar { facing, size }, "Notch"));
    asked.push((Picture::Ioshead { facing, size }, "Notch"));
    asked.push((Picture::Skin, "Notch"));
    let outcomes = ask_together(&bench, &asked).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(bench.source.look_ups(), 1);
    // Each of them is a render of its own.
    assert_eq!(bench.java_count().await, asked.len() as u64);
}

#[tokio::test]
async fn other_players_are_looked_up_apart() {
    let bench = Bench::new();
    let outcomes = ask_together(&bench, &[(HEAD, "Notch"), (HEAD, "Steve")]).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(bench.source.look_ups(), 2);
}

#[tokio::test]
async fn a_failure_reaches_everybody_who_waits_and_nobody_after() {
    let bench = Bench::new();
    bench.source.answer(Answer::Down);
    let outcomes = ask_together(
        &bench,
        &[(HEAD, "Notch"), (HEAD, "Notch"), (Picture::Skin, "Notch")],
    )
    .await;
    for outcome in &outcomes {
        let error = outcome.as_ref().unwrap_err();
        assert!(matches!(**error, ServiceError::Upstream(_)), "{error:?}");
    }
    assert_eq!(bench.source.look_ups(), 1);

    bench
        .source
        .answer(Answer::Skin(effigy_upstream::SkinOrigin::Own));
    assert!(bench.service.image(HEAD, "Notch").await.is_ok());
}

#[tokio::test]
async fn a_panic_reaches_everybody_who_waits_as_an_error() {
    let bench = Bench::new();
    bench.source.answer(Answer::Panic);
    let outcomes = ask_together(&bench, &[(HEAD, "Notch"), (HEAD, "Notch")]).await;
    for outcome in &outcomes {
        let error = outcome.as_ref().unwrap_err();
        assert!(matches!(**error, ServiceError::Interrupted), "{error:?}");
    }
}

#[tokio::test]
async fn a_caller_that_goes_away_takes_nothing_with_it() {
    let bench = Bench::new();
    bench.source.hold();
    let leader = {
        let service = bench.service.clone();
        tokio::spawn(async move { service.image(HEAD, "Notch").await })
    };
    until(|| bench.source.look_ups() == 1).await;
    let waiter = {
        let service = bench.service.clone();
        tokio::spawn(async move { service.image(HEAD, "Notch").await })
    };
    leader.abort();
    assert!(leader.await.is_err());
    bench.source.release();
    assert!(waiter.await.unwrap().is_ok());
    assert_eq!(bench.source.look_ups(), 1);
}

#[tokio::test]
async fn too_many_players_at_once_fail_at_once() {
    let bench = Bench::new();
    bench.source.hold();
    let tasks: Vec<JoinHandle<Outcome>> = (0..256)
        .map(|number| {
            let service = bench.service.clone();
            tokio::spawn(async move { service.image(HEAD, &format!("Player{number}")).await })
        })
        .collect();
    until(|| bench.source.look_ups() == 256).await;

    let refused = bench.service.image(HEAD, "OneTooMany").await.unwrap_err();
    assert!(
        matches!(*refused, ServiceError::Overloaded { .. }),
        "{refused:?}"
    );
    // Who asks for a player that is being looked up needs no place.
    let waiter = {
        let service = bench.service.clone();
        tokio::spawn(async move { service.image(Picture::Skin, "Player0").await })
    };
    bench.source.release();
    assert!(waiter.await.unwrap().is_ok());
    for task in tasks {
        assert!(task.await.unwrap().is_ok());
    }
    assert!(bench.service.image(HEAD, "OneTooMany").await.is_ok());
}

#[tokio::test]
async fn pictures_in_the_making_are_bounded() {
    let bench = Bench::new();
    bench.source.hold();
    // One player, so that one look-up holds them all.
    let tasks: Vec<JoinHandle<Outcome>> = (1..=512)
        .map(|side| {
            let (service, layers) = (bench.service.clone(), Layers::Base);
            let size = SizeParameter::pixels(side);
            tokio::spawn(
                async move { service.image(Picture::Head { layers, size }, "Notch").await },
            )
        })
        .collect();
    until(|| bench.service.figures().misses_in_flight == 512).await;
    let refused = bench.service.image(HEAD, "Steve").await.unwrap_err();
    assert!(
        matches!(*refused, ServiceError::Overloaded { .. }),
        "{refused:?}"
    );
    bench.source.release();
    for task in tasks {
        assert!(task.await.unwrap().is_ok());
    }
    assert_eq!(bench.service.figures().misses_in_flight, 0);
    assert!(bench.service.image(HEAD, "Steve").await.is_ok());
}
