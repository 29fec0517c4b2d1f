//! Players who are reused for a while, by the requests that allow it.

use std::time::Duration;

use crate::support::{Answer, Bench, specified, until};
use effigy_render::Layers;
use effigy_service::{FileRequest, Origin, PictureParams, Substitute};

const TTL: Duration = Duration::from_secs(60);

/// A picture of a size that no other request of the test has.
fn head(size: u32, input: &str) -> FileRequest {
    specified::head(Some(size), Layers::Base).of_player(input)
}

#[tokio::test]
async fn ten_pictures_of_a_player_take_one_look_up() {
    let bench = Bench::new();
    for (size, input) in (1..11).zip(["Notch", "notch", "NOTCH"].into_iter().cycle()) {
        let image = bench.get(head(size, input).reusing_players());
        assert_eq!(image.await.unwrap().origin, Origin::Render);
    }
    assert_eq!(bench.source.lookups(), 1);
    assert_eq!(bench.java_count().await, 10, "each is a render");
    let other = head(1, "jeb_").reusing_players();
    bench.image(other).await;
    assert_eq!(bench.source.lookups(), 2);
}

#[tokio::test]
async fn a_player_is_reused_for_the_configured_time_and_one_who_may_be_another_for_a_second() {
    let (none, second) = (Duration::ZERO, Duration::from_secs(1));
    let milli = Duration::from_millis(1);
    let (own, uncertain) = (Answer::Own, Answer::Uncertain);
    for (answer, ttl, age, lookups) in [
        (own, TTL, TTL - milli, 1),
        (own, TTL, TTL, 2),
        (own, none, none, 2),
        (uncertain, TTL, second - milli, 1),
        (uncertain, TTL, second, 2),
        (uncertain, none, none, 2),
    ] {
        let bench = Bench::with_config(|config| config.player_ttl = ttl);
        bench.source.answer(answer);
        for size in 1..3 {
            let origin = bench.origin(head(size, "Notch").reusing_players()).await;
            assert_eq!(origin, Origin::of(answer == own));
            bench.clock.advance(age);
        }
        assert_eq!(
            bench.source.lookups(),
            lookups,
            "{answer:?} {ttl:?} {age:?}"
        );
    }
}

#[tokio::test]
async fn a_substitute_who_may_be_another_one_is_reused() {
    let bench = Bench::new();
    bench.source.answer(Answer::Uncertain);
    let mut request = PictureParams::SKIN.of_own_skin().of_player("Notch");
    request.substitute = Some(Substitute {
        player: "Alex".into(),
        otherwise: None,
        in_outage: true,
    });
    for _ in 0..3 {
        let origin = bench.origin(request.clone()).await;
        assert_eq!(origin, Origin::OutageFallback);
    }
    assert_eq!(bench.source.lookups(), 3 + 1);
}

/// Spec: every uncached render begins with a fresh look-up.
#[tokio::test]
async fn other_requests_look_up_afresh_unless_all_may_reuse() {
    for (everywhere, lookups) in [(false, 3), (true, 1)] {
        let bench = Bench::with_config(|config| config.player_ttl_everywhere = everywhere);
        for size in 1..4 {
            bench.image(head(size, "Notch")).await;
        }
        assert_eq!(bench.source.lookups(), lookups);
        // Their look-ups are reused by those that may.
        let reusing = head(9, "Notch").reusing_players();
        bench.image(reusing).await;
        assert_eq!(bench.source.lookups(), lookups);
    }
}

#[tokio::test]
async fn neither_a_failure_nor_an_outage_is_reused() {
    for (answer, steve) in [
        (Answer::Missing, Answer::Down),
        (Answer::Down, Answer::Down),
        (Answer::Down, Answer::Own),
    ] {
        let bench = Bench::new();
        bench.source.answers(answer, steve);
        let _ = bench.get(head(1, ".Tag").reusing_players()).await;
        bench.source.answer(Answer::Own);
        let own = bench.get(head(1, ".Tag").reusing_players()).await;
        assert_eq!(own.unwrap().origin, Origin::Render, "{answer:?}");
        assert_eq!(bench.source.lookups(), 2, "{answer:?}");
    }
}

#[tokio::test]
async fn a_look_up_is_reused_from_the_moment_it_ends() {
    let bench = Bench::new();
    let picture = |size| bench.image(head(size, "Notch").reusing_players());
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
