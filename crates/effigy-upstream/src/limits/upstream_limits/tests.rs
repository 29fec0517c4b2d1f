//! The limits of an upstream together.

use super::*;
use crate::config::Rate;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn limits(max_calls: u32) -> UpstreamLimits {
    let max_calls = NonZeroU32::new(max_calls).expect("not zero");
    UpstreamLimits::new(&"test".into(), Upstream::Session, max_calls, None)
}

fn rate_limited(calls: u32) -> UpstreamLimits {
    let limit = Rate::new(calls, secs(10)).expect("a rate limit");
    let rate = Arc::new(Mutex::new(RateLimiter::new(limit)));
    UpstreamLimits::new(
        &"test".into(),
        Upstream::Session,
        NonZeroU32::MIN,
        Some(rate),
    )
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
    assert_eq!(limits.state_at(now).calls, 2);
    end(first, now, Outcome::Failed);
    let third = begin().unwrap();
    assert_eq!(begin().err(), busy);
    drop((second, third));
    assert_eq!(limits.state_at(now).calls, 0);
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
    let state = limits.state_at(now);
    assert_eq!((state.calls, state.rate_limit_left), (0, Some(2)));
    assert_eq!(limits.state_at(now + secs(10)).rate_limit_left, Some(3));
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
    assert_eq!(limits.state_at(now).rate_limit_left, Some(4));
}

#[test]
fn a_used_up_rate_limit_refuses_calls() {
    let limits = rate_limited(2);
    let now = Instant::now();
    assert_eq!(call(&limits, now, Outcome::Answered), None);
    assert_eq!(call(&limits, now, Outcome::TimedOut), None);
    let used_up = limited(LimitReason::RateLimit, secs(10));
    assert_eq!(call(&limits, now, Outcome::Answered), used_up);
    assert_eq!(call(&limits, now + secs(10), Outcome::Answered), None);
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
    assert_eq!(limits.state_at(start).calls, 7);
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
        assert_eq!(limits.state_at(now).is_circuit_open, is_open, "{outcome:?}");
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
    assert!(!limits.state_at(now).is_circuit_open);
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
    assert_eq!(limits.state_at(now), expected);
    end(permit, now, Outcome::Rejected(Some(secs(7))));
    expected.calls = 0;
    expected.paused_for = Some(secs(7));
    expected.limited = Some(LimitReason::TooManyRequests);
    assert_eq!(limits.state_at(now), expected);
}
