//! The limits of an upstream together, and those of several upstreams.

use std::num::NonZeroU32;

use super::*;
use crate::{BaseUrl, Endpoints, RateLimits};

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn limits(max_calls: u32) -> UpstreamLimits {
    session_limits(max_calls, None)
}

fn rate_limited(calls: u32) -> UpstreamLimits {
    session_limits(1, Rate::new(calls, secs(10)))
}

/// Returns the limits of a service other than the public one.
fn session_limits(max_calls: u32, session: Option<Rate>) -> UpstreamLimits {
    let config = UpstreamConfig {
        endpoints: private_endpoints(),
        concurrency: NonZeroU32::new(max_calls).expect("not zero"),
        rate_limits: RateLimits {
            session,
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    };
    UpstreamLimits::for_upstreams(&[Upstream::Session], &"test".into(), &config).remove(0)
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Answered,
    Rejected(Option<Duration>),
    Refused,
    Failed,
    TimedOut,
    CutShort,
}

fn end(permit: Permit<'_>, now: Instant, outcome: Outcome) {
    let status = match outcome {
        Outcome::Answered => 200,
        Outcome::Rejected(_) => 429,
        Outcome::Refused => 403,
        _ => 500,
    };
    let response = Response {
        status,
        retry_after: match outcome {
            Outcome::Rejected(retry_after) => retry_after,
            _ => None,
        },
        ..Response::default()
    };
    let result = match outcome {
        Outcome::TimedOut | Outcome::CutShort => Err(TransportError::Timeout),
        _ => Ok(response),
    };
    permit.end(now, &result, outcome != Outcome::CutShort);
}

/// Makes a call that ends at once with `outcome`, or returns the limit that is reached.
fn call(limits: &UpstreamLimits, now: Instant, outcome: Outcome) -> Option<Limited> {
    match limits.begin(now) {
        Ok(permit) => {
            end(permit, now, outcome);
            None
        }
        Err(limited) => Some(limited),
    }
}

fn limited(reason: LimitReason, retry_after: Duration) -> Option<Limited> {
    Some(Limited {
        reason,
        retry_after,
    })
}

fn open_circuit(limits: &UpstreamLimits, now: Instant) {
    for _ in 0..20 {
        assert_eq!(call(limits, now, Outcome::TimedOut), None);
    }
}

#[test]
fn calls_beyond_the_concurrency_limit_are_refused_at_once() {
    let limits = limits(2);
    let now = Instant::now();
    let begin = || limits.begin(now);
    let first = begin().unwrap();
    let second = begin().unwrap();
    let busy = limited(LimitReason::Concurrency, Duration::ZERO);
    assert_eq!(begin().err(), busy);
    assert_eq!(limits.snapshot(now).calls, 2);
    end(first, now, Outcome::Failed);
    let third = begin().unwrap();
    assert_eq!(begin().err(), busy);
    drop((second, third));
    assert_eq!(limits.snapshot(now).calls, 0);
}

#[test]
fn a_panic_releases_the_permit() {
    let limits = rate_limited(3);
    let now = Instant::now();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _permit = limits.begin(now).unwrap();
        panic!("the transport is broken");
    }));
    assert!(panicked.is_err());
    let state = limits.snapshot(now);
    assert_eq!((state.calls, state.rate_limit_left), (0, Some(2)));
    assert_eq!(limits.snapshot(now + secs(10)).rate_limit_left, Some(3));
}

#[test]
fn a_refused_call_does_not_count() {
    let limits = rate_limited(5);
    let now = Instant::now();
    let permit = limits.begin(now).unwrap();
    let busy = limited(LimitReason::Concurrency, Duration::ZERO);
    assert_eq!(call(&limits, now, Outcome::Answered), busy);
    end(permit, now, Outcome::Rejected(None));
    let paused = limited(LimitReason::TooManyRequests, secs(1));
    assert_eq!(call(&limits, now, Outcome::Answered), paused);
    assert_eq!(limits.snapshot(now).rate_limit_left, Some(4));
}

#[test]
fn an_open_circuit_lets_its_probe_past_the_concurrency_limit() {
    let limits = limits(3);
    let start = Instant::now();
    let begin = |now| limits.begin(now);
    let _two_hang: Vec<Permit<'_>> = (0..2).map(|_| begin(start).unwrap()).collect();
    open_circuit(&limits, start);
    let probes: Vec<Permit<'_>> = (1..6)
        .map(|n| begin(start + secs(2 * n)).unwrap())
        .collect();
    assert_eq!(limits.snapshot(start).calls, 7);
    // The circuit closes with the first response; from then on the limit applies to all calls.
    let now = start + secs(11);
    for probe in probes {
        end(probe, now, Outcome::Answered);
    }
    let third = begin(now).unwrap();
    assert_eq!(
        begin(now).err(),
        limited(LimitReason::Concurrency, Duration::ZERO)
    );
    drop(third);
}

