//! Simultaneous requests share their work.

use crate::support::{Bench, specified, until};
use effigy_render::Layers;
use effigy_service::{Fault, PictureParams};

const HEAD: PictureParams = specified::head(None, Layers::Base);

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
    until(|| bench.metric("effigy_resolves_in_flight", "") == 0).await;
    // The caller that led has not been polled since.
    picture(32).await;
    first.await;
    assert_eq!(bench.source.lookups(), 1);
}

#[tokio::test]
async fn too_many_players_at_once_fail_at_once() {
    let bench = Bench::new();
    bench.source.hold();
    let ask = |number| bench.spawn(HEAD.of_player(format!("Player{number}")));
    let mut tasks: Vec<_> = (0..256).map(ask).collect();
    until(|| bench.source.lookups() == 256).await;
    let one_too_many = || bench.get(HEAD.of_player("OneTooMany"));
    let refused = one_too_many().await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Overloaded, "{refused:?}");
    // A request for a player that is being looked up needs no permit.
    tasks.push(bench.spawn(PictureParams::SKIN.of_player("Player0")));
    bench.source.release();
    for task in tasks {
        assert!(task.await.unwrap().is_ok());
    }
    assert!(one_too_many().await.is_ok());
}
