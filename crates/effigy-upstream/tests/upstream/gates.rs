//! The gates as the other end sees them: what reaches the upstream, and what does not.

use std::num::NonZeroU32;
use std::thread;
use std::time::{Duration, Instant};

use effigy_upstream::{
    Budget, Budgets, Circuit, Hold, Policy, ResolvedSkin, Resolver, SkinOrigin, SkinSource as _,
    Upstream, UpstreamConfig, UpstreamError, UpstreamState, UreqTransport,
};
use fixtures::{Fault, Step};

use crate::world::{World, resolve};

const GWENDOLIN: &str = "523239d6f3954d778c25aa3d0db1e779";

type Outcome = Result<ResolvedSkin, UpstreamError>;

/// Resolves so many times at once.
fn herd(resolver: &Resolver<UreqTransport>, input: &str, size: usize) -> Vec<Outcome> {
    thread::scope(|scope| {
        let all: Vec<_> = (0..size)
            .map(|_| scope.spawn(|| resolve(resolver, input)))
            .collect();
        all.into_iter()
            .map(|one| one.join().expect("no panic"))
            .collect()
    })
}

/// Lets time pass on the clock.
fn pass(world: &World, time: Duration) {
    *world.clock.lock().expect("nobody panicked") += time;
}

fn held(outcome: &Outcome) -> Option<Hold> {
    match outcome {
        Err(UpstreamError::Limited { hold, .. }) => Some(*hold),
        _ => None,
    }
}

fn state(resolver: &Resolver<UreqTransport>, upstream: Upstream) -> UpstreamState {
    let states = resolver.states();
    let state = states.into_iter().find(|state| state.upstream == upstream);
    state.expect("every upstream has a state")
}

#[test]
fn a_herd_is_no_larger_than_the_places() {
    let world = World::start();
    world.fake.set_fault(Step::Session, Some(Fault::Hold));
    let resolver = world.resolver(UpstreamConfig {
        policy: Policy {
            concurrency: NonZeroU32::new(5).unwrap(),
            ..Policy::default()
        },
        ..world.config()
    });
    thread::scope(|scope| {
        let inside = scope.spawn(|| herd(&resolver, GWENDOLIN, 5));
        assert!(
            world
                .fake
                .wait_for_calls(Step::Session, 5, Duration::from_secs(30))
        );
        assert_eq!(state(&resolver, Upstream::Session).calls, 5);
        for outcome in herd(&resolver, GWENDOLIN, 50) {
            assert_eq!(held(&outcome), Some(Hold::Busy), "{outcome:?}");
        }
        assert_eq!(world.fake.calls(Step::Session), 5);
        assert!(resolver.ping().is_ok(), "another upstream");
        world.fake.set_fault(Step::Session, None);
        assert!(inside.join().unwrap().iter().all(Result::is_ok));
    });
    assert_eq!(state(&resolver, Upstream::Session).calls, 0);
    assert!(resolve(&resolver, GWENDOLIN).is_ok());
}

#[test]
fn a_page_of_a_hundred_heads_is_served_whole() {
    let world = World::start();
    world.fake.set_fault(Step::Session, Some(Fault::Hold));
    let resolver = world.resolver(world.config());
    thread::scope(|scope| {
        let page = scope.spawn(|| herd(&resolver, GWENDOLIN, 100));
        let patience = Duration::from_secs(30);
        let all_came = world.fake.wait_for_calls(Step::Session, 100, patience);
        world.fake.set_fault(Step::Session, None);
        assert!(all_came);
        for outcome in page.join().unwrap() {
            assert!(outcome.is_ok(), "{outcome:?}");
        }
    });
}

#[test]
fn a_budget_is_spent_at_once_and_never_more() {
    let world = World::start();
    let window = Duration::from_secs(600);
    let resolver = world.resolver(UpstreamConfig {
        budgets: Budgets {
            session: Budget::new(30, window),
            ..Budgets::default()
        },
        ..world.config()
    });
    for round in 1..4 {
        let outcomes = herd(&resolver, GWENDOLIN, 50);
        let spent = |outcome: &&Outcome| held(outcome) == Some(Hold::BudgetSpent);
        assert_eq!(
            outcomes.iter().filter(|outcome| outcome.is_ok()).count(),
            30
        );
        assert_eq!(outcomes.iter().filter(spent).count(), 20);
        assert_eq!(world.fake.calls(Step::Session), round * 30);
        assert_eq!(state(&resolver, Upstream::Session).budget_left, Some(0));
        pass(&world, window);
    }
}

