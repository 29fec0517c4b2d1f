//! Simultaneous requests share their work.

use crate::support::{Answer, Asked as _, Bench, specified, until};
use effigy_render::Layers;
use effigy_service::{Failure, Fault, Image, PictureParams, ServiceError};
use tokio::task::JoinHandle;

type Outcome = Result<Image, Failure>;

const HEAD: PictureParams = specified::head(None, Layers::Base);

/// Runs every task until it waits for the upstream. The runtime has one thread, so each round polls
/// all tasks that were ready before it, and a request is three tasks deep.
async fn settle() {
    for _ in 0..3 {
        tokio::spawn(async {}).await.unwrap();
    }
}

/// Requests the pictures simultaneously: the upstream waits until all are requested.
async fn ask_together(bench: &Bench, asked: &[(PictureParams, &str)]) -> Vec<Outcome> {
    bench.source.hold();
    let tasks: Vec<JoinHandle<Outcome>> = asked
        .iter()
        .map(|&(picture, input)| {
            let (service, input) = (bench.service.clone(), input.to_owned());
            tokio::spawn(async move { service.image(picture.of_player(&input)).await })
        })
        .collect();
    until(|| bench.source.lookups() > 0).await;
    settle().await;
    bench.source.release();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

#[tokio::test]
async fn a_look_up_is_reused_from_the_moment_it_ends() {
    let bench = Bench::new();
    let picture = |size| {
        bench.image(
            specified::head(Some(size), Layers::Base)
                .of_player("Notch")
                .reusing_players(),
        )
    };
    bench.source.hold();
    let mut first = Box::pin(picture(16));
    tokio::select! {
        _ = &mut first => unreachable!("the look-up has not ended"),
        () = until(|| bench.source.lookups() == 1) => {}
    }
    bench.source.release();
    until(|| bench.service.status().look_ups_in_flight == 0).await;
    // The caller that led has not been polled since.
    picture(32).await;
    first.await;
    assert_eq!(bench.source.lookups(), 1);
}

#[tokio::test]
async fn a_panic_reaches_every_waiter_as_an_error() {
    let bench = Bench::new();
    bench.source.answer(Answer::Panic);
    let outcomes = ask_together(&bench, &[(HEAD, "Notch"), (HEAD, "Notch")]).await;
    for outcome in &outcomes {
        let error = outcome.as_ref().unwrap_err();
        assert!(matches!(**error, ServiceError::Interrupted), "{error:?}");
    }
}

#[tokio::test]
async fn a_caller_that_leaves_does_not_stop_the_work() {
    let bench = Bench::new();
    bench.source.hold();
    let leader = {
        let service = bench.service.clone();
        tokio::spawn(async move { service.image(HEAD.of_player("Notch")).await })
    };
    until(|| bench.source.lookups() == 1).await;
    let waiter = {
        let service = bench.service.clone();
        tokio::spawn(async move { service.image(HEAD.of_player("Notch")).await })
    };
    leader.abort();
    assert!(leader.await.is_err());
    bench.source.release();
    assert!(waiter.await.unwrap().is_ok());
    assert_eq!(bench.source.lookups(), 1);
}

#[tokio::test]
async fn too_many_players_at_once_fail_at_once() {
    let bench = Bench::new();
    bench.source.hold();
    let tasks: Vec<JoinHandle<Outcome>> = (0..256)
        .map(|number| {
            let service = bench.service.clone();
            tokio::spawn(async move {
                service
                    .image(HEAD.of_player(format!("Player{number}")))
                    .await
            })
        })
        .collect();
    until(|| bench.source.lookups() == 256).await;

    let refused = bench
        .service
        .image(HEAD.of_player("OneTooMany"))
        .await
        .unwrap_err();
    assert_eq!(refused.fault(), Fault::Overloaded, "{refused:?}");
    // A request for a player that is being looked up needs no permit.
    let waiter = {
        let service = bench.service.clone();
        tokio::spawn(async move {
            service
                .image(PictureParams::SKIN.of_player("Player0"))
                .await
        })
    };
    bench.source.release();
    assert!(waiter.await.unwrap().is_ok());
    for task in tasks {
        assert!(task.await.unwrap().is_ok());
    }
    assert!(
        bench
            .service
            .image(HEAD.of_player("OneTooMany"))
            .await
            .is_ok()
    );
}
