//! The rules of the circuit breaker and of pauses.

use std::sync::Barrier;
use std::thread;

use super::*;
use crate::limits::circuit_breaker::MAX_FAILURES;

/// Makes calls that end with `sent` until the upstream is only probed, and returns their number.
fn take_down(limits: &UpstreamLimits, now: Instant, sent: Sent) -> u32 {
    let calls = (0..100).take_while(|_| call(limits, now, sent).is_none());
    u32::try_from(calls.count()).expect("a few")
}

const FAILURES: [Sent; 3] = [Sent::Failed, Sent::TimedOut, Sent::Unreachable];

#[test]
fn failures_in_a_row_leave_one_probe_every_two_seconds() {
    for sent in FAILURES {
        let limits = limits(64);
        let start = Instant::now();
        assert_eq!(take_down(&limits, start, sent), MAX_FAILURES + 1);
        let paused = limited(LimitReason::NotAnswering, secs(2));
        assert_eq!(call(&limits, start, sent), paused, "{sent:?}");
        let mut probes = Vec::new();
        for tenth in 0..100 {
            let now = start + Duration::from_millis(100 * tenth);
            if call(&limits, now, sent).is_none() {
                probes.push(tenth);
            }
            let state = limits.snapshot(now);
            assert!(state.paused_for.is_some() && state.limited.is_some());
        }
        assert_eq!(probes, [20, 40, 60, 80], "{sent:?}");
        let now = start + secs(10);
        // A call would be made now, but the last one failed.
        let state = limits.snapshot(now);
        assert_eq!(state.paused_for, Some(Duration::ZERO));
        assert_eq!(state.limited, None);
        assert_eq!(call(&limits, now, Sent::Answered), None, "the probe");
        assert_eq!(limits.snapshot(now).paused_for, None);
        assert_eq!(take_down(&limits, now, sent), MAX_FAILURES + 1, "anew");
    }
}

#[test]
fn an_answer_ends_a_row_of_failures() {
    let limits = limits(64);
    let now = Instant::now();
    for _ in 0..10 {
        for _ in 0..MAX_FAILURES {
            assert_eq!(call(&limits, now, Sent::Failed), None);
            assert_eq!(call(&limits, now, Sent::CutShort), None);
        }
        assert_eq!(call(&limits, now, Sent::Answered), None);
    }
}

#[test]
fn failures_of_calls_from_before_an_answer_do_not_count() {
    let limits = limits(64);
    let start = Instant::now();
    let permits: Vec<Permit<'_>> = (0..10).map(|_| begin(&limits, start)).collect();
    assert_eq!(call(&limits, start + secs(1), Sent::Answered), None);
    for permit in permits {
        end_own(permit, start + secs(9), Sent::TimedOut);
    }
    assert_eq!(limits.snapshot(start + secs(9)).paused_for, None);
}

#[test]
fn calls_that_hang_leave_a_place_for_the_probe() {
    let limits = limits(10);
    let start = Instant::now();
    let mut hanging: Vec<Permit<'_>> = (0..10).map(|_| begin(&limits, start)).collect();
    for permit in hanging.split_off(10 - MAX_FAILURES as usize - 1) {
        end_own(permit, start, Sent::TimedOut);
    }
    for second in [2, 4, 6, 8, 10] {
        hanging.push(begin_probe(&limits, start + secs(second)));
    }
    assert_eq!(limits.snapshot(start).calls, 11);
    // With the first answer, the limit applies to all calls again.
    let now = start + secs(11);
    end(hanging.remove(10), &health_check(), now, Sent::Answered);
    let busy = limited(LimitReason::Concurrency, Duration::ZERO);
    assert_eq!(call(&limits, now, Sent::Answered), busy);
}

/// Begins the probe that is due.
fn begin_probe(limits: &UpstreamLimits, now: Instant) -> Permit<'_> {
    match limits.admit(now, &call_about(Step::Identity, 1)) {
        Ok(Admission::ProbeFirst(permit, probe)) => {
            assert_eq!(probe, health_check());
            permit
        }
        Ok(Admission::Call(_)) => panic!("no probe is due"),
        Err(limited) => panic!("{limited:?}"),
    }
}

#[test]
fn pauses_double_up_to_a_minute_until_an_answer() {
    for sent in [Sent::Rejected(None), Sent::Refused] {
        let limits = limits(64);
        let mut now = Instant::now();
        if sent == Sent::Refused {
            for _ in 0..MAX_FAILURES {
                assert_eq!(call(&limits, now, sent), None);
            }
        }
        for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(call(&limits, now, sent), None);
            let wait = limits.snapshot(now).paused_for;
            assert_eq!(wait, Some(secs(expected)), "{sent:?}");
            now += secs(expected);
        }
        assert_eq!(call(&limits, now, Sent::Answered), None);
        assert_eq!(limits.snapshot(now).paused_for, None);
        assert_eq!(call(&limits, now, Sent::Rejected(None)), None);
        assert_eq!(limits.snapshot(now).paused_for, Some(secs(1)));
        // A failure does not shorten the next one.
        now += secs(1);
        assert_eq!(call(&limits, now, Sent::Failed), None);
        assert_eq!(call(&limits, now, Sent::Rejected(None)), None);
        assert_eq!(limits.snapshot(now).paused_for, Some(secs(2)));
    }
}

