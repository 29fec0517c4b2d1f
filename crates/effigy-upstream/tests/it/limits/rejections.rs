//! Rejections as a caller sees them: calls fail at once, and succeed again at once.

use std::time::Duration;

use effigy_upstream::{LimitReason, SkinSource as _, Step, Upstream, UpstreamError};

use super::{assert_limited, player};
use crate::support::canned::{Answer, Canned, NOTCH, kind};
use crate::support::resolve::Resolve as _;

#[test]
fn a_rejection_pauses_one_upstream() {
    let second = Duration::from_secs(1);
    let stranger = "853c80ef3c3749fdaa49938b674adae6";
    for (answer, pause) in [
        (Answer::status(429), second),
        (Answer::RetryAfter(429, 7 * second), 7 * second),
        (Answer::RetryAfter(429, Duration::ZERO), second),
    ] {
        let session = format!("session/{stranger}");
        let upstream = Canned::with_notch().on(&session, answer.clone());
        let resolver = upstream.resolver();
        let first = resolver.resolve(&player(stranger)).unwrap_err();
        assert!(matches!(first, UpstreamError::Status { .. }), "{first:?}");
        assert_eq!(upstream.calls(), [session]);

        let limited = resolver.resolve(&player(NOTCH)).unwrap_err();
        let reason = LimitReason::TooManyRequests;
        assert_limited(&limited, Step::Session, reason, pause);
        assert!(upstream.calls().is_empty(), "{answer:?}");
        assert!(resolver.ping().is_ok());

        upstream.pass(pause);
        assert!(resolver.resolve(&player(NOTCH)).is_ok(), "{answer:?}");
    }
}

#[test]
fn other_failures_pause_nothing() {
    for answer in [
        Answer::status(500),
        Answer::status(503),
        Answer::Reset,
        Answer::TooLarge,
        Answer::ok("<html>"),
    ] {
        let upstream = Canned::with_notch().on("identity/nobody", answer.clone());
        let resolver = upstream.resolver();
        for _ in 0..3 {
            assert!(resolver.resolve(&player("nobody")).is_err());
        }
        assert_eq!(upstream.calls().len(), 3, "{answer:?}");
        assert!(resolver.resolve(&player("Notch")).is_ok(), "{answer:?}");
    }
}

#[test]
fn a_server_error_does_not_shorten_the_next_pause() {
    let upstream = Canned::with_notch()
        .on("identity/nobody", Answer::status(429))
        .on("identity/broken", Answer::status(500));
    let resolver = upstream.resolver();
    assert!(resolver.resolve(&player("nobody")).is_err());
    upstream.pass(Duration::from_secs(1));
    assert!(resolver.resolve(&player("broken")).is_err());
    assert!(resolver.resolve(&player("nobody")).is_err());
    let limited = resolver.ping().unwrap_err();
    let two = Duration::from_secs(2);
    assert_limited(&limited, Step::Identity, LimitReason::TooManyRequests, two);
}

#[test]
fn an_upstream_that_times_out_is_only_probed_until_it_answers() {
    let session = format!("session/{NOTCH}");
    let upstream = Canned::with_notch().on(&session, Answer::Hang);
    let resolver = upstream.resolver();
    let late = "no complete response in time";
    let resolve = || resolver.resolve(&player(NOTCH));
    let is_open = || resolver.states()[Upstream::Session as usize].is_circuit_open;
    for _ in 0..20 {
        assert!(!is_open());
        assert_eq!(kind(&resolve().unwrap_err()), late);
    }
    assert!(is_open());
    let (open, pause) = (LimitReason::CircuitOpen, Duration::from_secs(2));
    assert_limited(&resolve().unwrap_err(), Step::Session, open, pause);
    upstream.pass(pause);
    upstream.calls();
    // The probe takes longer than the time until the next one.
    assert_eq!(kind(&resolve().unwrap_err()), late);
    assert_eq!(upstream.calls(), [session.as_str()]);
    let upstream = upstream.on(&session, Answer::file(200, "session-notch.json"));
    upstream.pass(pause);
    assert!(resolve().is_ok());
    assert!(!is_open());
    assert!(resolve().is_ok(), "at once");
}
