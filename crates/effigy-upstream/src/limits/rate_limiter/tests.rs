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

/// Begins a call, or returns the time until one can.
fn begin(limiter: &mut RateLimiter, now: Instant) -> Result<(), Duration> {
    let checked = limiter.check(now);
    checked.map_err(|limited| limited.retry_after)?;
    limiter.begin();
    Ok(())
}

#[test]
fn a_call_counts_until_a_window_after_its_end() {
    let limit = Rate::new(3, secs(10)).expect("a rate limit");
    let mut limiter = RateLimiter::new(limit);
    let start = Instant::now();
    let mut begin_at = |seconds, ends| {
        let now = start + secs(seconds);
        let begun = begin(&mut limiter, now);
        if ends {
            limiter.end(Some(now));
        }
        begun
    };
    assert_eq!(begin_at(0, true), Ok(()));
    assert_eq!(begin_at(1, true), Ok(()));
    assert_eq!(begin_at(2, false), Ok(()));
    assert_eq!(begin_at(4, false), Err(secs(6)));
    assert_eq!(begin_at(9, false), Err(secs(1)));
    assert_eq!(begin_at(10, false), Ok(()));
    assert_eq!(begin_at(10, false), Err(secs(1)));
    assert_eq!(begin_at(11, false), Ok(()));
    // Those in flight count until a window after an end that is not known.
    assert_eq!(begin_at(13, true), Err(secs(10)));
    assert_eq!(begin_at(14, false), Err(secs(9)));
    assert_eq!(begin_at(23, false), Ok(()));
}

proptest! {
    /// However long the calls take, and whenever within that time they arrive.
    #[test]
    fn no_window_of_the_upstream_has_more_calls_than_the_limit(
        calls in 1_u32..60,
        rows in prop::collection::vec((0_u64..300, 0_u64..900, 0_u64..=900), 0..400),
    ) {
        let window = secs(10);
        let mut limiter = RateLimiter::new(Rate::new(calls, window).expect("a rate limit"));
        let mut now = Instant::now();
        let mut in_flight: Vec<Instant> = Vec::new();
        let mut arrivals = Vec::new();
        for (gap, takes, arrives) in rows {
            now += ms(gap);
            in_flight.sort();
            while in_flight.first().is_some_and(|&end| end <= now) {
                limiter.end(Some(in_flight.remove(0)));
            }
            if begin(&mut limiter, now).is_ok() {
                in_flight.push(now + ms(takes));
                arrivals.push(now + ms(arrives.min(takes)));
            }
            prop_assert!(limiter.counted() <= calls as usize, "memory is bounded");
        }
        arrivals.sort();
        for (at, &first) in arrivals.iter().enumerate() {
            let within = arrivals[at..].iter().filter(|&&call| call < first + window).count();
            prop_assert!(within <= calls as usize, "{} of {}", within, calls);
        }
    }
}