#[test]
fn rejections_in_a_row_require_a_probe_like_failures() {
    let limits = limits(64);
    let mut now = Instant::now();
    for pause in [1, 2, 4] {
        end_own(begin(&limits, now), now, Sent::Rejected(None));
        now += secs(pause);
    }
    let _probe = begin_probe(&limits, now);
}

/// Begins a call for the profile of a player, or the probe before it.
fn begin_for(limits: &UpstreamLimits, now: Instant, player: u32) -> (Permit<'_>, Call) {
    let own = call_about(Step::Session, player);
    match limits.admit(now, &own) {
        Ok(Admission::Call(permit)) => (permit, own),
        Ok(Admission::ProbeFirst(permit, probe)) => (permit, probe),
        Err(limited) => panic!("{limited:?}"),
    }
}

#[test]
fn calls_in_flight_that_fail_together_leave_it_to_the_probe() {
    let limits = limits(64);
    let start = Instant::now();
    let (first, answered) = begin_for(&limits, start, 0);
    assert_eq!(end(first, &answered, start, Sent::Answered), None);
    let begun: Vec<(Permit<'_>, Call)> = (1..=10)
        .map(|player| begin_for(&limits, start, player))
        .collect();
    for (permit, own) in begun {
        assert_eq!(end(permit, &own, start, Sent::Failed), None);
    }
    let (probe_permit, probe) = begin_for(&limits, start, 1);
    assert_eq!(probe, answered);
    // The others do not wait for it, and tell nothing meanwhile.
    let (other_permit, other) = begin_for(&limits, start, 1);
    assert_eq!(other, call_about(Step::Session, 1));
    assert_eq!(end(other_permit, &other, start, Sent::Failed), None);
    let wait = end(probe_permit, &probe, start, Sent::Failed);
    assert_eq!(wait, Some(PROBE_INTERVAL));
    // One that fails itself is not asked for again at once.
    let (_permit, next) = begin_for(&limits, start + PROBE_INTERVAL, 1);
    assert_eq!(next, health_check());
}

#[test]
fn last_served_call_and_health_check_take_turns() {
    let limits = limits(64);
    let start = Instant::now();
    let (first, answered) = begin_for(&limits, start, 0);
    end(first, &answered, start, Sent::Answered);
    take_down(&limits, start, Sent::Failed);
    let check = health_check();
    for (interval, expected) in [(1, &check), (2, &answered), (3, &check), (4, &answered)] {
        let now = start + interval * PROBE_INTERVAL;
        let (permit, probe) = begin_for(&limits, now, 1);
        assert_eq!(&probe, expected, "{interval}");
        end(permit, &probe, now, Sent::Failed);
    }
    // So a health check that always fails keeps no circuit open.
    let now = start + 6 * PROBE_INTERVAL;
    let (failing, probe) = begin_for(&limits, now - PROBE_INTERVAL, 1);
    assert_eq!(probe, check);
    end(failing, &probe, now - PROBE_INTERVAL, Sent::Failed);
    assert_eq!(call(&limits, now, Sent::Answered), None);
    assert_eq!(limits.snapshot(now).paused_for, None);
}

#[test]
fn an_answer_makes_a_call_that_failed_the_first_probe_again() {
    let limits = limits(64);
    let start = Instant::now();
    let answered = call_about(Step::Session, 0);
    for sent in [Sent::Answered, Sent::Failed, Sent::Answered] {
        end(begin(&limits, start), &answered, start, sent);
    }
    for _ in 0..MAX_FAILURES {
        assert_eq!(call(&limits, start, Sent::Failed), None);
    }
    let (_permit, probe) = begin_for(&limits, start, 1);
    assert_eq!(probe, answered);
}

#[test]
fn without_a_health_check_the_probe_stays_the_same() {
    let limits = limits(64);
    limits.state.lock().breaker = CircuitBreaker::new(None);
    let start = Instant::now();
    // Nothing can tell if the upstream fails, or these calls alone.
    for _ in 0..20 {
        assert_eq!(call(&limits, start, Sent::Failed), None);
    }
    let (first, answered) = begin_for(&limits, start, 0);
    end(first, &answered, start, Sent::Answered);
    take_down(&limits, start, Sent::Failed);
    for interval in 1..5 {
        let now = start + interval * PROBE_INTERVAL;
        let (permit, probe) = begin_for(&limits, now, 1);
        assert_eq!(probe, answered);
        end(permit, &probe, now, Sent::Failed);
    }
}

#[test]
fn many_callers_cause_one_probe_every_two_seconds() {
    let limits = limits(64);
    let start = Instant::now();
    take_down(&limits, start, Sent::Failed);
    for interval in 1..5 {
        let now = start + interval * PROBE_INTERVAL;
        let barrier = Barrier::new(8);
        let probes: usize = thread::scope(|scope| {
            let callers: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| count_probes(&limits, now, &barrier)))
                .collect();
            let counts = callers.into_iter().map(|caller| caller.join());
            counts.map(|count| count.expect("no panic")).sum()
        });
        assert_eq!(probes, 1, "{interval}");
    }
}

