//! Refusals (403) and failures: of one request, and of all requests.

use std::time::Duration;

use effigy_upstream::{ProviderChain, SkinSource as _, Upstream, UpstreamError};

use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE, kind};
use crate::support::resolve::{Resolve as _, file_of_hash};

/// Resolves a player, and returns the outcome in a word.
fn outcome(resolver: &ProviderChain, input: &str) -> String {
    let resolved = resolver.resolve(input);
    resolved.map_or_else(|error| kind(&error), |_| "found".to_owned())
}

fn pause(resolver: &ProviderChain, upstream: Upstream) -> Option<Duration> {
    resolver.states()[upstream as usize].paused_for
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
        assert_eq!(pause(&resolver, Upstream::Session), None, "{answer:?}");
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

#[test]
fn a_texture_that_is_refused_by_its_hash_does_not_exist() {
    let upstream = Canned::with_notch().on("*", Answer::status(403));
    let resolver = upstream.resolver();
    for number in 0..100 {
        let error = file_of_hash(&resolver, &format!("{number:064x}")).unwrap_err();
        let is_not_found = matches!(error, UpstreamError::TextureNotFound { .. });
        assert!(is_not_found, "{error:?}");
    }
    assert_eq!(pause(&resolver, Upstream::Texture), None);
    assert_eq!(outcome(&resolver, "Notch"), "found");
}

#[test]
fn an_outage_of_one_texture_is_remembered_until_the_next_probe() {
    let upstream = Canned::with_notch().on(NOTCH_TEXTURE, Answer::status(500));
    let resolver = upstream.resolver();
    for _ in 0..2 {
        upstream.calls();
        for _ in 0..12 {
            assert_eq!(outcome(&resolver, "Notch"), "500");
        }
        let error = resolver.resolve("Notch").unwrap_err();
        assert_eq!(error.to_string(), "textures", "it names the provider");
        let calls = upstream.calls();
        let textures = calls.iter().filter(|call| *call == NOTCH_TEXTURE).count();
        assert_eq!(textures, 1, "{calls:?}");
        upstream.pass(Duration::from_secs(2));
    }
    upstream.clone().on(NOTCH_TEXTURE, Answer::texture("Notch"));
    assert_eq!(outcome(&resolver, "Notch"), "found");
}
