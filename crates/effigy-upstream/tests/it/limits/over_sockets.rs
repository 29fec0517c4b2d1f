//! The limits as the upstream sees them: which calls reach it.

use std::num::NonZeroU32;
use std::thread;
use std::time::Duration;

use effigy_upstream::{
    LimitReason, ProviderChain, Rate, RateLimits, SkinSource as _, Upstream, UpstreamConfig,
    UpstreamError, UpstreamState,
};
use fixtures::{Fault, Step};

use super::assert_limited;
use crate::support::resolve::{Resolve as _, Resolved};
use crate::support::world::{World, resolve};

const GWENDOLIN: &str = "523239d6f3954d778c25aa3d0db1e779";

type Outcome = Result<Resolved, UpstreamError>;

/// Resolves this many times at once.
fn herd(resolver: &ProviderChain, input: &str, size: usize) -> Vec<Outcome> {
    thread::scope(|scope| {
        let one = |_| scope.spawn(|| resolve(resolver, input));
        let all: Vec<_> = (0..size).map(one).collect();
        let all = all.into_iter().map(|one| one.join().expect("no panic"));
        all.collect()
    })
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
        let patience = Duration::from_secs(30);
        assert!(world.fake.wait_for_calls(Step::Session, 5, patience));
        assert_eq!(state(&resolver, Upstream::Session).calls, 5);
        for outcome in herd(&resolver, GWENDOLIN, 50) {
            let limit = outcome.as_ref().err().and_then(UpstreamError::limit);
            assert_eq!(limit, Some(LimitReason::Concurrency), "{outcome:?}");
        }
        assert_eq!(world.fake.calls(Step::Session), 5);
        assert!(resolver.first_ping().is_ok(), "another upstream");
        world.fake.set_fault(Step::Session, None);
        assert!(inside.join().unwrap().iter().all(Result::is_ok));
    });
    assert_eq!(state(&resolver, Upstream::Session).calls, 0);
    assert!(resolve(&resolver, GWENDOLIN).is_ok());
}

/// As a page of a hundred heads causes.
#[test]
fn the_default_limit_lets_a_hundred_calls_at_once_through() {
    let world = World::start();
    world.fake.set_fault(Step::Session, Some(Fault::Hold));
    let resolver = world.resolver(world.config());
    thread::scope(|scope| {
        let page = scope.spawn(|| herd(&resolver, GWENDOLIN, 100));
        let patience = Duration::from_secs(30);
        let all_came = world.fake.wait_for_calls(Step::Session, 100, patience);
        world.fake.set_fault(Step::Session, None);
        assert!(all_came && page.join().unwrap().iter().all(Result::is_ok));
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
        let refused = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
        let (step, used_up) = (effigy_upstream::Step::Session, LimitReason::RateLimit);
        let refused = refused.inspect(|error| assert_limited(error, step, used_up, window));
        assert_eq!(refused.count(), 20);
        assert_eq!(world.fake.calls(Step::Session), round * 30);
        let state = state(&resolver, Upstream::Session);
        assert_eq!(state.rate_limit_left, Some(0));
        assert_eq!(state.limited, Some(used_up));
        *world.clock.lock().expect("nobody panicked") += window;
    }
}
