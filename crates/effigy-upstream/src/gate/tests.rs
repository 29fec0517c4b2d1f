//! The parts of a gate together.

use super::*;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn gate(places: u32) -> Gate {
    let places = NonZeroU32::new(places).expect("places");
    Gate::new(Upstream::Session, places, None)
}

fn budgeted(calls: u32) -> Gate {
    let budget = Budget::new(calls, secs(10)).expect("a budget");
    let spending = SharedSpending::new(budget);
    Gate::new(Upstream::Session, NonZeroU32::MIN, Some(spending))
}

/// Why an ordinary call is held, where it is; one that is let through ends at once with `outcome`.
fn call(gate: &Gate, now: Instant, outcome: Outcome) -> Option<Held> {
    match gate.enter(now, Urgency::Ordinary) {
        Ok(pass) => {
            pass.end(now, outcome);
            None
        }
        Err(held) => Some(held),
    }
}

fn held(hold: Hold, wait: Duration) -> Option<Held> {
    Some(Held { hold, wait })
}

fn opened(gate: &Gate, now: Instant) {
    for _ in 0..20 {
        assert_eq!(call(gate, now, Outcome::TimedOut), None);
    }
}

#[test]
fn calls_beyond_the_places_are_refused_at_once() {
    let gate = gate(2);
    let now = Instant::now();
    let enter = |urgency| gate.enter(now, urgency);
    let first = enter(Urgency::Ordinary).unwrap();
    let second = enter(Urgency::Ordinary).unwrap();
    let busy = held(Hold::Busy, Duration::ZERO);
    assert_eq!(enter(Urgency::Ordinary).err(), busy);
    let probe = enter(Urgency::Probe).unwrap();
    assert_eq!(gate.snapshot(now).calls, 3);
    drop(probe);
    first.end(now, Outcome::Failed);
    let third = enter(Urgency::Ordinary).unwrap();
    assert_eq!(enter(Urgency::Ordinary).err(), busy);
    drop((second, third));
    assert_eq!(gate.snapshot(now).calls, 0);
}

#[test]
fn a_panic_gives_the_place_back() {
    let gate = budgeted(3);
    let now = Instant::now();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _pass = gate.enter(now, Urgency::Ordinary).unwrap();
        panic!("the transport is broken");
    }));
    assert!(panicked.is_err());
    let state = gate.snapshot(now);
    assert_eq!((state.calls, state.budget_left), (0, Some(2)));
    assert_eq!(gate.snapshot(now + secs(10)).budget_left, Some(3));
}

#[test]
fn a_call_that_is_held_spends_nothing() {
    let gate = budgeted(5);
    let now = Instant::now();
    let pass = gate.enter(now, Urgency::Ordinary).unwrap();
    let busy = held(Hold::Busy, Duration::ZERO);
    assert_eq!(call(&gate, now, Outcome::Answered), busy);
    pass.end(now, Outcome::Objected(Hold::TooManyRequests, None));
    let paused = held(Hold::TooManyRequests, secs(1));
    assert_eq!(call(&gate, now, Outcome::Answered), paused);
    assert_eq!(gate.snapshot(now).budget_left, Some(4));
}

#[test]
fn a_spent_budget_holds() {
    let gate = budgeted(2);
    let now = Instant::now();
    assert_eq!(call(&gate, now, Outcome::Answered), None);
    assert_eq!(call(&gate, now, Outcome::TimedOut), None);
    let spent = held(Hold::BudgetSpent, secs(10));
    assert_eq!(call(&gate, now, Outcome::Answered), spent);
    assert_eq!(call(&gate, now + secs(10), Outcome::Answered), None);
}

#[test]
fn an_open_circuit_lets_its_probe_past_full_places() {
    let gate = gate(3);
    let start = Instant::now();
    let enter = |now| gate.enter(now, Urgency::Ordinary);
    let _two_hang: Vec<Pass<'_>> = (0..2).map(|_| enter(start).unwrap()).collect();
    opened(&gate, start);
    let probes: Vec<Pass<'_>> = (1..6)
        .map(|n| enter(start + secs(2 * n)).unwrap())
        .collect();
    assert_eq!(gate.snapshot(start).calls, 7);
    // The last one is answered; from then on the places count for everybody again.
    let now = start + secs(11);
    for probe in probes {
        probe.end(now, Outcome::Answered);
    }
    let third = enter(now).unwrap();
    assert_eq!(enter(now).err(), held(Hold::Busy, Duration::ZERO));
    drop(third);
}

#[test]
fn an_answer_of_any_kind_closes_the_circuit_at_once() {
    for (outcome, circuit) in [
        (Outcome::Answered, Circuit::Closed),
        (Outcome::Objected(Hold::Refused, None), Circuit::Closed),
        (Outcome::Failed, Circuit::Open),
        (Outcome::TimedOut, Circuit::Open),
        (Outcome::CutShort, Circuit::Open),
    ] {
        let gate = gate(64);
        let start = Instant::now();
        opened(&gate, start);
        let open = held(Hold::CircuitOpen, secs(2));
        assert_eq!(call(&gate, start, outcome), open, "{outcome:?}");
        let now = start + secs(2);
        assert_eq!(call(&gate, now, outcome), None, "the probe");
        assert_eq!(gate.snapshot(now).circuit, circuit, "{outcome:?}");
        if outcome == Outcome::Answered {
            assert_eq!(call(&gate, now, outcome), None, "everybody");
        }
    }
}

#[test]
fn only_calls_that_had_their_time_open_the_circuit() {
    let gate = gate(64);
    let now = Instant::now();
    for _ in 0..1000 {
        assert_eq!(call(&gate, now, Outcome::CutShort), None);
        assert_eq!(call(&gate, now, Outcome::Failed), None);
    }
    assert_eq!(gate.snapshot(now).circuit, Circuit::Closed);
}

#[test]
fn the_snapshot() {
    let gate = budgeted(5);
    let now = Instant::now();
    let pass = gate.enter(now, Urgency::Ordinary).unwrap();
    let mut expected = UpstreamState {
        upstream: Upstream::Session,
        calls: 1,
        places: 1,
        budget_left: Some(4),
        paused_for: None,
        circuit: Circuit::Closed,
    };
    assert_eq!(gate.snapshot(now), expected);
    pass.end(now, Outcome::Objected(Hold::Refused, Some(secs(7))));
    expected.calls = 0;
    expected.paused_for = Some(secs(7));
    assert_eq!(gate.snapshot(now), expected);
}
