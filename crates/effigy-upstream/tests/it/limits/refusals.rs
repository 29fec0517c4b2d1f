//! Refusals (403) and failures: of one request, and of all requests.

use std::time::Duration;

use effigy_upstream::{LimitReason, ProviderChain, SkinSource as _, Step, Upstream, UpstreamError};

use super::assert_limited;
use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE, kind};
use crate::support::resolve::{Resolve as _, file_of_hash};

const STEVE: &str = "8667ba71b85a4004af54457a9734eed7";

const HOUR: Duration = Duration::from_secs(3600);

/// A UUID that differs from those of other numbers.
fn uuid(number: u32) -> String {
    format!("a{number:07x}3c3749fdaa49938b674adae6")
}

/// Resolves a player, and returns the outcome in a word.
fn outcome(resolver: &ProviderChain, input: &str) -> String {
    let resolved = resolver.resolve(input);
    resolved.map_or_else(|error| kind(&error), |_| "found".to_owned())
}

fn pause(resolver: &ProviderChain, upstream: Upstream) -> Option<Duration> {
    resolver.states()[upstream as usize].paused_for
}

/// Upstreams that answer so about UUIDs other than Notch's and Steve's.
fn failing_uuids(answer: &Answer) -> Canned {
    let uuids = 1..100;
    uuids.fold(Canned::with_notch(), |upstream, number| {
        upstream.on(&format!("session/{}", uuid(number)), answer.clone())
    })
}

#[test]
fn inputs_that_fail_pause_nothing_while_another_one_is_answered() {
    for answer in [
        Answer::status(403),
        Answer::status(500),
        Answer::Reset,
        Answer::Hang,
    ] {
        let upstream = failing_uuids(&answer);
        let resolver = upstream.resolver();
        assert_eq!(outcome(&resolver, NOTCH), "found");
        for number in 1..100 {
            let error = resolver.resolve(&uuid(number)).unwrap_err();
            assert_eq!(error.retry_after(), None, "{answer:?}");
        }
        assert_eq!(pause(&resolver, Upstream::Session), None);
        assert_eq!(outcome(&resolver, NOTCH), "found");
        // Notch was asked for again after every third of them but the last, to find out.
        let calls = upstream.calls();
        let notch = calls.iter().filter(|call| call.ends_with(NOTCH)).count();
        assert_eq!(notch, 2 + 99 / 3 - 1, "{answer:?}");
    }
}

#[test]
fn a_request_that_fails_alone_is_not_asked_for_again_whoever_it_is_for() {
    for answer in [Answer::status(403), Answer::status(500), Answer::Reset] {
        let upstream = failing_uuids(&answer);
        let resolver = upstream.resolver();
        assert_eq!(outcome(&resolver, NOTCH), "found");
        // The last player who was found fails from now on.
        let upstream = upstream.on(&format!("session/{NOTCH}"), answer.clone());
        for number in 1..4 {
            assert_ne!(outcome(&resolver, &uuid(number)), "found");
        }
        assert_ne!(outcome(&resolver, STEVE), "found");
        upstream.pass(Duration::from_secs(2));
        for _ in 0..3 {
            assert_eq!(outcome(&resolver, STEVE), "found", "{answer:?}");
        }
    }
}

#[test]
fn an_upstream_that_refuses_everything_is_paused() {
    for (answer, pauses) in [
        (Answer::status(403), [1, 2, 4]),
        // It may be about one request alone, so it cannot last for long.
        (Answer::RetryAfter(403, HOUR), [1, 2, 4]),
    ] {
        let upstream = failing_uuids(&answer);
        let resolver = upstream.resolver();
        assert_eq!(outcome(&resolver, NOTCH), "found");
        let session = format!("session/{NOTCH}");
        let upstream = upstream.on(&session, answer);
        for number in 1..4 {
            assert_eq!(outcome(&resolver, &uuid(number)), "403");
            assert_eq!(pause(&resolver, Upstream::Session), None);
        }
        // Notch is asked for once more, to find out.
        let outcomes = ["it refused a call", "403", "403"];
        for (seconds, expected) in pauses.into_iter().zip(outcomes) {
            assert_eq!(outcome(&resolver, &uuid(4)), expected);
            let expected = Duration::from_secs(seconds);
            assert_eq!(pause(&resolver, Upstream::Session), Some(expected));
            upstream.calls();
            let limited = resolver.resolve(NOTCH).unwrap_err();
            assert_limited(&limited, Step::Session, LimitReason::Refused, expected);
            assert!(upstream.calls().is_empty());
            assert!(resolver.first_ping().is_ok(), "another upstream");
            upstream.pass(expected);
        }
        upstream.on(&session, Answer::file(200, "session-notch.json"));
        assert_eq!(outcome(&resolver, NOTCH), "found");
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
        assert_eq!(outcome(&resolver, "Steve"), "found");
        upstream.pass(Duration::from_secs(2));
    }
    upstream.clone().on(NOTCH_TEXTURE, Answer::texture("Notch"));
    assert_eq!(outcome(&resolver, "Notch"), "found");
}
