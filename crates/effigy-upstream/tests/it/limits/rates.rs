//! Rate limits as a caller sees them, and what is kept for other players.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use effigy_upstream::{
    LimitReason, Payer, ProviderChain, Rate, RateLimits, SkinSource as _, Step, Terms,
    UpstreamConfig, UpstreamError,
};

use super::{assert_limited, player};
use crate::support::canned::{Answer, Canned, NOTCH};
use crate::support::resolve::Resolve as _;

/// Resolves a player many times, and returns the number of calls about names.
fn flood<'a>(
    upstream: &Canned,
    resolver: &ProviderChain,
    names: impl Iterator<Item = &'a str>,
) -> usize {
    for name in names {
        let _ = resolver.resolve(name);
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
    assert!(resolver.resolve("Notch").is_ok());
    assert!(!resolver.resolve("nobody").unwrap_err().is_outage());

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

/// A client of a network, with so many calls of its own.
#[derive(Debug)]
struct Client(IpAddr, AtomicU32);

impl Payer for Client {
    fn network(&self) -> IpAddr {
        self.0
    }

    fn charge(&self) -> Result<(), Duration> {
        let left = self
            .1
            .fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| Duration::from_secs(7))
    }
}

fn client(network: u8, calls: u32) -> Arc<dyn Payer> {
    let network = [192, 0, 2, network].into();
    Arc::new(Client(network, AtomicU32::new(calls)))
}

/// Looks a player up at the expense of a client.
fn ask(resolver: &ProviderChain, input: &str, payer: &Arc<dyn Payer>) -> Result<(), UpstreamError> {
    let (deadline, payer) = (resolver.deadline(), Some(payer));
    let found = resolver.profile(&player(input), Terms { deadline, payer });
    found.map(drop)
}

#[test]
fn the_clients_of_a_network_leave_half_of_the_new_players_to_others() {
    let config = UpstreamConfig {
        rate_limits: RateLimits {
            identity: Rate::new(120, Duration::from_secs(60)),
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    };
    let upstream = Canned::new().on("*", Answer::status(404));
    let resolver = upstream.resolver_with(config);
    let mut names = (0..).map(|number| format!("Player{number}"));
    for (network, expected) in [(1, 61), (2, 30), (3, 15)] {
        let mut served = 0;
        let refused = loop {
            let name = names.next().expect("there are more");
            match ask(&resolver, &name, &client(network, 1)).unwrap_err() {
                UpstreamError::PlayerNotFound { .. } => served += 1,
                error => break error,
            }
        };
        assert_eq!(
            (served, refused.limit()),
            (expected, Some(LimitReason::Share))
        );
        assert_eq!(refused.retry_after(), Some(Duration::from_secs(60)));
    }
}

#[test]
fn each_call_is_charged_where_it_is_made() {
    let upstream = Canned::with_notch();
    let resolver = upstream.resolver();
    let poor = client(1, 1);
    // The session profile is not paid for any more.
    let error = ask(&resolver, "Notch", &poor).unwrap_err();
    assert_limited(
        &error,
        Step::Session,
        LimitReason::Share,
        Duration::from_secs(7),
    );
    assert_eq!(upstream.calls(), ["identity/Notch"]);
    // It says nothing about the player, and others are served.
    let rich = client(2, 2);
    assert!(ask(&resolver, "Notch", &rich).is_ok());
    assert!(ask(&resolver, NOTCH, &rich).is_err());
    // No other provider is asked in place of one that the client may not ask.
    let config = UpstreamConfig {
        providers: vec!["mojang".into(), "yggdrasil=skins.example".into()],
        ..UpstreamConfig::default()
    };
    upstream.calls();
    let resolver = upstream.resolver_with(config);
    assert!(ask(&resolver, "Notch", &client(1, 0)).is_err());
    assert!(upstream.calls().is_empty());
}

#[test]
fn the_health_check_does_not_rely_on_what_is_remembered() {
    let gone = Answer::file(404, "identity-not-found.json");
    let upstream = Canned::with_notch().on("identity/Notch", gone);
    let resolver = upstream.resolver();
    assert!(resolver.resolve("Notch").is_err());
    drop(upstream.on("identity/Notch", Answer::status(500)));
    assert!(resolver.first_ping().is_err());
}
