//! The limits of an upstream together, and those of several upstreams.

use super::*;
use crate::RateLimits;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn limits(max_calls: usize) -> UpstreamLimits {
    session_limits(max_calls, None)
}

fn rate_limited(calls: u32) -> UpstreamLimits {
    session_limits(1, Rate::new(calls, secs(10)))
}

/// Returns the limits of a service other than the public one.
fn session_limits(max_calls: usize, session: Option<Rate>) -> UpstreamLimits {
    let config = UpstreamConfig {
        endpoints: private_endpoints(),
        rate_limits: RateLimits {
            session,
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    };
    let limits = UpstreamLimits::for_upstreams(&[Upstream::Session], &"test".into(), &config);
    let limits = limits.into_iter().next().expect("one upstream");
    UpstreamLimits {
        max_calls,
        ..limits
    }
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Answered,
    Rejected(Option<Duration>),
    Refused,
    Failed,
    TimedOut,
    CutShort,
    Unreachable,
}

fn end(permit: Permit<'_>, now: Instant, outcome: Outcome) {
    let response = |status, retry_after| {
        Ok(Response {
            status,
            retry_after,
            ..Response::default()
        })
    };
    let result = match outcome {
        Outcome::Answered => response(200, None),
        Outcome::Rejected(retry_after) => response(429, retry_after),
        Outcome::Refused => response(403, None),
        Outcome::Failed => response(500, None),
        Outcome::TimedOut | Outcome::CutShort => Err(TransportError::Timeout),
        Outcome::Unreachable => {
            let source = std::io::ErrorKind::ConnectionRefused.into();
            Err(TransportError::Unreachable { source })
        }
    };
    permit.end(now, &result, outcome != Outcome::CutShort, None);
}

/// Makes a call that ends at once with `outcome`, or returns the limit that is reached.
fn call(limits: &UpstreamLimits, now: Instant, outcome: Outcome) -> Option<Limited> {
    match limits.begin(now, None) {
        Ok(permit) => {
            end(permit, now, outcome);
            None
        }
        Err(limited) => Some(limited),
    }
}

fn limited(reason: LimitReason, retry_after: Duration) -> Option<Limited> {
    Some((reason, retry_after))
}

/// A client without a limit of its own, in a network.
#[derive(Debug)]
struct Client(u8);

impl Payer for Client {
    fn network(&self) -> IpAddr {
        [192, 0, 2, self.0].into()
    }

    fn charge(&self) -> Result<(), Duration> {
        Ok(())
    }
}

fn client(network: u8) -> Arc<dyn Payer> {
    Arc::new(Client(network))
}

#[test]
fn one_network_takes_at_most_half_of_what_is_left() {
    let now = Instant::now();
    let per_minute = session_limits(16, Rate::new(16, secs(60)));
    // Of the calls in flight, and of those that the rate limit allows, which end at once.
    for (limits, in_flight, used_up, wait) in [
        (limits(16), true, LimitReason::Concurrency, secs(1)),
        (per_minute, false, LimitReason::RateLimit, secs(60)),
    ] {
        let mut permits = Vec::new();
        for (network, expected) in [(1, 9), (2, 4), (3, 2), (1, 0)] {
            let mut calls = 0;
            let refused = loop {
                match limits.begin(now, Some(&client(network))) {
                    Ok(permit) if in_flight => permits.push(permit),
                    Ok(permit) => end(permit, now, Outcome::Answered),
                    Err(limited) => break limited,
                }
                calls += 1;
                assert!(calls <= 16, "{network}");
            };
            assert_eq!(calls, expected, "{network}");
            assert_eq!(refused, (LimitReason::Share, wait));
        }
        // Whoever is not charged may take the rest.
        permits.push(limits.begin(now, None).unwrap());
        let refused = limits.begin(now, Some(&client(1)));
        assert_eq!(refused.err().map(|(reason, _)| reason), Some(used_up));
        drop(permits);
        assert!(limits.begin(now + wait, Some(&client(1))).is_ok());
    }
}

/// Makes calls that end with `outcome` until the upstream is only probed, and returns their number.
fn take_down(limits: &UpstreamLimits, now: Instant, outcome: Outcome) -> u32 {
    let calls = (0..100).take_while(|_| call(limits, now, outcome).is_none());
    u32::try_from(calls.count()).expect("a few")
}

const FAILURES: [Outcome; 3] = [Outcome::Failed, Outcome::TimedOut, Outcome::Unreachable];

#[test]
fn failures_of_any_kind_in_a_row_leave_one_probe_every_two_seconds_until_it_is_answered() {
    for outcome in FAILURES {
        let limits = limits(64);
        let start = Instant::now();
        assert_eq!(take_down(&limits, start, outcome), MAX_FAILURES + 1);
        let paused = limited(LimitReason::NotAnswering, secs(2));
        assert_eq!(call(&limits, start, outcome), paused, "{outcome:?}");
        let mut probes = Vec::new();
        for tenth in 0..100 {
            let now = start + Duration::from_millis(100 * tenth);
            if call(&limits, now, outcome).is_none() {
                probes.push(tenth);
            }
            let state = limits.snapshot(now);
            assert!(state.paused_for.is_some() && state.limited.is_some());
        }
        assert_eq!(probes, [20, 40, 60, 80], "{outcome:?}");
        let now = start + secs(10);
        // A call would be made now, but the last one failed.
        let state = limits.snapshot(now);
        assert_eq!(state.paused_for, Some(Duration::ZERO));
        assert_eq!(state.limited, None);
        assert_eq!(call(&limits, now, Outcome::Answered), None, "the probe");
        assert_eq!(limits.snapshot(now).paused_for, None);
        assert_eq!(take_down(&limits, now, outcome), MAX_FAILURES + 1, "anew");
    }
}

#[test]
fn each_of_a_few_networks_has_a_probe_in_an_interval() {
    let limits = limits(64);
    let start = Instant::now();
    take_down(&limits, start, Outcome::Failed);
    let probes = |networks: &[u8], now| {
        let probe = |&network: &u8| {
            let permit = limits.begin(now, Some(&client(network)));
            permit.map(|permit| end(permit, now, Outcome::Failed))
        };
        let probes = networks.iter().map(|network| probe(network).is_ok());
        probes.collect::<Vec<bool>>()
    };
    let now = start + PROBE_INTERVAL;
    // Two of them ask all the time, which keeps nobody else out.
    assert_eq!(probes(&[1, 2, 1, 2], now), [true, true, false, false]);
    assert_eq!(probes(&[3, 4, 5], now), [true, true, false]);
    let now = now + PROBE_INTERVAL;
    assert_eq!(probes(&[1, 2, 1, 5], now), [true, true, false, true]);
    // After an answer, the next pause has probes of its own.
    let permit = limits.begin(now, Some(&client(6))).unwrap();
    end(permit, now, Outcome::Answered);
    take_down(&limits, now + secs(1), Outcome::Failed);
    assert_eq!(probes(&[1, 1, 6], now + secs(1)), [true, false, true]);
}

#[test]
fn an_answer_ends_a_row_of_failures_and_a_short_timeout_is_none() {
    let limits = limits(64);
    let now = Instant::now();
    for _ in 0..10 {
        for _ in 0..MAX_FAILURES {
            assert_eq!(call(&limits, now, Outcome::Failed), None);
            assert_eq!(call(&limits, now, Outcome::CutShort), None);
        }
        assert_eq!(call(&limits, now, Outcome::Answered), None);
    }
}

#[test]
fn failures_of_calls_from_before_an_answer_do_not_count() {
    let limits = limits(64);
    let start = Instant::now();
    let begin = || limits.begin(start, None).unwrap();
    let permits: Vec<Permit<'_>> = (0..10).map(|_| begin()).collect();
    assert_eq!(call(&limits, start + secs(1), Outcome::Answered), None);
    for permit in permits {
        end(permit, start + secs(9), Outcome::TimedOut);
    }
    assert_eq!(limits.snapshot(start + secs(9)).paused_for, None);
}

#[test]
fn calls_that_hang_leave_a_place_for_the_probe() {
    let limits = limits(10);
    let start = Instant::now();
    let begin = |now| limits.begin(now, None);
    let mut hanging: Vec<Permit<'_>> = (0..10).map(|_| begin(start).unwrap()).collect();
    for permit in hanging.split_off(10 - MAX_FAILURES as usize - 1) {
        end(permit, start, Outcome::TimedOut);
    }
    for second in [2, 4, 6, 8, 10] {
        hanging.push(begin(start + secs(second)).unwrap());
    }
    assert_eq!(limits.snapshot(start).calls, 11);
    // With the first answer, the limit applies to all calls again.
    let now = start + secs(11);
    end(hanging.remove(10), now, Outcome::Answered);
    let busy = limited(LimitReason::Concurrency, Duration::ZERO);
    assert_eq!(begin(now).err(), busy);
}

#[test]
fn pauses_double_up_to_a_minute_until_an_answer() {
    for outcome in [Outcome::Rejected(None), Outcome::Refused] {
        let limits = limits(64);
        let mut now = Instant::now();
        if outcome == Outcome::Refused {
            for _ in 0..MAX_FAILURES {
                assert_eq!(call(&limits, now, outcome), None);
            }
        }
        for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(call(&limits, now, outcome), None);
            let wait = limits.snapshot(now).paused_for;
            assert_eq!(wait, Some(secs(expected)), "{outcome:?}");
            now += secs(expected);
        }
        assert_eq!(call(&limits, now, Outcome::Answered), None);
        assert_eq!(limits.snapshot(now).paused_for, None);
        assert_eq!(call(&limits, now, Outcome::Rejected(None)), None);
        assert_eq!(limits.snapshot(now).paused_for, Some(secs(1)));
        // A failure does not shorten the next one.
        now += secs(1);
        assert_eq!(call(&limits, now, Outcome::Failed), None);
        assert_eq!(call(&limits, now, Outcome::Rejected(None)), None);
        assert_eq!(limits.snapshot(now).paused_for, Some(secs(2)));
    }
}

