//! The rate limiter.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn limiter(calls: u32, window: Duration) -> RateLimiter {
    RateLimiter::new(Rate::new(calls, window).expect("a rate limit"))
}

/// Begins a call, or returns the limit that is reached.
fn pay(limiter: &mut RateLimiter, now: Instant, network: Option<IpAddr>) -> Result<(), Limited> {
    limiter.check(now, network)?;
    limiter.begin(network);
    Ok(())
}

/// Begins a call that nobody is charged for, or returns the time until one can.
fn begin(limiter: &mut RateLimiter, now: Instant) -> Result<(), Duration> {
    pay(limiter, now, None).map_err(|(_, wait)| wait)
}

/// Counts the calls that are allowed in a row, each of which ends at once.
fn drain(limiter: &mut RateLimiter, now: Instant) -> u32 {
    let mut calls = 0;
    while begin(limiter, now).is_ok() {
        calls += 1;
    }
    (0..calls).for_each(|_| limiter.end(None, Some(now)));
    calls
}

#[test]
fn all_calls_at_once_and_then_none_for_a_window() {
    let mut limiter = limiter(40, secs(10));
    let start = Instant::now();
    assert_eq!(drain(&mut limiter, start), 40);
    assert_eq!(limiter.left(start), 0);
    assert_eq!(begin(&mut limiter, start), Err(secs(10)));
    assert_eq!(begin(&mut limiter, start + ms(9_999)), Err(ms(1)));
    assert_eq!(drain(&mut limiter, start + secs(10)), 40);
}

#[test]
fn each_call_counts_for_a_window_after_its_end() {
    let mut limiter = limiter(4, secs(10));
    let start = Instant::now();
    for at in [0, 1, 2, 3] {
        let at = start + secs(at);
        begin(&mut limiter, at).unwrap();
        limiter.end(None, Some(at));
    }
    assert_eq!(begin(&mut limiter, start + secs(4)), Err(secs(6)));
    assert!(begin(&mut limiter, start + secs(10)).is_ok());
    assert_eq!(begin(&mut limiter, start + secs(10)), Err(secs(1)));
}

#[test]
fn a_call_in_flight_counts_until_a_window_after_its_end() {
    let mut limiter = limiter(1, secs(10));
    let start = Instant::now();
    begin(&mut limiter, start).unwrap();
    assert_eq!(begin(&mut limiter, start + secs(11)), Err(secs(10)));
    limiter.end(None, Some(start + secs(12)));
    assert_eq!(begin(&mut limiter, start + secs(13)), Err(secs(9)));
    assert!(begin(&mut limiter, start + secs(22)).is_ok());
}

#[test]
fn one_network_takes_at_most_half_of_what_is_left() {
    let mut limiter = limiter(120, secs(60));
    let networks = [1, 2, 3, 4].map(|number| IpAddr::from([192, 0, 2, number]));
    let start = Instant::now();
    let mut drain = |network, now| {
        let calls = (0..1000).take_while(|_| match pay(&mut limiter, now, Some(network)) {
            Ok(()) => {
                limiter.end(Some(network), Some(now));
                true
            }
            Err(limited) => {
                let wait = start + secs(60) - now;
                assert_eq!(limited, (LimitReason::Share, wait));
                false
            }
        });
        calls.count()
    };
    let taken = networks.map(|network| drain(network, start));
    assert_eq!(taken, [61, 30, 15, 8]);
    assert_eq!(drain(networks[0], start + secs(59)), 0);
    assert_eq!(limiter.left(start + secs(59)), 6);
    // Whoever is not charged may take the rest.
    for _ in 0..6 {
        assert_eq!(begin(&mut limiter, start), Ok(()));
    }
    let used_up = (LimitReason::RateLimit, secs(60));
    assert_eq!(pay(&mut limiter, start, Some(networks[0])), Err(used_up));
}

#[test]
fn memory_is_bounded() {
    let mut limiter = limiter(7, ms(1));
    let mut now = Instant::now();
    for _ in 0..10_000 {
        now += Duration::from_micros(100);
        drain(&mut limiter, now);
        assert!(limiter.calls.len() <= 7);
    }
}

proptest! {
    /// However long the calls take, and whenever within that time they arrive.
    #[test]
    fn no_window_of_the_upstream_has_more_calls_than_the_limit(
        calls in 1_u32..60,
        rows in prop::collection::vec((0_u64..300, 0_u64..900, 0_u64..=900), 0..400),
    ) {
        let window = secs(10);
        let mut limiter = limiter(calls, window);
        let mut now = Instant::now();
        let mut in_flight: Vec<Instant> = Vec::new();
        let mut arrivals = Vec::new();
        for (gap, takes, arrives) in rows {
            now += ms(gap);
            in_flight.sort();
            while in_flight.first().is_some_and(|&end| end <= now) {
                limiter.end(None, Some(in_flight.remove(0)));
            }
            if begin(&mut limiter, now).is_ok() {
                in_flight.push(now + ms(takes));
                arrivals.push(now + ms(arrives.min(takes)));
            }
        }
        arrivals.sort();
        for (at, &first) in arrivals.iter().enumerate() {
            let within = arrivals[at..].iter().filter(|&&call| call < first + window).count();
            prop_assert!(within <= calls as usize, "{} of {}", within, calls);
        }
    }
}
