//! The limits of one upstream and of several upstreams.

mod breaker;

use url::Url;

use super::*;
use crate::{BaseUrl, Endpoints, Rate, RateLimits, Response, UpstreamConfig};

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn limits(max_calls: usize) -> UpstreamLimits {
    session_limits(max_calls, None)
}

fn rate_limited(calls: u32) -> UpstreamLimits {
    session_limits(1, Rate::new(calls, secs(10)))
}

/// Returns the limits of a service other than the public one.
fn session_limits(max_calls: usize, session: Option<Rate>) -> UpstreamLimits {
    let config = UpstreamConfig {
        endpoints: private_endpoints(),
        rate_limits: RateLimits {
            session,
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    };
    let limits = limits_of(Upstream::Session, &Budgets::new(&config));
    limits.state.lock().semaphore.max_in_flight = max_calls;
    limits
}

fn limits_of(upstream: Upstream, budgets: &Budgets<'_>) -> UpstreamLimits {
    let health_check = Some(health_check());
    UpstreamLimits::new(
        UpstreamId(0),
        upstream,
        "test".into(),
        budgets,
        health_check,
    )
}

/// The call about a player whom a client has named.
fn call_about(step: Step, player: u32) -> Call {
    let url = format!("http://127.0.0.1/{player}");
    Call::get(step, Url::parse(&url).expect("a url"))
}

fn health_check() -> Call {
    let url = Url::parse("http://127.0.0.1/health").expect("a url");
    Call::get(Step::Identity, url)
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sent {
    Answered,
    Rejected(Option<Duration>),
    Refused,
    Failed,
    TimedOut,
    CutShort,
    Unreachable,
}

/// Ends a call. Returns the time until the next one.
fn end(permit: Permit<'_>, call: &Call, now: Instant, sent: Sent) -> Option<Duration> {
    let response = |status, retry_after| {
        Ok(Response {
            status,
            retry_after,
            ..Response::default()
        })
    };
    let result = match sent {
        Sent::Answered => response(200, None),
        Sent::Rejected(retry_after) => response(429, retry_after),
        Sent::Refused => response(403, None),
        Sent::Failed => response(500, None),
        Sent::TimedOut | Sent::CutShort => Err(TransportError::Timeout),
        Sent::Unreachable => {
            let source = std::io::ErrorKind::ConnectionRefused.into();
            Err(TransportError::Unreachable { source })
        }
    };
    let call_end = CallEnd {
        now,
        result: &result,
        was_long: sent != Sent::CutShort,
        profile_may_be_served: false,
    };
    permit.end(call, call_end)
}

/// Makes a call, or the probe before it, that ends at once. Returns the limit that is reached.
fn call(limits: &UpstreamLimits, now: Instant, sent: Sent) -> Option<Limited> {
    let own = call_about(Step::Identity, 1);
    let permit = match limits.admit(now, &own) {
        Ok(Admission::Call(permit)) => permit,
        Ok(Admission::ProbeFirst(permit, probe)) => {
            end(permit, &probe, now, sent);
            if sent != Sent::Answered {
                return None;
            }
            let admitted = limits.admit_after_probe(now);
            admitted.expect("the circuit is closed")
        }
        Err(limited) => return Some(limited),
    };
    end(permit, &own, now, sent);
    None
}

/// Begins a call for a player whom a client has named. No probe is due.
fn begin(limits: &UpstreamLimits, now: Instant) -> Permit<'_> {
    match limits.admit(now, &call_about(Step::Identity, 1)) {
        Ok(Admission::Call(permit)) => permit,
        Ok(Admission::ProbeFirst(..)) => panic!("a probe is due"),
        Err(limited) => panic!("{limited:?}"),
    }
}

/// Ends a call that [`begin`] has begun.
fn end_own(permit: Permit<'_>, now: Instant, sent: Sent) {
    end(permit, &call_about(Step::Identity, 1), now, sent);
}

fn limited(reason: LimitReason, retry_after: Duration) -> Option<Limited> {
    Some(Limited {
        reason,
        retry_after,
    })
}

#[test]
fn the_state_has_the_calls_the_rate_and_the_limit() {
    let limits = rate_limited(5);
    let now = Instant::now();
    let permit = begin(&limits, now);
    let mut expected = UpstreamState {
        provider: "test".into(),
        upstream: Upstream::Session,
        calls: 1,
        rate_limit_left: Some(4),
        paused_for: None,
        limited: Some(LimitReason::Concurrency),
    };
    // A call that is refused does not count.
    let busy = limited(LimitReason::Concurrency, Duration::ZERO);
    assert_eq!(call(&limits, now, Sent::Answered), busy);
    assert_eq!(limits.snapshot(now), expected);
    end_own(permit, now, Sent::Rejected(Some(secs(7))));
    expected.calls = 0;
    expected.paused_for = Some(secs(7));
    expected.limited = Some(LimitReason::TooManyRequests);
    let paused = limited(LimitReason::TooManyRequests, secs(7));
    assert_eq!(call(&limits, now, Sent::Answered), paused);
    assert_eq!(limits.snapshot(now), expected);
}

#[test]
fn a_call_that_was_never_sent_does_not_count() {
    let limits = rate_limited(1);
    let now = Instant::now();
    assert_eq!(call(&limits, now, Sent::Unreachable), None);
    assert_eq!(limits.snapshot(now).rate_limit_left, Some(1));
}

/// A transport that panics may have sent the request.
#[test]
fn a_call_that_panicked_counts_for_a_window() {
    let limits = rate_limited(1);
    let now = Instant::now();
    drop(begin(&limits, now));
    let state = limits.snapshot(now);
    assert_eq!(state.calls, 0);
    assert_eq!(state.rate_limit_left, Some(0));
    assert_eq!(state.limited, Some(LimitReason::RateLimit));
    assert_eq!(limits.snapshot(now + secs(10)).rate_limit_left, Some(1));
}

const UPSTREAMS: [Upstream; 5] = [
    Upstream::IdentityLegacy,
    Upstream::IdentityCurrent,
    Upstream::Session,
    Upstream::Bedrock,
    Upstream::Texture,
];

fn private_endpoints() -> Endpoints {
    let base = BaseUrl::parse("http://127.0.0.1:1").expect("a base url");
    Endpoints {
        java_identity: base.clone(),
        java_session: base.clone(),
        bedrock_lookup: base.clone(),
        texture: base,
    }
}

#[test]
fn defaults_hold_for_the_public_services_only() {
    let own = RateLimits {
        identity: Rate::new(20, secs(1)),
        session: Rate::new(10, secs(1)),
        bedrock: None,
    };
    let public = Endpoints::default;
    let default = RateLimits::default();
    let unlimited = 1_000;
    for (endpoints, rate_limits, expected) in [
        (public(), default, [590, 190, 390, 120, unlimited]),
        (private_endpoints(), default, [unlimited; 5]),
        (public(), own, [20, 20, 10, 120, unlimited]),
        // There, both forms have one host and share its limit.
        (private_endpoints(), own, [20, 0, 10, unlimited, unlimited]),
    ] {
        let config = UpstreamConfig {
            endpoints,
            rate_limits,
            ..UpstreamConfig::default()
        };
        let budgets = Budgets::new(&config);
        let now = Instant::now();
        let allowed = UPSTREAMS.map(|upstream| {
            let limits = limits_of(upstream, &budgets);
            let calls = (0..unlimited).map(|_| call(&limits, now, Sent::Answered));
            calls.take_while(Option::is_none).count()
        });
        assert_eq!(allowed, expected);
    }
}

#[test]
fn forms_on_one_host_report_the_budget_that_they_share() {
    let rate = Rate::new(20, secs(1));
    let config = UpstreamConfig {
        endpoints: private_endpoints(),
        rate_limits: RateLimits {
            identity: rate,
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    };
    let budgets = Budgets::new(&config);
    for upstream in [Upstream::IdentityLegacy, Upstream::IdentityCurrent] {
        let capacity = limits_of(upstream, &budgets).capacity();
        assert_eq!(capacity.budget, rate, "{upstream}");
        assert_eq!(capacity.max_in_flight, MAX_CALLS, "{upstream}");
    }
    let session = limits_of(Upstream::Session, &budgets).capacity();
    assert_eq!(session.budget, None);
}