/// The request for the profile of a player.
fn proof(player: u32) -> (Step, Url) {
    let url = format!("http://127.0.0.1/{player}");
    (Step::Session, Url::parse(&url).expect("a url"))
}

/// Ends a call for the profile of a player with a status, and returns the time until the next call.
fn end_for(permit: Permit<'_>, now: Instant, player: u32, status: u16) -> Option<Duration> {
    let response = Ok(Response {
        status,
        ..Response::default()
    });
    permit.end(now, &response, true, Some(proof(player)))
}

#[test]
fn calls_in_flight_that_fail_together_leave_it_to_the_proof() {
    let limits = limits(64);
    let start = Instant::now();
    let end = |permit: Permit<'_>, player, status| end_for(permit, start, player, status);
    let begin = || limits.begin(start, None).expect("it is not paused");
    assert_eq!(end(begin(), 0, 200), None);
    let permits: Vec<Permit<'_>> = (0..10).map(|_| begin()).collect();
    for (permit, player) in permits.into_iter().zip(1..) {
        assert_eq!(end(permit, player, 500), None);
    }
    let (_, url) = proof(1);
    assert_eq!(limits.proof(&url), Some(proof(0)));
    // The others do not wait for it, and tell nothing meanwhile.
    assert_eq!(limits.proof(&url), None);
    assert_eq!(end(begin(), 1, 500), None);
    assert_eq!(end(begin(), 0, 500), Some(PROBE_INTERVAL));
    // One that fails itself is not asked for again.
    limits.proved();
    assert_eq!(limits.proof(&url), None);
}

