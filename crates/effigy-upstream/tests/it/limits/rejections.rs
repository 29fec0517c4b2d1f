//! Outages as a caller sees them: calls fail at once, and succeed again at once.

use std::time::Duration;

use effigy_upstream::{SkinSource as _, Upstream};

use crate::support::canned::{Answer, Canned, session_with, textures_with_url};
use crate::support::resolve::Resolve as _;

#[test]
fn an_outage_of_one_player_is_remembered_and_pauses_nothing() {
    let stranger = "853c80ef3c3749fdaa49938b674adae6";
    for answer in [
        Answer::status(403),
        Answer::RetryAfter(403, Duration::from_secs(3600)),
        Answer::status(500),
        Answer::status(503),
        Answer::Reset,
        Answer::TooLarge,
        Answer::ok("<html>"),
        session_with(&textures_with_url("https://example.org/skin.png")),
        Answer::Hang,
    ] {
        let upstream = Canned::with_notch().on(&format!("session/{stranger}"), answer.clone());
        let resolver = upstream.resolver();
        let nobody = || {
            for _ in 0..12 {
                assert!(resolver.resolve(stranger).unwrap_err().is_outage());
            }
            upstream.calls().len()
        };
        assert_eq!(nobody(), 1, "{answer:?}");
        assert!(resolver.resolve("Notch").is_ok(), "{answer:?}");
        for _ in 0..10 {
            upstream.calls();
            upstream.pass(Duration::from_secs(2));
            // Now and then, a request that was answered before tells that the upstream is well.
            assert!(matches!(nobody(), 1 | 2), "{answer:?}");
        }
        assert!(resolver.resolve("Notch").is_ok(), "{answer:?}");
    }
}

/// Upstreams whose identity service gives this answer to each of these names.
fn failing(answer: &Answer) -> Canned {
    let names = (0..400).map(|number| format!("identity/Player{number}"));
    let upstream = names.fold(Canned::with_notch(), |upstream, name| {
        upstream.on(&name, answer.clone())
    });
    upstream.on("identity/Notch", answer.clone())
}

#[test]
fn twenty_seconds_without_answers_take_few_calls_and_end_at_once() {
    for (answer, is_proven, charged) in [
        (Answer::status(500), true, 20),
        (Answer::status(500), false, 20),
        (Answer::Reset, true, 20),
        // What was never sent.
        (Answer::Refused, true, 1),
        (Answer::Refused, false, 0),
    ] {
        let found = Answer::file(200, "identity-notch.json");
        let upstream = failing(&answer).on("identity/Notch", found.clone());
        let resolver = upstream.resolver();
        if is_proven {
            assert!(resolver.resolve("Notch").is_ok());
        }
        drop(upstream.clone().on("identity/Notch", answer.clone()));
        upstream.calls();
        let tenth = Duration::from_millis(100);
        for number in 0..200 {
            let error = resolver.resolve(&format!("Player{number}")).unwrap_err();
            assert!(error.is_outage());
            if number > 4 {
                let wait = error.retry_after().expect("it is paused");
                assert!(wait <= Duration::from_secs(2), "{wait:?}");
            }
            upstream.pass(tenth);
        }
        let calls = upstream.calls().len();
        let left = resolver.states()[Upstream::IdentityLegacy as usize].rate_limit_left;
        assert!((5..=20).contains(&calls), "{answer:?}: {calls} calls");
        assert!(left.unwrap() >= 590 - charged, "{answer:?}: {left:?}");
        // All players are well again at the same time.
        let mut upstream = upstream.on("identity/Notch", found.clone());
        for number in 0..400 {
            upstream = upstream.on(&format!("identity/Player{number}"), found.clone());
        }
        let waited = (0..).take_while(|number| {
            upstream.pass(tenth);
            resolver
                .resolve(&format!("Player{}", 200 + number))
                .is_err()
        });
        assert!(waited.count() <= 20, "{answer:?}");
        assert!(resolver.resolve("Notch").is_ok(), "at once");
    }
}
