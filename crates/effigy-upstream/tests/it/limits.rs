//! Limits as a caller sees them: of rates, and after refusals and failures of one request and of
//! all.

use std::time::Duration;

use effigy_player::PlayerId;
use effigy_upstream::{LimitReason, Status as _, UpstreamError};

use crate::support::canned::{Answer, Canned, NOTCH};
use crate::support::resolve::Resolve as _;

const TENTH: Duration = Duration::from_millis(100);

fn player(input: &str) -> PlayerId {
    PlayerId::detect(input).expect(input)
}

/// Sets the answer to every call, also about Notch.
fn answer_everything(upstream: &Canned, answer: &Answer) {
    let with_notch = upstream.clone().on("identity/Notch", answer.clone());
    drop(with_notch.on("*", answer.clone()));
}

#[test]
fn a_missing_player_is_named_as_asked_for_and_remembered() {
    let session = &*format!("session/{NOTCH}");
    let of_uuid = "java uuid 069a79f4-44e9-4726-a5be-fca90e38aaf5";
    // The account was deleted: the session service alone does not know it any more.
    let deleted = ["identity/Notch", session];
    for (input, calls, answer, named) in [
        (NOTCH, &[session][..], 204, of_uuid),
        ("Notch", &deleted, 204, r#"java name "Notch""#),
        ("X", &["identity/X"], 404, r#"java name "X""#),
        (".X", &["xuid/X"], 404, r#"bedrock gamertag "X""#),
        ("00001", &["skin/00001"], 204, r#"bedrock xuid "00001""#),
    ] {
        let upstream = Canned::with_notch().on(calls[calls.len() - 1], Answer::status(answer));
        let resolver = upstream.resolver();
        for _ in 0..5 {
            let error = resolver.resolve(input).unwrap_err();
            assert_eq!(error.to_string(), format!("no such player: {named}"));
            let UpstreamError::PlayerNotFound { player: missing } = error else {
                panic!("{error:?}");
            };
            assert_eq!(missing, player(input));
        }
        assert_eq!(upstream.calls(), calls);
    }
}

#[test]
fn a_missing_name_takes_one_call_a_minute_in_any_letter_case() {
    let upstream = Canned::new().on("identity/NoBody", Answer::status(404));
    let resolver = upstream.resolver();
    for _ in 0..2 {
        for name in ["NoBody", "nobody", "NOBODY"] {
            assert!(!resolver.resolve(name).unwrap_err().is_outage());
        }
        assert_eq!(upstream.calls(), ["identity/NoBody"]);
        upstream.pass(Duration::from_secs(60));
    }
}

#[test]
fn the_health_check_ignores_remembered_answers() {
    let upstream = Canned::new().on("identity/Notch", Answer::status(404));
    let resolver = upstream.resolver();
    assert!(resolver.resolve("Notch").is_err());
    drop(upstream.on("identity/Notch", Answer::status(500)));
    assert!(resolver.first_ping().is_err());
}

#[test]
fn failing_inputs_pause_nothing_while_another_is_answered() {
    let hour = Duration::from_secs(3600);
    for (answer, probes) in [
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
        let upstream = Canned::with_notch().on("*", answer.clone());
        let resolver = upstream.resolver();
        assert!(resolver.resolve(NOTCH).is_ok());
        for number in 1..100 {
            let uuid = format!("a{number:07x}3c3749fdaa49938b674adae6");
            let error = resolver.resolve(&uuid).unwrap_err();
            assert!(error.is_outage() && error.retry_after().is_none());
        }
        let mut states = resolver.states().into_iter();
        assert!(states.all(|state| state.paused_for.is_none()), "{answer:?}");
        assert!(resolver.resolve(NOTCH).is_ok());
        // Notch was asked for again after every third of them but the last, to find out.
        let calls = upstream.calls();
        let notch = calls.iter().filter(|call| call.ends_with(NOTCH)).count();
        assert_eq!(notch, 2 + probes, "{answer:?}");
    }
}

#[test]
fn an_upstream_that_fails_takes_few_calls() {
    for (answer, is_proven) in [
        (Answer::status(500), true),
        (Answer::status(500), false),
        (Answer::Reset, true),
        (Answer::Refused, true),
        (Answer::Refused, false),
    ] {
        let upstream = Canned::with_notch();
        let resolver = upstream.resolver();
        if is_proven {
            assert!(resolver.resolve("Notch").is_ok());
        }
        answer_everything(&upstream, &answer);
        upstream.calls();
        for number in 0..200 {
            let error = resolver.resolve(&format!("Player{number}")).unwrap_err();
            assert!(error.is_outage());
            if number > 4 {
                let wait = error.retry_after().expect("it is paused");
                assert!(wait <= Duration::from_secs(2), "{wait:?}");
            }
            upstream.pass(TENTH);
        }
        let calls = upstream.calls().len();
        assert!((5..=20).contains(&calls), "{answer:?}: {calls} calls");
    }
}

#[test]
fn an_upstream_that_has_recovered_is_used_within_two_seconds() {
    for answer in [Answer::status(500), Answer::Reset, Answer::Refused] {
        let upstream = Canned::with_notch();
        let resolver = upstream.resolver();
        answer_everything(&upstream, &answer);
        for number in 0..200 {
            let failed = resolver.resolve(&format!("Player{number}"));
            assert!(failed.is_err(), "{answer:?}");
            upstream.pass(TENTH);
        }
        answer_everything(&upstream, &Answer::record("identity-notch"));
        let mut failures = 0;
        for number in 200..400 {
            upstream.pass(TENTH);
            if resolver.resolve(&format!("Player{number}")).is_ok() {
                break;
            }
            failures += 1;
        }
        assert!(failures <= 20, "{answer:?}: {failures} failures");
        assert!(resolver.resolve("Notch").is_ok(), "at once");
    }
}

#[test]
fn the_probe_never_carries_an_input_of_a_client() {
    for (answered, probes) in [
        (None, &["identity/Notch"][..]),
        (Some("Alice"), &["identity/Alice", "identity/Notch"]),
    ] {
        let upstream = Canned::with_notch().on("*", Answer::status(500));
        let alice = Answer::record("identity-notch");
        let resolver = upstream.clone().on("identity/Alice", alice).resolver();
        if let Some(name) = answered {
            assert!(resolver.resolve(name).is_ok());
        }
        let upstream = upstream
            .on("identity/Alice", Answer::status(500))
            .on("identity/Notch", Answer::status(500));
        upstream.calls();
        for number in 0..100 {
            assert!(resolver.resolve(&format!("Player{number}")).is_err());
            upstream.pass(TENTH);
        }
        let mut calls = upstream.calls();
        let failed = ["identity/Player0", "identity/Player1", "identity/Player2"];
        assert_eq!(calls[..3], failed);
        let sent = calls.split_off(3);
        assert_eq!(sent.len(), 5, "{sent:?}");
        let expected: Vec<&str> = probes.iter().cycle().take(5).copied().collect();
        assert_eq!(sent, expected);
    }
}

#[test]
fn after_a_probe_that_hangs_the_call_is_not_made() {
    let upstream = Canned::new().on("*", Answer::Hang);
    let resolver = upstream.resolver();
    for name in ["One", "Two", "Three"] {
        assert!(resolver.resolve(name).is_err());
    }
    upstream.calls();
    // When it ends, the next probe is due already.
    let error = resolver.resolve("Four").unwrap_err();
    assert_eq!(error.limit(), Some(LimitReason::NotAnswering));
    assert_eq!(upstream.calls(), ["identity/Notch"]);
}

#[test]
fn a_name_that_fails_alone_never_opens_the_circuit() {
    let upstream = Canned::with_notch()
        .on("*", Answer::status(404))
        .on("identity/Broken", Answer::status(500));
    let resolver = upstream.resolver();
    for number in 0..30 {
        // The outage of this name is remembered for 2 s.
        upstream.pass(Duration::from_secs(2));
        let error = resolver.resolve("Broken").unwrap_err();
        assert!(error.is_outage() && error.limit().is_none(), "{error:?}");
        if number % 10 == 9 {
            let other = resolver.resolve(&format!("Other{number}")).unwrap_err();
            assert!(!other.is_outage(), "{other:?}");
        }
        let mut states = resolver.states().into_iter();
        assert!(states.all(|state| state.paused_for.is_none()));
    }
}

#[test]
fn a_probe_of_a_look_up_by_gamertag_may_find_nobody() {
    let nobody = Answer::file(503, "xuid-not-in-cache.json");
    let upstream = Canned::new().on("*", nobody);
    let resolver = upstream.resolver();
    for number in 0..10 {
        let error = resolver.resolve(&format!(".Tag{number}")).unwrap_err();
        assert!(!error.is_outage(), "{error:?}");
    }
    assert_eq!(upstream.calls().len(), 10, "none of them is a failure");
}