/// The session service serves each profile about once a minute.
#[test]
fn a_profile_that_was_served_is_rejected_for_itself() {
    let limits = limits(64);
    let start = Instant::now();
    let call = |player, now, status| {
        let permit = limits.begin(now, None).expect("it is not paused");
        end_for(permit, now, player, status)
    };
    assert_eq!(call(0, start, 200), None);
    assert_eq!(call(0, start + secs(59), 429), None);
    assert_eq!(call(1, start + secs(59), 200), None);
    // A minute later it says more, as it does about one that was not served.
    assert_eq!(call(0, start + secs(61), 429), Some(secs(1)));
    assert_eq!(call(2, start + secs(63), 429), Some(secs(2)));
}

#[test]
fn calls_in_flight_neither_extend_nor_end_a_pause() {
    let limits = limits(64);
    let start = Instant::now();
    let begin = || limits.begin(start, None).unwrap();
    let mut permits: Vec<Permit<'_>> = (0..20).map(|_| begin()).collect();
    let answered = permits.pop().unwrap();
    for permit in permits {
        end(permit, start + secs(1), Outcome::Rejected(None));
    }
    end(answered, start + secs(1), Outcome::Answered);
    let wait = limits.snapshot(start + secs(1)).paused_for;
    assert_eq!(wait, Some(secs(1)));
}

