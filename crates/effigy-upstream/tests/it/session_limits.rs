//! Rejections (429) of the session service, which may be about one profile alone.

use std::time::Duration;

use effigy_player::PlayerId;
use effigy_upstream::{
    BaseUrl, LimitReason, LookUp, Profiles as _, ProviderChain, Status as _, TextureUrl,
    Textures as _, Upstream, UpstreamConfig, UpstreamError,
};

use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE};
use crate::support::resolve::look_up;

const SESSION: &str = "session/069a79f444e94726a5befca90e38aaf5";
const MINUTE: Duration = Duration::from_secs(60);

fn look_player_up(chain: &ProviderChain, input: &str, look_up: &LookUp) -> Option<UpstreamError> {
    let player = PlayerId::detect(input).expect(input);
    chain.profile(&player, look_up).err()
}

/// Returns the upstreams that are paused.
fn paused(chain: &ProviderChain) -> Vec<Upstream> {
    let states = chain.states().into_iter();
    let paused = states.filter(|state| state.paused_for.is_some());
    paused.map(|state| state.upstream).collect()
}

/// A chain that started a minute ago.
fn old_chain(upstream: &Canned) -> ProviderChain {
    let chain = upstream.resolver();
    upstream.pass(MINUTE);
    chain
}

#[test]
fn a_rejection_pauses_the_session_service() {
    let upstream = Canned::with_notch().on(SESSION, Answer::status(429));
    let chain = old_chain(&upstream);
    let error = look_player_up(&chain, NOTCH, &look_up(&chain)).expect("rejected");
    assert_eq!(error.status(), Some(429));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)));
    assert_eq!(paused(&chain), [Upstream::Session]);
}

#[test]
fn a_429_after_a_recent_check_pauses_nothing() {
    let answer = Answer::RetryAfter(429, MINUTE);
    let upstream = Canned::with_notch().on(SESSION, answer);
    let chain = old_chain(&upstream);
    for input in ["Notch", NOTCH] {
        let checked = look_up(&chain).after_recent_check();
        let error = look_player_up(&chain, input, &checked).expect("rejected");
        assert_eq!(error.status(), Some(429));
        assert_eq!(error.retry_after(), None);
        assert!(paused(&chain).is_empty());
    }
    // Others are asked for as before.
    let steve = look_player_up(&chain, "Steve", &look_up(&chain));
    assert!(steve.is_none());
}

#[test]
fn a_429_is_remembered_for_the_player_alone() {
    let upstream = Canned::with_notch().on(SESSION, Answer::status(429));
    let chain = old_chain(&upstream);
    let checked = || look_up(&chain).after_recent_check();
    assert!(look_player_up(&chain, NOTCH, &checked()).is_some());
    assert!(look_player_up(&chain, NOTCH, &checked()).is_some());
    assert_eq!(upstream.calls(), [SESSION]);
}

#[test]
fn a_429_of_another_service_always_pauses_it() {
    let skin = "skin/2535432196048835";
    for (input, call, upstream_paused) in [
        ("Notch", "identity/Notch", Upstream::IdentityLegacy),
        (".Tag", skin, Upstream::Bedrock),
    ] {
        let upstream = Canned::with_notch()
            .on("xuid/Tag", Answer::record("xuid-number"))
            .on(call, Answer::status(429));
        let chain = upstream.resolver();
        let checked = look_up(&chain).after_recent_check();
        assert!(look_player_up(&chain, input, &checked).is_some());
        assert_eq!(paused(&chain), [upstream_paused], "{input}");
    }
    let upstream = Canned::new().on(NOTCH_TEXTURE, Answer::status(429));
    let chain = upstream.resolver();
    let url = TextureUrl::new(format!("https://textures.minecraft.net/{NOTCH_TEXTURE}"));
    let checked = look_up(&chain).after_recent_check();
    assert!(chain.texture(&url, None, &checked).is_err());
    assert_eq!(paused(&chain), [Upstream::Texture]);
}

#[test]
fn a_429_in_the_first_interval_pauses_nothing() {
    let upstream = Canned::with_notch().on(SESSION, Answer::status(429));
    let chain = upstream.resolver();
    upstream.pass(MINUTE - Duration::from_millis(1));
    assert!(look_player_up(&chain, NOTCH, &look_up(&chain)).is_some());
    assert!(paused(&chain).is_empty());
    assert!(look_player_up(&chain, "Steve", &look_up(&chain)).is_none());
    // That ends with the interval.
    let other = "853c80ef3c3749fdaa49938b674adae6";
    let upstream = upstream.on(&format!("session/{other}"), Answer::status(429));
    upstream.pass(Duration::from_millis(1));
    assert!(look_player_up(&chain, other, &look_up(&chain)).is_some());
    assert_eq!(paused(&chain), [Upstream::Session]);
}

#[test]
fn the_first_interval_of_ones_own_service_has_five_seconds() {
    let base = "http://127.0.0.1:1";
    for (seconds, is_paused) in [(4, false), (5, true)] {
        let mut config = UpstreamConfig::default();
        config.endpoints.java_session = BaseUrl::parse(base).expect("a base url");
        let call = format!("{base}/session/minecraft/profile/{NOTCH}");
        let upstream = Canned::new().on(&call, Answer::status(429));
        let chain = upstream.resolver_with(config);
        upstream.pass(Duration::from_secs(seconds));
        assert!(look_player_up(&chain, NOTCH, &look_up(&chain)).is_some());
        assert_eq!(!paused(&chain).is_empty(), is_paused, "{seconds}");
    }
}

#[test]
fn a_probe_is_about_another_profile_than_the_look_up() {
    let upstream = Canned::new().on("*", Answer::status(500));
    let chain = old_chain(&upstream);
    let uuid = |number: u32| format!("a{number:07x}3c3749fdaa49938b674adae6");
    for number in 0..3 {
        assert!(look_player_up(&chain, &uuid(number), &look_up(&chain)).is_some());
    }
    // The health check's player is rejected, who was not checked lately.
    let upstream = upstream.on(SESSION, Answer::status(429));
    upstream.calls();
    let checked = look_up(&chain).after_recent_check();
    let error = look_player_up(&chain, &uuid(3), &checked).expect("paused");
    assert_eq!(error.limit(), Some(LimitReason::TooManyRequests));
    assert_eq!(upstream.calls(), [SESSION]);
    assert_eq!(paused(&chain), [Upstream::Session]);
}
