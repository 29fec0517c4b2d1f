//! Java names: the two forms of the look-up, and when the second one is tried.

use std::time::Duration;

use effigy_upstream::{
    Endpoints, ProviderChain, Rate, RateLimits, Status as _, Upstream, UpstreamConfig,
    UpstreamError,
};

use crate::providers::config;
use crate::support::canned::{Answer, Canned, NOTCH, kind};
use crate::support::resolve::Resolve as _;

const LEGACY: &str = "identity/Notch";
const CURRENT: &str = "current/Notch";

fn found() -> Answer {
    Answer::record("identity-current")
}

/// Resolves Notch with these answers of the forms. Without an answer, the current form must not be
/// asked.
#[track_caller]
fn check(legacy: &Answer, current: Option<&Answer>, expected: &str) {
    let mut upstream = Canned::with_notch().on(LEGACY, legacy.clone());
    if let Some(current) = current {
        upstream = upstream.on(CURRENT, current.clone());
    }
    let resolved = upstream.resolve("Notch");
    let outcome = match resolved {
        Ok(_) => "found".to_owned(),
        Err(error) => kind(&error),
    };
    assert_eq!(outcome, expected, "{legacy:?} {current:?}");
    let mut calls = upstream.calls();
    calls.retain(|call| call == LEGACY || call == CURRENT);
    assert_eq!(calls, [LEGACY, CURRENT][..=current.iter().len()]);
}

/// Looks a name up, without using a remembered answer.
fn checked(resolver: &ProviderChain) -> Result<(), UpstreamError> {
    resolver.report(None).swap_remove(0).state
}

