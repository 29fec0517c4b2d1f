//! The time limits of a call and of a look-up.

use std::time::Duration;

use effigy_player::PlayerId;
use effigy_upstream::{
    LimitReason, LookUp, Profiles as _, Rate, RateLimits, Status as _, Textures as _,
    UpstreamConfig, error_chain,
};

use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE};
use crate::support::resolve::Resolve as _;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn timeouts(upstream: &Canned) -> Vec<u64> {
    let requests = upstream.requests().into_iter();
    requests.map(|request| request.timeout.as_secs()).collect()
}

fn slow_notch(identity: u64, session: u64, texture: u64) -> Canned {
    let session = Answer::record("session-notch").after(secs(session));
    let identity = Answer::record("identity-notch").after(secs(identity));
    Canned::with_notch()
        .on("identity/Notch", identity)
        .on(&format!("session/{NOTCH}"), session)
        .on(NOTCH_TEXTURE, Answer::texture("Notch").after(secs(texture)))
}

#[test]
fn a_call_has_its_own_timeout_or_the_time_left() {
    let notch = PlayerId::detect("Notch").unwrap();
    let late = |step| format!("{step}: no response: no complete response in time");
    for (upstream, earlier, expected, times) in [
        (slow_notch(4, 9, 6), 0, "found".to_owned(), &[10, 10, 7][..]),
        (slow_notch(10, 0, 0), 0, late("identity"), &[10]),
        (slow_notch(0, 11, 0), 0, late("session"), &[10, 10]),
        (slow_notch(9, 9, 2), 0, late("texture"), &[10, 10, 2]),
        // No call is made when the time is up.
        (slow_notch(0, 0, 0), 20, late("identity"), &[]),
    ] {
        let resolver = upstream.resolver();
        let look_up = LookUp::until(resolver.deadline() - secs(earlier));
        let found = resolver.profile(&notch, &look_up);
        let texture = found.map(|profile| profile.skin.expect("a skin").texture);
        let file = texture.and_then(|texture| resolver.texture(&texture, None, &look_up));
        let outcome = file.map_or_else(|error| error_chain(&error), |_| "found".to_owned());
        assert!(outcome.ends_with(&expected), "{outcome}");
        assert_eq!(timeouts(&upstream), times);
    }
}

#[test]
fn a_health_check_has_five_seconds() {
    let upstream = Canned::with_notch();
    assert!(upstream.resolver().first_ping().is_ok());
    let config = UpstreamConfig {
        timeout: secs(2),
        ..UpstreamConfig::default()
    };
    assert!(upstream.resolver_with(config).first_ping().is_ok());
    assert_eq!(timeouts(&upstream), [5, 2]);
}

#[test]
fn huge_timeouts_are_shortened() {
    let config = UpstreamConfig {
        timeout: Duration::MAX,
        ..UpstreamConfig::default()
    };
    let upstream = Canned::with_notch().on("skin/00001", Answer::record("skin-none"));
    let resolver = upstream.resolver_with(config);
    for input in ["Notch", "00001"] {
        assert!(resolver.resolve_any(input).is_ok(), "{input}");
    }
}

#[test]
fn pings_take_a_twentieth_of_a_limit() {
    let limited = |limit: Option<Rate>| UpstreamConfig {
        rate_limits: RateLimits {
            identity: limit,
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    };
    let ten_minutes = Duration::from_secs(600);
    for (limit, pings, oldest) in [(590, 3, 20), (60, 1, 59)] {
        let upstream = Canned::with_notch();
        let resolver = upstream.resolver_with(limited(Rate::new(limit, ten_minutes)));
        let mut ages = Vec::new();
        for _ in 0..600 {
            ages.extend(resolver.ping().into_iter().map(|ping| ping.age.as_secs()));
            upstream.pass(Duration::from_millis(100));
        }
        assert_eq!(upstream.calls().len(), pings, "{limit}");
        assert_eq!(ages.into_iter().max(), Some(oldest), "{limit}");
    }
}

#[test]
fn calls_between_pings_update_the_answer() {
    let identity = "identity/Notch";
    let upstream = Canned::with_notch().on(identity, Answer::status(500));
    let resolver = upstream.resolver();
    assert!(resolver.first_ping().is_err());
    let upstream = upstream.on(identity, Answer::record("identity-notch"));
    upstream.pass(Duration::from_secs(2));
    assert!(resolver.first_ping().is_err(), "nothing has told");
    assert!(resolver.resolve("Notch").is_ok());
    assert!(resolver.first_ping().is_ok());
    // And the other way round.
    let upstream = upstream.on(identity, Answer::status(500));
    for _ in 0..6 {
        upstream.pass(Duration::from_secs(2));
        assert!(resolver.resolve("Notch").is_err());
    }
    let error = resolver.first_ping().unwrap_err();
    assert_eq!(error.limit(), Some(LimitReason::NotAnswering));
}
