//! Limits as a caller sees them: of rates, and after refusals and failures of one request and of all.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use effigy_player::PlayerId;
use effigy_upstream::{Payer, ProviderChain, SkinSource as _, Terms, UpstreamError};

use crate::providers::config;
use crate::support::canned::{Answer, Canned, NOTCH};
use crate::support::resolve::{Resolve as _, unnamed};

fn player(input: &str) -> PlayerId {
    PlayerId::detect(input).expect(input)
}

#[test]
fn a_missing_player_is_the_one_that_was_asked_for_and_is_remembered() {
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

/// A client with so many calls of its own.
#[derive(Debug)]
struct Client(AtomicU32);

impl Payer for Client {
    fn network(&self) -> IpAddr {
        [192, 0, 2, 1].into()
    }

    fn charge(&self) -> Result<(), Duration> {
        let left = self
            .0
            .fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| Duration::from_secs(7))
    }
}

fn client(calls: u32) -> Arc<dyn Payer> {
    Arc::new(Client(AtomicU32::new(calls)))
}

/// Looks a player up at the expense of a client.
fn ask(resolver: &ProviderChain, input: &str, payer: &Arc<dyn Payer>) -> Result<(), UpstreamError> {
    let (deadline, payer) = (resolver.deadline(), Some(payer));
    let found = resolver.profile(&player(input), Terms { deadline, payer });
    found.map(drop)
}

#[test]
fn each_call_is_charged_where_it_is_made() {
    let upstream = Canned::with_notch();
    let resolver = upstream.resolver();
    // The session profile is not paid for any more.
    let error = ask(&resolver, "Notch", &client(1)).unwrap_err();
    let problem = "session: not called for another 7000 ms: the client has used its share";
    assert_eq!(unnamed(&error).to_string(), problem);
    assert!(error.is_outage());
    assert_eq!(upstream.calls(), ["identity/Notch"]);
    // It says nothing about the player, and others are served.
    let rich = client(2);
    assert!(ask(&resolver, "Notch", &rich).is_ok());
    assert!(ask(&resolver, NOTCH, &rich).is_err());
    // No other provider is asked in place of one that the client may not ask.
    upstream.calls();
    let resolver = upstream.resolver_with(config(&["mojang", "yggdrasil=skins.example"]));
    assert!(ask(&resolver, "Notch", &client(0)).is_err());
    assert!(upstream.calls().is_empty());
}

#[test]
fn the_health_check_does_not_rely_on_what_is_remembered() {
    let upstream = Canned::new().on("identity/Notch", Answer::status(404));
    let resolver = upstream.resolver();
    assert!(resolver.resolve("Notch").is_err());
    drop(upstream.on("identity/Notch", Answer::status(500)));
    assert!(resolver.first_ping().is_err());
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
        assert_eq!(notch, 2 + proofs, "{answer:?}");
    }
}

#[test]
fn twenty_seconds_without_answers_take_few_calls_and_end_at_once() {
    for (answer, is_proven) in [
        (Answer::status(500), true),
        (Answer::status(500), false),
        (Answer::Reset, true),
        (Answer::Refused, true),
        (Answer::Refused, false),
    ] {
        let upstream = Canned::with_notch();
        let set = |answer: Answer| {
            let upstream = upstream.clone().on("identity/Notch", answer.clone());
            drop(upstream.on("*", answer));
        };
        let resolver = upstream.resolver();
        if is_proven {
            assert!(resolver.resolve("Notch").is_ok());
        }
        set(answer.clone());
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
        assert!((5..=20).contains(&calls), "{answer:?}: {calls} calls");
        // All players are well again at the same time.
        set(Answer::record("identity-notch"));
        let waited = (200..400).take_while(|number| {
            upstream.pass(tenth);
            resolver.resolve(&format!("Player{number}")).is_err()
        });
        assert!(waited.count() <= 20, "{answer:?}");
        assert!(resolver.resolve("Notch").is_ok(), "at once");
    }
}
