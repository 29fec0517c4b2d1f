//! Rate limits as a caller sees them, and what is kept for other players.

use std::time::Duration;

use effigy_upstream::{
    LimitReason, ProviderChain, Rate, RateLimits, SkinSource as _, Step, Upstream, UpstreamConfig,
    UpstreamError,
};

use super::{assert_limited, player};
use crate::support::canned::{Answer, Canned, NOTCH};
use crate::support::resolve::Resolve as _;

#[test]
fn a_used_up_rate_limit_fails_at_once() {
    let window = Duration::from_secs(9);
    let config = UpstreamConfig {
        rate_limits: RateLimits {
            session: Rate::new(3, window),
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    };
    let upstream = Canned::with_notch();
    let resolver = upstream.resolver_with(config);
    let notch = player(NOTCH);
    for _ in 0..3 {
        assert!(resolver.resolve(&notch).is_ok());
        assert_eq!(upstream.calls().len(), 2);
    }
    let limited = resolver.resolve(&notch).unwrap_err();
    assert_limited(&limited, Step::Session, LimitReason::RateLimit, window);
    assert!(upstream.calls().is_empty());
    let state = &resolver.states()[Upstream::Session as usize];
    let used_up = Some(LimitReason::RateLimit);
    assert_eq!((state.rate_limit_left, state.limited), (Some(0), used_up));
    upstream.pass(window);
    assert!(resolver.resolve(&notch).is_ok());
}

/// Resolves a player many times, and returns the number of calls about names.
fn flood<'a>(
    upstream: &Canned,
    resolver: &ProviderChain,
    names: impl Iterator<Item = &'a str>,
) -> usize {
    for name in names {
        let _ = resolver.resolve(&player(name));
    }
    let is_about_name = |call: &&String| call.starts_with("identity/");
    upstream.calls().iter().filter(is_about_name).count()
}

#[test]
fn one_missing_name_cannot_use_up_the_rate_limit() {
    let mut upstream = Canned::with_notch();
    for name in ["NoBody", "nobody", "NOBODY"] {
        let not_found = Answer::file(404, "identity-not-found.json");
        upstream = upstream.on(&format!("identity/{name}"), not_found);
    }
    let resolver = upstream.resolver();
    let names = || ["NoBody", "nobody", "NOBODY"].into_iter().cycle();
    assert_eq!(flood(&upstream, &resolver, names().take(3_000)), 1);
    assert!(resolver.resolve(&player("Notch")).is_ok());
    assert!(!resolver.resolve(&player("nobody")).unwrap_err().is_outage());

    upstream.calls();
    upstream.pass(Duration::from_secs(60));
    assert_eq!(flood(&upstream, &resolver, names().take(300)), 1);
}

#[test]
fn a_missing_player_is_the_one_that_was_asked_for_and_is_remembered() {
    let session = &*format!("session/{NOTCH}");
    let uuid = "uuid 069a79f4-44e9-4726-a5be-fca90e38aaf5";
    for (input, calls, answer, named) in [
        (NOTCH, &[session][..], 204, format!("java {uuid}")),
        ("X", &["identity/X"], 404, r#"java name "X""#.into()),
        // The account was deleted: the session service alone does not know it any more.
        (
            "Notch",
            &["identity/Notch", session],
            204,
            r#"java name "Notch""#.into(),
        ),
        (".X", &["xuid/X"], 404, r#"bedrock gamertag "X""#.into()),
        (
            "00001",
            &["skin/00001"],
            204,
            r#"bedrock xuid "00001""#.into(),
        ),
    ] {
        let upstream = Canned::with_notch().on(calls[calls.len() - 1], Answer::status(answer));
        let resolver = upstream.resolver();
        for _ in 0..5 {
            let error = resolver.resolve(&player(input)).unwrap_err();
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
fn an_outage_is_not_remembered() {
    let upstream = Canned::with_notch().on("identity/Notch", Answer::status(500));
    let resolver = upstream.resolver();
    assert!(resolver.resolve(&player("Notch")).is_err());
    let upstream = upstream.on("identity/Notch", Answer::file(200, "identity-notch.json"));
    assert!(resolver.resolve(&player("Notch")).is_ok());
    // Nor does the health check rely on the memory.
    let gone = Answer::file(404, "identity-not-found.json");
    let upstream = upstream.on("identity/Notch", gone);
    assert!(resolver.resolve(&player("Notch")).is_err());
    let upstream = upstream.on("identity/Notch", Answer::status(500));
    assert!(resolver.ping().is_err());
    drop(upstream);
}
