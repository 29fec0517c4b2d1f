//! The time limits of a call and of a look-up.

use std::time::Duration;

use effigy_player::PlayerId;
use effigy_upstream::{
    ResolvedSkin, SkinOrigin, SkinSource as _, Step, TransportError, UpstreamConfig, UpstreamError,
};

use crate::support::canned::{
    Answer, BEDROCK_TEXTURE, Canned, NOTCH, NOTCH_TEXTURE, STEVE_CALLS, skin,
};

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn timeouts(upstream: &Canned) -> Vec<u64> {
    let requests = upstream.requests();
    requests
        .iter()
        .map(|request| request.timeout.as_secs())
        .collect()
}

fn slow_notch(identity: u64, session: u64, texture: u64) -> Canned {
    Canned::with_notch()
        .on(
            "identity/Notch",
            Answer::file(200, "identity-notch.json").after(secs(identity)),
        )
        .on(
            &format!("session/{NOTCH}"),
            Answer::file(200, "session-notch.json").after(secs(session)),
        )
        .on(NOTCH_TEXTURE, Answer::texture("Notch").after(secs(texture)))
}

#[test]
fn a_call_has_its_own_timeout_or_the_time_left() {
    let upstream = slow_notch(4, 9, 6);
    assert!(upstream.resolve("Notch").is_ok());
    assert_eq!(timeouts(&upstream), [10, 10, 7]);
}

#[test]
fn a_resolve_ends_in_time() {
    for (upstream, failing, calls) in [
        (slow_notch(10, 0, 0), Step::Identity, 1),
        (slow_notch(0, 11, 0), Step::Session, 2),
        (slow_notch(9, 9, 2), Step::Texture, 3),
    ] {
        let error = upstream.resolve("Notch").unwrap_err();
        assert!(
            matches!(
                error,
                UpstreamError::Transport { step, source: TransportError::Timeout } if step == failing
            ),
            "{error:?}"
        );
        assert_eq!(upstream.requests().len(), calls);
    }
}

#[test]
fn no_call_is_made_when_the_time_is_up() {
    let config = UpstreamConfig {
        resolve_timeout: secs(10),
        ..UpstreamConfig::default()
    };
    let upstream = slow_notch(5, 5, 0).on("skin/0000", Answer::Hang);
    let notch = PlayerId::detect("Notch").unwrap();
    let error = upstream.resolver_with(config).resolve(&notch).unwrap_err();
    assert!(
        matches!(
            error,
            UpstreamError::Transport {
                step: Step::Session,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(timeouts(&upstream), [10, 5]);
}

#[test]
fn the_fallback_has_the_last_quarter_of_the_time() {
    let upstream = Canned::new()
        .on(
            "xuid/Tag",
            Answer::file(200, "xuid-number.json").after(secs(9)),
        )
        .on("skin/2535432196048835", Answer::Hang);
    let resolved = upstream.resolve(".Tag").unwrap();
    assert_eq!(resolved.origin, SkinOrigin::Outage);
    assert_eq!(timeouts(&upstream), [10, 6, 5, 5, 5]);
}

#[test]
fn the_fallback_of_a_slow_look_up_has_ten_seconds() {
    let upstream = Canned::new().on("xuid/Tag", Answer::Hang);
    assert!(upstream.resolve(".Tag").is_ok());
    let requests = upstream.requests();
    assert_eq!(requests.len(), 1 + STEVE_CALLS.len());
    assert_eq!(requests[1].timeout, secs(10));
}

#[test]
fn the_fallback_for_a_texture_that_does_not_decode_has_the_time_that_is_left() {
    let upstream = Canned::new()
        .on(
            "xuid/Tag",
            Answer::file(200, "xuid-number.json").after(secs(9)),
        )
        .on(
            "skin/2535432196048835",
            Answer::file(200, "skin-record.json").after(secs(5)),
        )
        .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
        .on(
            STEVE_CALLS[0],
            Answer::file(200, "identity-steve.json").after(secs(4)),
        );
    let player = PlayerId::detect(".Tag").unwrap();
    let decode = |found: &ResolvedSkin| match skin(found).0.as_str() {
        "Steve" => Ok(()),
        name => Err(name.into()),
    };
    let resolver = upstream.resolver();
    let resolved = resolver.resolve_checked(&player, &decode).unwrap();
    assert_eq!(resolved.origin, SkinOrigin::Outage);
    assert_eq!(timeouts(&upstream), [10, 6, 1, 6, 2, 2]);
}

#[test]
fn a_health_check_has_five_seconds() {
    let upstream = Canned::with_notch();
    assert!(upstream.resolver().ping().is_ok());
    let config = UpstreamConfig {
        timeout: secs(2),
        ..UpstreamConfig::default()
    };
    assert!(upstream.resolver_with(config).ping().is_ok());
    assert_eq!(timeouts(&upstream), [5, 2]);
}

#[test]
fn huge_timeouts_are_shortened() {
    let config = UpstreamConfig {
        timeout: Duration::MAX,
        resolve_timeout: Duration::MAX,
        ..UpstreamConfig::default()
    };
    let upstream = Canned::with_notch().on("skin/0000", Answer::file(200, "skin-none.json"));
    let resolver = upstream.resolver_with(config);
    for input in ["Notch", "0000"] {
        let player = PlayerId::detect(input).unwrap();
        assert!(resolver.resolve(&player).is_ok(), "{input}");
    }
}

#[test]
fn each_step_has_a_maximum_body() {
    let upstream = Canned::with_notch();
    assert!(upstream.resolve("Notch").is_ok());
    let caps = upstream
        .requests()
        .into_iter()
        .map(|request| request.max_body);
    assert_eq!(caps.collect::<Vec<_>>(), [262_144, 262_144, 1_048_576]);
}
