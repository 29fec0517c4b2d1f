//! Refusals (403) and failures: of one request, and of all requests.

use std::time::Duration;

use effigy_upstream::{ProviderChain, SkinSource as _};

use crate::support::canned::{Answer, Canned, NOTCH, kind};
use crate::support::resolve::Resolve as _;

/// Resolves a player, and returns the outcome in a word.
fn outcome(resolver: &ProviderChain, input: &str) -> String {
    let resolved = resolver.resolve(input);
    resolved.map_or_else(|error| kind(&error), |_| "found".to_owned())
}

#[test]
fn inputs_that_fail_pause_nothing_while_another_one_is_answered() {
    let hour = Duration::from_secs(3600);
    for (answer, proofs) in [
        (Answer::status(403), 32),
        // It may be about one request alone, so it cannot last for long.
        (Answer::RetryAfter(403, hour), 32),
        (Answer::status(500), 32),
        (Answer::Reset, 32),
        (Answer::Hang, 32),
        // These are answers.
        (Answer::TooLarge, 0),
        (Answer::ok("<html>"), 0),
    ] {
        let uuids: Vec<String> = (1..100)
            .map(|number| format!("a{number:07x}3c3749fdaa49938b674adae6"))
            .collect();
        let upstream = uuids.iter().fold(Canned::with_notch(), |upstream, uuid| {
            upstream.on(&format!("session/{uuid}"), answer.clone())
        });
        let resolver = upstream.resolver();
        assert_eq!(outcome(&resolver, NOTCH), "found");
        for uuid in &uuids {
            let error = resolver.resolve(uuid).unwrap_err();
            assert!(error.is_outage() && error.retry_after().is_none());
        }
        let mut states = resolver.states().into_iter();
        assert!(states.all(|state| state.paused_for.is_none()), "{answer:?}");
        assert_eq!(outcome(&resolver, NOTCH), "found");
        // Notch was asked for again after every third of them but the last, to find out.
        let calls = upstream.calls();
        let notch = calls.iter().filter(|call| call.ends_with(NOTCH)).count();
        assert_eq!(notch, 2 + proofs, "{answer:?}");
    }
}

#[test]
fn twenty_seconds_without_answers_take_few_calls_and_end_at_once() {
    let names: Vec<String> = (0..400).map(|number| format!("Player{number}")).collect();
    for (answer, is_proven) in [
        (Answer::status(500), true),
        (Answer::status(500), false),
        (Answer::Reset, true),
        (Answer::Refused, true),
        (Answer::Refused, false),
    ] {
        let set = |upstream: &Canned, answer: &Answer| {
            let names = names.iter().map(String::as_str).chain(["Notch"]);
            names.fold(upstream.clone(), |upstream, name| {
                upstream.on(&format!("identity/{name}"), answer.clone())
            })
        };
        let upstream = Canned::with_notch();
        let resolver = upstream.resolver();
        if is_proven {
            assert_eq!(outcome(&resolver, "Notch"), "found");
        }
        set(&upstream, &answer);
        upstream.calls();
        let tenth = Duration::from_millis(100);
        let (during, after) = names.split_at(200);
        for (number, name) in during.iter().enumerate() {
            let error = resolver.resolve(name).unwrap_err();
            assert!(error.is_outage());
            if number > 4 {
                let wait = error.retry_after().expect("it is paused");
                assert!(wait <= Duration::from_secs(2), "{wait:?}");
            }
            upstream.pass(tenth);
        }
        let calls = upstream.calls().len();
        assert!((5..=20).contains(&calls), "{answer:?}: {calls} calls");
        // All players are well again at the same time.
        set(&upstream, &Answer::file(200, "identity-notch.json"));
        let waited = after.iter().take_while(|name| {
            upstream.pass(tenth);
            resolver.resolve(name).is_err()
        });
        assert!(waited.count() <= 20, "{answer:?}");
        assert_eq!(outcome(&resolver, "Notch"), "found", "at once");
    }
}