/// Asks for a permission together with the other callers. All but a probe are refused.
fn count_probes(limits: &UpstreamLimits, now: Instant, barrier: &Barrier) -> usize {
    barrier.wait();
    let admitted = limits.admit(now, &call_about(Step::Identity, 1));
    // No probe ends before all have asked.
    barrier.wait();
    match admitted {
        Ok(Admission::ProbeFirst(permit, probe)) => {
            end(permit, &probe, now + secs(1), Sent::Failed);
            1
        }
        Ok(Admission::Call(_)) => panic!("the circuit is open"),
        Err(limited) => {
            assert_eq!(limited.reason, LimitReason::NotAnswering);
            0
        }
    }
}

#[test]
fn a_probe_that_fails_after_another_answer_opens_nothing() {
    let limits = limits(64);
    let start = Instant::now();
    let slow = begin(&limits, start);
    for _ in 0..MAX_FAILURES {
        assert_eq!(call(&limits, start, Sent::Failed), None);
    }
    let probe = begin_probe(&limits, start);
    end_own(slow, start + secs(1), Sent::Answered);
    end(probe, &health_check(), start + secs(1), Sent::Failed);
    assert_eq!(limits.snapshot(start + secs(1)).paused_for, None);
}

/// The health log records an outage for as long as probes fail.
#[test]
fn every_probe_that_fails_is_news() {
    let limits = limits(64);
    let start = Instant::now();
    take_down(&limits, start, Sent::Failed);
    let begun = start + PROBE_INTERVAL;
    let probe = begin_probe(&limits, begun);
    assert!(matches!(limits.news_since(start, begun), News::Nothing));
    let ended = begun + secs(1);
    end(probe, &health_check(), ended, Sent::Failed);
    assert!(matches!(limits.news_since(start, ended), News::Limited(_)));
}

#[test]
fn an_answer_to_a_call_from_before_closes_the_circuit() {
    let limits = limits(64);
    let start = Instant::now();
    let slow = begin(&limits, start);
    take_down(&limits, start, Sent::Failed);
    end_own(slow, start + secs(1), Sent::Answered);
    assert_eq!(limits.snapshot(start + secs(1)).paused_for, None);
    assert_eq!(call(&limits, start + secs(1), Sent::Failed), None);
}

/// The session service serves each profile about once a minute.
#[test]
fn a_profile_that_was_served_is_rejected_for_itself() {
    let limits = limits(64);
    let start = Instant::now();
    let call = |player, now, sent| {
        let (permit, own) = begin_for(&limits, now, player);
        end(permit, &own, now, sent)
    };
    let rejected = Sent::Rejected(None);
    assert_eq!(call(0, start, Sent::Answered), None);
    assert_eq!(call(0, start + secs(59), rejected), None);
    assert_eq!(call(1, start + secs(59), Sent::Answered), None);
    // A minute later it says more, as it does about one that was not served.
    assert_eq!(call(0, start + secs(60), rejected), Some(secs(1)));
    assert_eq!(call(2, start + secs(63), rejected), Some(secs(2)));
}

#[test]
fn signed_and_unsigned_profiles_are_one_profile() {
    let limits = limits(64);
    let start = Instant::now();
    let unsigned = call_about(Step::Session, 0);
    let mut signed = unsigned.clone();
    signed.url.set_query(Some("unsigned=false"));
    let first = begin(&limits, start);
    end(first, &signed, start, Sent::Answered);
    let second = begin(&limits, start);
    let wait = end(second, &unsigned, start, Sent::Rejected(None));
    assert_eq!(wait, None);
}

#[test]
fn calls_in_flight_neither_extend_nor_end_a_pause() {
    let limits = limits(64);
    let start = Instant::now();
    let mut permits: Vec<Permit<'_>> = (0..20).map(|_| begin(&limits, start)).collect();
    let answered = permits.pop().unwrap();
    for permit in permits {
        end_own(permit, start + secs(1), Sent::Rejected(None));
    }
    end_own(answered, start + secs(1), Sent::Answered);
    let wait = limits.snapshot(start + secs(1)).paused_for;
    assert_eq!(wait, Some(secs(1)));
}

#[test]
fn the_longer_retry_after_holds_up_to_an_hour() {
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
        let permits = [begin(&limits, now), begin(&limits, now)];
        for (permit, header) in permits.into_iter().zip([asked, 0]) {
            end_own(permit, now, Sent::Rejected(Some(secs(header))));
        }
        let wait = limits.snapshot(now).paused_for;
        assert_eq!(wait, Some(secs(expected)), "{asked}");
    }
}