#[test]
fn an_objection_is_heeded_for_as_long_as_it_asks() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    for (code, retry_after, pause, hold) in [
        (429, Some(7), 7, Hold::TooManyRequests),
        (403, Some(90), 90, Hold::Refused),
        (403, None, 1, Hold::Refused),
        (429, None, 2, Hold::TooManyRequests),
    ] {
        world.fake.reset_calls();
        let fault = Fault::Status { code, retry_after };
        world.fake.set_fault(Step::Session, Some(fault));
        assert!(resolve(&resolver, GWENDOLIN).is_err());
        world.fake.set_fault(Step::Session, None);
        for _ in 0..10 {
            assert_eq!(held(&resolve(&resolver, GWENDOLIN)), Some(hold));
        }
        assert_eq!(world.fake.calls(Step::Session), 1, "{code}");
        let pause = Duration::from_secs(pause);
        assert_eq!(state(&resolver, Upstream::Session).paused_for, Some(pause));
        pass(&world, pause);
    }
    assert!(resolve(&resolver, GWENDOLIN).is_ok());
    assert_eq!(state(&resolver, Upstream::Session).paused_for, None);
}

#[test]
fn an_upstream_that_hangs_is_only_probed_and_used_again_at_once() {
    let world = World::start();
    world.fake.set_fault(Step::Session, Some(Fault::Hang));
    let resolver = world.resolver(UpstreamConfig {
        timeout: Duration::from_secs(1),
        ..world.config()
    });
    assert_eq!(herd(&resolver, GWENDOLIN, 19).len(), 19);
    assert_eq!(state(&resolver, Upstream::Session).circuit, Circuit::Closed);
    assert!(resolve(&resolver, GWENDOLIN).is_err());
    assert_eq!(state(&resolver, Upstream::Session).circuit, Circuit::Open);
    assert_eq!(world.fake.calls(Step::Session), 20);

    for probe in 1..4 {
        let start = Instant::now();
        for outcome in herd(&resolver, GWENDOLIN, 20) {
            assert_eq!(held(&outcome), Some(Hold::CircuitOpen), "{outcome:?}");
        }
        assert!(start.elapsed() < Duration::from_secs(10), "nobody waits");
        pass(&world, Duration::from_secs(2));
        let outcomes = herd(&resolver, GWENDOLIN, 20);
        let kept_out = outcomes.iter().filter(|outcome| held(outcome).is_some());
        assert_eq!(kept_out.count(), 19);
        assert_eq!(world.fake.calls(Step::Session), 20 + probe);
    }

    world.fake.set_fault(Step::Session, None);
    assert!(held(&resolve(&resolver, GWENDOLIN)).is_some());
    pass(&world, Duration::from_secs(2));
    assert!(resolve(&resolver, GWENDOLIN).is_ok());
    assert_eq!(state(&resolver, Upstream::Session).circuit, Circuit::Closed);
    assert!(herd(&resolver, GWENDOLIN, 20).iter().all(Result::is_ok));
}

#[test]
fn an_upstream_that_fails_quickly_is_used_the_moment_it_has_recovered() {
    for fault in [Fault::status(500), Fault::status(503), Fault::Drop] {
        let world = World::start();
        world.fake.set_fault(Step::Session, Some(fault.clone()));
        let resolver = world.resolver(world.config());
        for _ in 0..50 {
            assert!(held(&resolve(&resolver, GWENDOLIN)).is_none(), "{fault:?}");
        }
        world.fake.set_fault(Step::Session, None);
        assert!(resolve(&resolver, GWENDOLIN).is_ok(), "{fault:?}");
    }
}

#[test]
fn bedrock_players_have_steve_while_their_look_up_hangs() {
    let world = World::start();
    world.fake.set_fault(Step::BedrockSkin, Some(Fault::Hang));
    let resolver = world.resolver(UpstreamConfig {
        timeout: Duration::from_secs(1),
        ..world.config()
    });
    for round in [20, 200] {
        for outcome in herd(&resolver, "00002535468413142004", round) {
            assert_eq!(outcome.unwrap().origin, SkinOrigin::Outage);
        }
        assert_eq!(world.fake.calls(Step::BedrockSkin), 20);
    }
}

#[test]
fn who_is_asking() {
    let world = World::start();
    let resolver = world.resolver(UpstreamConfig {
        contact: Some("admin@example.com".to_owned()),
        ..world.config()
    });
    assert!(resolver.ping().is_ok());
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!("Effigy/{version} (+admin@example.com)");
    assert_eq!(world.fake.last_user_agent(), Some(expected));
}