#[test]
fn each_answer_of_each_form_has_its_outcome() {
    let rows = [
        (Answer::record("identity-notch"), "found"),
        (Answer::record("identity-current"), "found"),
        (Answer::record("identity-flags"), "found"),
        (Answer::status(204), "not found"),
        (Answer::status(404), "not found"),
        (Answer::file(404, "identity-not-found.json"), "not found"),
        (
            Answer::file(404, "identity-current-not-found.json"),
            "not found",
        ),
        (Answer::file(400, "identity-invalid-name.json"), "not found"),
        (Answer::file(400, "gone.html"), "400"),
        (Answer::status(400), "400"),
        (Answer::file(429, "too-many-requests.json"), "429"),
        (Answer::file(429, "too-many-requests-exception.json"), "429"),
        (Answer::file(429, "too-many-requests.html"), "429"),
        (Answer::file(429, "too-many-requests.txt"), "429"),
        (Answer::status(429), "429"),
        (Answer::file(503, "identity-not-found.json"), "503"),
        (Answer::file(200, "rate-limited.html"), "no object"),
        (Answer::ok("[".repeat(100_000)), "no object"),
        (Answer::ok("{}"), "id"),
        (Answer::ok("[]"), "no object"),
        (Answer::ok(r#"{"id":1}"#), "id"),
        (Answer::ok(r#"{"id":"../x"}"#), "id"),
        (Answer::Hang, "no complete response in time"),
    ];
    // After these, the legacy form leads to the current one.
    let leading_on = [
        (Answer::file(403, "rate-limited.html"), "403"),
        (Answer::status(403), "403"),
        (Answer::status(410), "410"),
        (Answer::file(410, "gone.html"), "410"),
        (Answer::file(404, "gone.html"), "404"),
        (Answer::file(404, "gone.json"), "not found"),
        (Answer::Status(404, b"{}".to_vec()), "not found"),
        (Answer::Status(404, b"not found".to_vec()), "404"),
    ];
    for (answer, expected) in &rows {
        check(answer, None, expected);
    }
    for (answer, _) in &leading_on {
        check(answer, Some(&found()), "found");
    }
    for (answer, expected) in rows.iter().chain(&leading_on) {
        check(&Answer::status(403), Some(answer), expected);
    }
}

/// Gives three other names the same answer, because one refusal alone would not pause a form.
fn refuse_others(upstream: &Canned, resolver: &ProviderChain, answer: &Answer) {
    for name in ["One", "Two", "Three"] {
        let upstream = upstream.clone();
        upstream
            .on(&format!("identity/{name}"), answer.clone())
            .on(&format!("current/{name}"), Answer::status(404));
        assert!(resolver.resolve(name).is_err());
    }
    upstream.calls();
}

#[test]
fn a_refused_form_is_paused_while_the_other_serves() {
    for (answer, pauses) in [
        (Answer::status(403), [1, 2, 4]),
        (Answer::RetryAfter(403, Duration::from_secs(300)), [1, 2, 4]),
        (Answer::status(410), [60; 3]),
        (Answer::file(404, "gone.html"), [60; 3]),
    ] {
        let upstream = Canned::with_notch()
            .on(LEGACY, answer.clone())
            .on(CURRENT, found());
        let resolver = upstream.resolver_with(config(&["mojang"]));
        refuse_others(&upstream, &resolver, &answer);
        for pause in pauses {
            assert!(checked(&resolver).is_ok());
            assert_eq!(upstream.calls(), [LEGACY, CURRENT], "{answer:?}");
            let nearly = Duration::from_millis(pause * 1000 - 1);
            for wait in [Duration::ZERO, nearly] {
                upstream.pass(wait);
                assert!(checked(&resolver).is_ok());
                assert_eq!(upstream.calls(), [CURRENT], "{answer:?}");
            }
            // Look-ups do not fail because of it.
            let legacy = resolver.states().swap_remove(0);
            assert_eq!(legacy.paused_for, Some(Duration::from_millis(1)));
            assert_eq!(legacy.limited, None, "{answer:?}");
            upstream.pass(Duration::from_millis(1));
        }
        let upstream = upstream.on(LEGACY, Answer::record("identity-notch"));
        assert!(checked(&resolver).is_ok());
        assert_eq!(upstream.calls(), [LEGACY], "used again at once");
    }
}

/// An unusual 404 of a server that has the legacy form alone must not lead later look-ups to the
/// current form.
#[test]
fn the_legacy_form_is_kept_if_the_current_one_finds_no_player() {
    for second in [Answer::status(404), Answer::status(405)] {
        let upstream = Canned::with_notch()
            .on("identity/nobody", Answer::Status(404, b"who?".to_vec()))
            .on("current/nobody", second);
        let resolver = upstream.resolver();
        assert!(resolver.resolve("nobody").is_err());
        assert_eq!(upstream.calls(), ["identity/nobody", "current/nobody"]);
        assert!(resolver.first_ping().is_ok());
        assert_eq!(upstream.calls(), [LEGACY]);
    }
}

#[test]
fn both_forms_can_be_paused() {
    let upstream = Canned::with_notch()
        .on(LEGACY, Answer::status(403))
        .on(CURRENT, Answer::RetryAfter(429, Duration::from_secs(9)));
    let resolver = upstream.resolver_with(config(&["mojang"]));
    refuse_others(&upstream, &resolver, &Answer::status(403));
    let rejected = checked(&resolver).unwrap_err();
    assert_eq!(rejected.retry_after(), Some(Duration::from_secs(9)));
    assert_eq!(upstream.calls(), [LEGACY, CURRENT]);
    let error = checked(&resolver).unwrap_err();
    let problem = "identity: not called for another 9000 ms: it was called too often";
    assert_eq!(error.to_string(), problem);
    assert!(upstream.calls().is_empty());
    let mut states = resolver.states();
    states.retain(|state| state.paused_for.is_some());
    let paused = states.iter().map(|state| state.upstream);
    assert!(paused.eq([Upstream::IdentityLegacy, Upstream::IdentityCurrent]));
}

#[test]
fn a_used_up_rate_limit_does_not_lead_to_the_current_form() {
    let config = UpstreamConfig {
        rate_limits: RateLimits {
            identity: Rate::new(1, Duration::from_secs(10)),
            ..RateLimits::default()
        },
        ..config(&["mojang"])
    };
    let upstream = Canned::with_notch();
    let resolver = upstream.resolver_with(config);
    assert!(checked(&resolver).is_ok());
    assert!(checked(&resolver).is_err());
    assert_eq!(upstream.calls(), [LEGACY]);
}

#[test]
fn a_private_service_has_both_forms_on_one_base_url() {
    let base = "http://127.0.0.1:1/api";
    let endpoints = Endpoints {
        java_identity: effigy_upstream::BaseUrl::parse(base).unwrap(),
        ..Endpoints::default()
    };
    let legacy = format!("{base}/users/profiles/minecraft/Notch");
    let current = format!("{base}/minecraft/profile/lookup/name/Notch");
    let upstream = Canned::with_notch()
        .on(&legacy, Answer::status(403))
        .on(&current, found());
    let resolver = upstream.resolver_with(UpstreamConfig {
        endpoints,
        ..UpstreamConfig::default()
    });
    assert!(resolver.resolve("Notch").is_ok());
    let calls = upstream.calls();
    assert_eq!(calls[..2], [legacy, current]);
    assert_eq!(calls[2], format!("session/{NOTCH}"));
    // Its accounts may have any name.
    let call = format!("{base}/users/profiles/minecraft/%E5%90%8D");
    drop(upstream.clone().on(&call, Answer::status(404)));
    assert!(resolver.resolve("名").is_err());
    assert_eq!(upstream.calls(), [call]);
}

#[test]
fn the_health_check_accepts_any_answer_about_the_player() {
    let gone = || Answer::file(404, "gone.html");
    for (first, second, reachable) in [
        (found(), None, true),
        (Answer::status(404), None, true),
        (Answer::status(403), Some(found()), true),
        (gone(), Some(gone()), true),
        (gone(), Some(Answer::status(503)), false),
        (Answer::file(200, "rate-limited.html"), None, false),
        (Answer::Hang, None, false),
    ] {
        let mut upstream = Canned::new().on(LEGACY, first.clone());
        if let Some(second) = &second {
            upstream = upstream.on(CURRENT, second.clone());
        }
        let ping = upstream.resolver().first_ping();
        assert_eq!(ping.is_ok(), reachable, "{first:?} {second:?}");
        assert_eq!(upstream.calls().len(), 1 + second.iter().len());
    }
}
