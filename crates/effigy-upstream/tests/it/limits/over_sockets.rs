//! The limits as the upstream sees them: which calls reach it.

use std::num::NonZeroU32;
use std::thread;
use std::time::{Duration, Instant};

use effigy_upstream::{
    LimitReason, ProviderChain, Rate, RateLimits, SkinSource as _, Upstream, UpstreamConfig,
    UpstreamError, UpstreamState,
};
use fixtures::{Fault, Step};

use crate::support::resolve::Resolved;
use crate::support::world::{World, resolve};

const GWENDOLIN: &str = "523239d6f3954d778c25aa3d0db1e779";

type Outcome = Result<Resolved, UpstreamError>;

/// Resolves this many times at once.
fn herd(resolver: &ProviderChain, input: &str, size: usize) -> Vec<Outcome> {
    thread::scope(|scope| {
        let all: Vec<_> = (0..size)
            .map(|_| scope.spawn(|| resolve(resolver, input)))
            .collect();
        all.into_iter()
            .map(|one| one.join().expect("no panic"))
            .collect()
    })
}

/// Advances the clock.
fn pass(world: &World, time: Duration) {
    *world.clock.lock().expect("nobody panicked") += time;
}

fn limit(outcome: &Outcome) -> Option<LimitReason> {
    match outcome {
        Err(UpstreamError::Limited { reason, .. }) => Some(*reason),
        _ => None,
    }
}

fn state(resolver: &ProviderChain, upstream: Upstream) -> UpstreamState {
    let states = resolver.states();
    let state = states.into_iter().find(|state| state.upstream == upstream);
    state.expect("every upstream has a state")
}

#[test]
fn concurrent_calls_are_limited() {
    let world = World::start();
    world.fake.set_fault(Step::Session, Some(Fault::Hold));
    let resolver = world.resolver(UpstreamConfig {
        concurrency: NonZeroU32::new(5).unwrap(),
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
            assert_eq!(
                limit(&outcome),
                Some(LimitReason::Concurrency),
                "{outcome:?}"
            );
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
fn a_page_of_a_hundred_heads_is_served() {
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
fn a_rate_limit_allows_a_burst_and_no_more() {
    let world = World::start();
    let window = Duration::from_secs(600);
    let resolver = world.resolver(UpstreamConfig {
        rate_limits: RateLimits {
            session: Rate::new(30, window),
            ..RateLimits::default()
        },
        ..world.config()
    });
    for round in 1..4 {
        let outcomes = herd(&resolver, GWENDOLIN, 50);
        let limited = |outcome: &&Outcome| limit(outcome) == Some(LimitReason::RateLimit);
        assert_eq!(
            outcomes.iter().filter(|outcome| outcome.is_ok()).count(),
            30
        );
        assert_eq!(outcomes.iter().filter(limited).count(), 20);
        assert_eq!(world.fake.calls(Step::Session), round * 30);
        assert_eq!(state(&resolver, Upstream::Session).rate_limit_left, Some(0));
        pass(&world, window);
    }
}

#[test]
fn a_rejection_pauses_calls_for_retry_after() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    let reason = LimitReason::TooManyRequests;
    for (retry_after, pause) in [(Some(7), 7), (Some(90), 90), (None, 1), (None, 2)] {
        world.fake.reset_calls();
        let fault = Fault::Status {
            code: 429,
            retry_after,
        };
        world.fake.set_fault(Step::Session, Some(fault));
        assert!(resolve(&resolver, GWENDOLIN).is_err());
        world.fake.set_fault(Step::Session, None);
        for _ in 0..10 {
            assert_eq!(limit(&resolve(&resolver, GWENDOLIN)), Some(reason));
        }
        assert_eq!(world.fake.calls(Step::Session), 1, "{pause}");
        let pause = Duration::from_secs(pause);
        assert_eq!(state(&resolver, Upstream::Session).paused_for, Some(pause));
        pass(&world, pause);
    }
    assert!(resolve(&resolver, GWENDOLIN).is_ok());
    assert_eq!(state(&resolver, Upstream::Session).paused_for, None);
}

#[test]
fn an_upstream_that_times_out_is_only_probed_until_it_answers() {
    let world = World::start();
    world.fake.set_fault(Step::Session, Some(Fault::Hang));
    let resolver = world.resolver(UpstreamConfig {
        timeout: Duration::from_secs(1),
        ..world.config()
    });
    assert_eq!(herd(&resolver, GWENDOLIN, 19).len(), 19);
    assert!(!state(&resolver, Upstream::Session).is_circuit_open);
    assert!(resolve(&resolver, GWENDOLIN).is_err());
    assert!(state(&resolver, Upstream::Session).is_circuit_open);
    assert_eq!(world.fake.calls(Step::Session), 20);

    for probe in 1..4 {
        let start = Instant::now();
        for outcome in herd(&resolver, GWENDOLIN, 20) {
            assert_eq!(
                limit(&outcome),
                Some(LimitReason::CircuitOpen),
                "{outcome:?}"
            );
        }
        assert!(start.elapsed() < Duration::from_secs(10), "nobody waits");
        pass(&world, Duration::from_secs(2));
        let outcomes = herd(&resolver, GWENDOLIN, 20);
        let refused = outcomes.iter().filter(|outcome| limit(outcome).is_some());
        assert_eq!(refused.count(), 19);
        assert_eq!(world.fake.calls(Step::Session), 20 + probe);
    }

    world.fake.set_fault(Step::Session, None);
    assert!(limit(&resolve(&resolver, GWENDOLIN)).is_some());
    pass(&world, Duration::from_secs(2));
    assert!(resolve(&resolver, GWENDOLIN).is_ok());
    assert!(!state(&resolver, Upstream::Session).is_circuit_open);
    assert!(herd(&resolver, GWENDOLIN, 20).iter().all(Result::is_ok));
}

#[test]
fn an_upstream_that_fails_quickly_is_used_as_soon_as_it_recovers() {
    for fault in [Fault::status(500), Fault::status(503), Fault::Drop] {
        let world = World::start();
        world.fake.set_fault(Step::Session, Some(fault.clone()));
        let resolver = world.resolver(world.config());
        for _ in 0..50 {
            assert!(limit(&resolve(&resolver, GWENDOLIN)).is_none(), "{fault:?}");
        }
        world.fake.set_fault(Step::Session, None);
        assert!(resolve(&resolver, GWENDOLIN).is_ok(), "{fault:?}");
    }
}

#[test]
fn bedrock_players_are_not_looked_up_while_their_look_up_times_out() {
    let world = World::start();
    world.fake.set_fault(Step::BedrockSkin, Some(Fault::Hang));
    let resolver = world.resolver(UpstreamConfig {
        timeout: Duration::from_secs(1),
        ..world.config()
    });
    for round in [20, 200] {
        for outcome in herd(&resolver, "00002535468413142004", round) {
            assert!(outcome.unwrap_err().is_outage());
        }
        assert_eq!(world.fake.calls(Step::BedrockSkin), 20);
    }
}

#[test]
fn the_contact_is_sent() {
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