#[test]
fn retry_after_is_bounded_and_the_longer_of_two_holds() {
    for (asked, expected) in [
        (0, 1),
        (1, 1),
        (7, 7),
        (61, 61),
        (3601, 3600),
        (u64::MAX, 3600),
    ] {
        let limits = limits(64);
        let now = Instant::now();
        let begin = || limits.begin(now, None).unwrap();
        let permits = [begin(), begin()];
        for (permit, asked) in permits.into_iter().zip([asked, 0]) {
            end(permit, now, Outcome::Rejected(Some(secs(asked))));
        }
        let wait = limits.snapshot(now).paused_for;
        assert_eq!(wait, Some(secs(expected)), "{asked}");
    }
}

#[test]
fn the_state_and_what_counts() {
    let limits = rate_limited(5);
    let now = Instant::now();
    let permit = limits.begin(now, None).unwrap();
    let mut expected = UpstreamState {
        provider: "test".into(),
        upstream: Upstream::Session,
        calls: 1,
        rate_limit_left: Some(4),
        paused_for: None,
        limited: Some(LimitReason::Concurrency),
    };
    // A call that is refused does not count.
    let busy = limited(LimitReason::Concurrency, Duration::ZERO);
    assert_eq!(call(&limits, now, Outcome::Answered), busy);
    assert_eq!(limits.snapshot(now), expected);
    end(permit, now, Outcome::Rejected(Some(secs(7))));
    expected.calls = 0;
    expected.paused_for = Some(secs(7));
    expected.limited = Some(LimitReason::TooManyRequests);
    let paused = limited(LimitReason::TooManyRequests, secs(7));
    assert_eq!(call(&limits, now, Outcome::Answered), paused);
    assert_eq!(limits.snapshot(now), expected);

    // Nor does one that was never sent, but one does whose transport has panicked.
    let limits = rate_limited(1);
    assert_eq!(call(&limits, now, Outcome::Unreachable), None);
    assert_eq!(limits.snapshot(now).rate_limit_left, Some(1));
    drop(limits.begin(now, None));
    let state = limits.snapshot(now);
    assert_eq!((state.calls, state.rate_limit_left), (0, Some(0)));
    assert_eq!(state.limited, Some(LimitReason::RateLimit));
    assert_eq!(limits.snapshot(now + secs(10)).rate_limit_left, Some(1));
}

const UPSTREAMS: [Upstream; 5] = [
    Upstream::IdentityLegacy,
    Upstream::IdentityCurrent,
    Upstream::Session,
    Upstream::Bedrock,
    Upstream::Texture,
];

fn private_endpoints() -> Endpoints {
    let base = BaseUrl::parse("http://127.0.0.1:1").expect("a base url");
    Endpoints {
        java_identity: base.clone(),
        java_session: base.clone(),
        bedrock_lookup: base.clone(),
        texture: base,
    }
}

#[test]
fn defaults_hold_for_the_public_services_only() {
    let own = RateLimits {
        identity: Rate::new(20, secs(1)),
        session: Rate::new(10, secs(1)),
        bedrock: None,
    };
    let (public, default) = (Endpoints::default, RateLimits::default());
    let unlimited = 1_000;
    for (endpoints, rate_limits, expected) in [
        (public(), default, [590, 190, 390, 120, unlimited]),
        (private_endpoints(), default, [unlimited; 5]),
        (public(), own, [20, 20, 10, 120, unlimited]),
        // There, both forms have one host and share its limit.
        (private_endpoints(), own, [20, 0, 10, unlimited, unlimited]),
    ] {
        let config = UpstreamConfig {
            endpoints,
            rate_limits,
            ..UpstreamConfig::default()
        };
        let all = UpstreamLimits::for_upstreams(&UPSTREAMS, &"test".into(), &config);
        let now = Instant::now();
        let allowed = all.iter().map(|limits| {
            let calls = (0..unlimited).map(|_| call(limits, now, Outcome::Answered));
            calls.take_while(Option::is_none).count()
        });
        assert!(allowed.eq(expected));
    }
}
