//! What stands before each upstream: it lets a call through, or refuses it at once.

mod breaker;
mod budget;
mod pause;
mod places;

use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use budget::Budget;
pub(crate) use budget::SharedSpending;

use self::breaker::Breaker;
use self::pause::Pause;
use self::places::Places;
use crate::{Circuit, Hold, Upstream, UpstreamState};

/// The gate of one upstream: a pause after it objects, a circuit breaker against what hangs, places
/// for so many calls at once, and a budget of calls in a span of time.
#[derive(Debug)]
pub(crate) struct Gate {
    upstream: Upstream,
    state: Mutex<State>,
    spending: Option<SharedSpending>,
}

#[derive(Debug)]
struct State {
    pause: Pause,
    breaker: Breaker,
    places: Places,
}

/// What a call is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// A player.
    Ordinary,
    /// A health check, for which a little is kept free.
    Probe,
}

/// Why a call is not let through, and when one would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) hold: Hold,
    pub(crate) wait: Duration,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// With an answer, whatever it says.
    Answered,
    /// With the upstream's wish to be left alone, and for how long where it says.
    Objected(Hold, Option<Duration>),
    /// Quickly and badly: the connection failed, or the server did.
    Failed,
    /// Not before its time was up.
    TimedOut,
    /// Not in the little time that was left for it, which tells nothing about the upstream.
    CutShort,
}

impl Gate {
    /// A gate for so many calls at once; where `spending` is given, it counts the calls too.
    pub(crate) fn new(
        upstream: Upstream,
        places: NonZeroU32,
        spending: Option<SharedSpending>,
    ) -> Self {
        Self {
            upstream,
            state: Mutex::new(State {
                pause: Pause::default(),
                breaker: Breaker::default(),
                places: Places::new(places),
            }),
            spending,
        }
    }

    /// Lets a call through, or says why not. Nothing is waited for.
    pub(crate) fn enter(&self, now: Instant, urgency: Urgency) -> Result<Pass<'_>, Held> {
        let mut state = self.state();
        if let Some(held) = state.held(now, urgency) {
            return Err(held);
        }
        // Last, for it cannot be given back.
        if let Some(spending) = &self.spending {
            let wait = spending.spend(now, urgency);
            wait.map_err(|wait| Held {
                hold: Hold::BudgetSpent,
                wait,
            })?;
        }
        state.breaker.begin(now);
        state.places.take();
        Ok(Pass {
            gate: self,
            begun: now,
            ended: None,
        })
    }

    /// The upstream objected to being called, and is left alone for a while.
    pub(crate) fn object(&self, now: Instant, hold: Hold, retry_after: Option<Duration>) {
        let mut state = self.state();
        if let Some(pause) = state.pause.object(now, hold, retry_after) {
            let upstream = self.upstream;
            tracing::warn!(%upstream, ?pause, "left alone, for {hold}");
        }
    }

    /// What the gate would say now.
    pub(crate) fn snapshot(&self, now: Instant) -> UpstreamState {
        let state = self.state();
        UpstreamState {
            upstream: self.upstream,
            calls: state.places.taken(),
            places: state.places.limit(),
            budget_left: self.spending.as_ref().map(|spending| spending.left(now)),
            paused_for: state.pause.held(now).map(|held| held.wait),
            circuit: if state.breaker.is_open() {
                Circuit::Open
            } else {
                Circuit::Closed
            },
        }
    }

    fn end(&self, begun: Instant, now: Instant, outcome: Outcome) {
        let upstream = self.upstream;
        let mut state = self.state();
        let was_open = state.breaker.is_open();
        match outcome {
            Outcome::Answered => {
                state.pause.answered(now);
                state.breaker.answered(now);
            }
            // An objection comes quickly too: what sent it does not hang.
            Outcome::Objected(..) => state.breaker.answered(now),
            Outcome::Failed => state.breaker.failed(),
            Outcome::TimedOut => state.breaker.timed_out(begun, now),
            Outcome::CutShort => {}
        }
        match (was_open, state.breaker.is_open()) {
            (false, true) => tracing::warn!(%upstream, "hangs; only probes are let through"),
            (true, false) => tracing::info!(%upstream, "answers again"),
            _ => {}
        }
        drop(state);
        if let Outcome::Objected(hold, retry_after) = outcome {
            self.object(now, hold, retry_after);
        }
    }

    fn leave(&self, ended: Instant) {
        self.state().places.give_back();
        if let Some(spending) = &self.spending {
            spending.end(ended);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn held(&self, now: Instant, urgency: Urgency) -> Option<Held> {
        if let Some(held) = self.pause.held(now) {
            return Some(held);
        }
        if let Some(wait) = self.breaker.wait(now) {
            let hold = Hold::CircuitOpen;
            return Some(Held { hold, wait });
        }
        // What the breaker lets through is a probe too, and the hanging calls have all the places.
        let urgency = if self.breaker.is_open() {
            Urgency::Probe
        } else {
            urgency
        };
        self.places.are_full(urgency).then_some(Held {
            hold: Hold::Busy,
            wait: Duration::ZERO,
        })
    }
}

/// A call that was let through. Its place is given back when this is dropped, after a panic too.
#[derive(Debug)]
#[must_use]
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
    begun: Instant,
    ended: Option<Instant>,
}

impl Pass<'_> {
    /// The call is over.
    pub(crate) fn end(mut self, now: Instant, outcome: Outcome) {
        self.ended = Some(now);
        self.gate.end(self.begun, now, outcome);
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.gate.leave(self.ended.unwrap_or(self.begun));
    }
}

#[cfg(test)]
mod tests;