#[test]
fn a_response_of_any_kind_closes_the_circuit() {
    for (outcome, is_open) in [
        (Outcome::Answered, false),
        (Outcome::Rejected(None), false),
        (Outcome::Refused, false),
        (Outcome::Failed, true),
        (Outcome::TimedOut, true),
        (Outcome::CutShort, true),
    ] {
        let limits = limits(64);
        let start = Instant::now();
        open_circuit(&limits, start);
        let open = limited(LimitReason::CircuitOpen, secs(2));
        assert_eq!(call(&limits, start, outcome), open, "{outcome:?}");
        let now = start + secs(2);
        assert_eq!(call(&limits, now, outcome), None, "the probe");
        assert_eq!(limits.snapshot(now).is_circuit_open, is_open, "{outcome:?}");
        if outcome == Outcome::Answered {
            assert_eq!(call(&limits, now, outcome), None, "another call");
        }
    }
}

#[test]
fn only_full_timeouts_open_the_circuit() {
    let limits = limits(64);
    let now = Instant::now();
    for _ in 0..1000 {
        assert_eq!(call(&limits, now, Outcome::CutShort), None);
        assert_eq!(call(&limits, now, Outcome::Failed), None);
    }
    assert!(!limits.snapshot(now).is_circuit_open);
}

#[test]
fn the_state() {
    let limits = rate_limited(5);
    let now = Instant::now();
    let permit = limits.begin(now).unwrap();
    let mut expected = UpstreamState {
        provider: "test".into(),
        upstream: Upstream::Session,
        calls: 1,
        rate_limit_left: Some(4),
        paused_for: None,
        is_circuit_open: false,
        limited: Some(LimitReason::Concurrency),
    };
    assert_eq!(limits.snapshot(now), expected);
    end(permit, now, Outcome::Rejected(Some(secs(7))));
    expected.calls = 0;
    expected.paused_for = Some(secs(7));
    expected.limited = Some(LimitReason::TooManyRequests);
    assert_eq!(limits.snapshot(now), expected);
}

const UPSTREAMS: [Upstream; 5] = [
    Upstream::IdentityLegacy,
    Upstream::IdentityCurrent,
    Upstream::Session,
    Upstream::Bedrock,
    Upstream::Texture,
];

/// Returns the limits of the upstreams, in their order.
fn all_limits(endpoints: &Endpoints, rate_limits: RateLimits) -> Vec<UpstreamLimits> {
    let config = UpstreamConfig {
        endpoints: endpoints.clone(),
        rate_limits,
        ..UpstreamConfig::default()
    };
    UpstreamLimits::for_upstreams(&UPSTREAMS, &"test".into(), &config)
}

fn private_endpoints() -> Endpoints {
    let base = BaseUrl::parse("test", "http://127.0.0.1:1").expect("a base url");
    Endpoints {
        java_identity: base.clone(),
        java_session: base.clone(),
        bedrock_lookup: base.clone(),
        texture: base,
    }
}

/// Counts the calls that are permitted in a row, each of which ends at once.
fn drain(limits: &UpstreamLimits, now: Instant) -> usize {
    (0..10_000)
        .map_while(|_| limits.begin(now).ok())
        .map(|permit| permit.end(now, &Ok(Response::default()), true))
        .count()
}

#[test]
fn defaults_hold_for_the_public_services_only() {
    let own = RateLimits {
        identity: Rate::new(20, secs(1)),
        session: Rate::new(10, secs(1)),
        bedrock: None,
    };
    let unlimited = 10_000;
    for (endpoints, rate_limits, expected) in [
        (
            Endpoints::default(),
            RateLimits::default(),
            [590, 190, 390, 120, unlimited],
        ),
        (private_endpoints(), RateLimits::default(), [unlimited; 5]),
        (Endpoints::default(), own, [20, 20, 10, 120, unlimited]),
        // There, both forms have one host and share its limit.
        (private_endpoints(), own, [20, 0, 10, unlimited, unlimited]),
    ] {
        let limits = all_limits(&endpoints, rate_limits);
        let now = Instant::now();
        let allowed = limits.iter().map(|limits| drain(limits, now));
        assert!(allowed.eq(expected));
    }
}

#[test]
fn a_pause_affects_one_upstream_only() {
    for at in [Endpoints::default(), private_endpoints()] {
        for paused in 0..UPSTREAMS.len() {
            let limits = all_limits(&at, RateLimits::default());
            let now = Instant::now();
            limits[paused].pause(now, LimitReason::Refused, None);
            for (place, limits) in limits.iter().enumerate() {
                assert_eq!(limits.begin(now).is_ok(), place != paused);
            }
        }
    }
}
