//! Pauses after rejections, and the circuit of timeouts.

use super::*;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn left(pause: &Pause, now: Instant) -> Option<Duration> {
    pause.check(now).err().map(|limited| limited.retry_after)
}

#[test]
fn pauses_double() {
    let mut pause = Pause::default();
    let mut now = Instant::now();
    for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
        assert_eq!(
            pause.rejected(now, LimitReason::Refused, None),
            Some(secs(expected))
        );
        assert_eq!(left(&pause, now), Some(secs(expected)));
        now += secs(expected);
        assert_eq!(left(&pause, now), None);
    }
    pause.answered(now);
    pause.rejected(now, LimitReason::Refused, None);
    assert_eq!(left(&pause, now), Some(secs(1)));
}

#[test]
fn calls_in_flight_neither_extend_nor_end_a_pause() {
    let mut pause = Pause::default();
    let start = Instant::now();
    for _ in 0..20 {
        pause.rejected(start, LimitReason::TooManyRequests, None);
    }
    let later = start + Duration::from_millis(400);
    pause.answered(later);
    assert_eq!(left(&pause, later), Some(Duration::from_millis(600)));
    pause.rejected(start + secs(1), LimitReason::TooManyRequests, None);
    assert_eq!(left(&pause, start + secs(1)), Some(secs(2)));
}

#[test]
fn retry_after_is_bounded() {
    for (asked, expected) in [
        (0, 1),
        (1, 1),
        (7, 7),
        (61, 61),
        (600, 600),
        (3601, 3600),
        (u64::MAX, 3600),
    ] {
        let mut pause = Pause::default();
        let now = Instant::now();
        pause.rejected(now, LimitReason::Refused, Some(secs(asked)));
        assert_eq!(left(&pause, now), Some(secs(expected)), "{asked}");
    }
}

#[test]
fn the_longer_of_two_pauses_holds() {
    let mut pause = Pause::default();
    let now = Instant::now();
    pause.rejected(now, LimitReason::Refused, Some(secs(30)));
    pause.rejected(now, LimitReason::TooManyRequests, Some(secs(5)));
    assert_eq!(left(&pause, now), Some(secs(30)));
    pause.rejected(now, LimitReason::TooManyRequests, Some(secs(31)));
    let (reason, retry_after) = (LimitReason::TooManyRequests, secs(31));
    let limited = Limited {
        reason,
        retry_after,
    };
    assert_eq!(pause.check(now), Err(limited));
}

fn time_out(pause: &mut Pause, times: u32, now: Instant) {
    for _ in 0..times {
        pause.timed_out(now, now);
    }
}

fn open(now: Instant) -> Pause {
    let mut pause = Pause::default();
    time_out(&mut pause, MAX_TIMEOUTS, now);
    pause
}

#[test]
fn twenty_consecutive_timeouts_open_the_circuit() {
    let now = Instant::now();
    let mut pause = Pause::default();
    time_out(&mut pause, 19, now);
    assert!(!pause.is_circuit_open());
    assert_eq!(left(&pause, now), None);
    time_out(&mut pause, 1, now);
    assert!(pause.is_circuit_open());
    assert_eq!(left(&pause, now), Some(secs(2)));
}

#[test]
fn anything_else_ends_a_row_of_timeouts() {
    let now = Instant::now();
    let between: [fn(&mut Pause, Instant); 2] = [Pause::responded, |pause, _| pause.failed()];
    for between in between {
        let mut pause = Pause::default();
        time_out(&mut pause, 19, now);
        between(&mut pause, now);
        time_out(&mut pause, 19, now);
        assert!(!pause.is_circuit_open());
        time_out(&mut pause, 1, now);
        assert!(pause.is_circuit_open());
    }
}

#[test]
fn one_probe_every_two_seconds() {
    let start = Instant::now();
    let mut pause = open(start);
    let mut probes = Vec::new();
    for tenth in 0..100 {
        let now = start + Duration::from_millis(100 * tenth);
        if left(&pause, now).is_none() {
            pause.begin(now);
            probes.push(tenth);
        }
    }
    assert_eq!(probes, [20, 40, 60, 80]);
}

#[test]
fn a_failed_probe_leaves_the_circuit_open_and_a_response_closes_it() {
    let start = Instant::now();
    let mut pause = open(start);
    let now = start + secs(2);
    pause.begin(now);
    pause.timed_out(now, now);
    assert_eq!(left(&pause, now), Some(secs(2)));
    pause.failed();
    assert_eq!(left(&pause, now), Some(secs(2)));
    pause.responded(now);
    assert!(!pause.is_circuit_open());
    assert_eq!(left(&pause, now), None);
    time_out(&mut pause, 19, now);
    assert!(!pause.is_circuit_open(), "the count starts again");
}

#[test]
fn timeouts_of_calls_before_a_response_do_not_count() {
    let start = Instant::now();
    let mut pause = open(start);
    pause.responded(start + secs(1));
    for _ in 0..100 {
        pause.timed_out(start, start + secs(9));
    }
    assert!(!pause.is_circuit_open());
}

#[test]
fn the_circuit_does_not_shorten_a_pause_and_a_response_does_not_end_it() {
    let now = Instant::now();
    let mut pause = Pause::default();
    pause.rejected(now, LimitReason::TooManyRequests, Some(secs(60)));
    time_out(&mut pause, MAX_TIMEOUTS, now);
    assert!(pause.is_circuit_open());
    assert_eq!(left(&pause, now), Some(secs(60)));
    pause.responded(now + secs(1));
    assert!(!pause.is_circuit_open());
    assert_eq!(left(&pause, now + secs(1)), Some(secs(59)));
}
