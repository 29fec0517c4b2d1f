//! The circuit breaker of one upstream.

use std::time::{Duration, Instant};

use super::LimitReason::{NotAnswering, Refused, TooManyRequests};
use super::{LimitReason, Limited};
use crate::call::Call;

/// The number of failures in a row after which the upstream seems to fail, and not these calls
/// alone.
pub(super) const MAX_FAILURES: u32 = 3;

/// The interval of probes while an upstream does not answer, and the time for which an outage of
/// one player is remembered. So an upstream that has recovered is soon used again.
pub(crate) const PROBE_INTERVAL: Duration = Duration::from_secs(2);

/// The first pause after a rejection without `Retry-After`. Each next one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause without `Retry-After`.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The longest `Retry-After`: a mistake in a header must not stop the service.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// Keeps calls from an upstream that fails or rejects them.
///
/// While the circuit is closed, all calls are made. After [`MAX_FAILURES`] failures in a row the
/// next caller makes a probe before its own call, because the failures may be about their inputs
/// alone. If the probe fails too, the circuit opens: all calls fail at once, except for a probe
/// every [`PROBE_INTERVAL`]. An answer closes it.
///
/// A probe repeats the last call that was answered, or else the health check's. So no client
/// decides with an input of its own if the circuit opens. The two take turns while they fail,
/// because either may fail on its own after the upstream has recovered.
///
/// A rejection (429) pauses the upstream at once: no call is made, and no probe. A probe that is
/// refused (403) does the same.
#[derive(Debug, Default)]
pub(super) struct CircuitBreaker {
    /// The call of the health check, if the provider has one for this upstream.
    health_check: Option<Call>,
    /// The last call that was answered with what it asked for.
    last_answered: Option<Call>,
    last_answer: Option<Instant>,
    /// The last of these two calls that failed.
    failed_probe: Option<Call>,
    /// The number of failures since the last answer.
    failures: u32,
    /// The time of the next probe, if one was made while the circuit was closed.
    next_probe: Option<Instant>,
    /// The last pause, until an answer ends it. With [`MAX_FAILURES`] failures, the circuit is
    /// open.
    pause: Option<Pause>,
    /// The length of the last pause without `Retry-After`, or zero.
    backoff: Duration,
}

/// A time in which no call is made.
#[derive(Debug, Clone, Copy)]
struct Pause {
    until: Instant,
    reason: LimitReason,
    /// The time of the failure or rejection.
    since: Instant,
}

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndedCall<'a> {
    pub(super) call: &'a Call,
    pub(super) begun: Instant,
    pub(super) ended: Instant,
    /// `true` if the breaker has asked for it.
    pub(super) is_probe: bool,
}

/// The meaning of the end of a call for the upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// An answer with what the call asked for.
    Served,
    /// Any other answer.
    Answered,
    /// A rejection of one call too many.
    TooManyRequests { retry_after: Option<Duration> },
    /// A refusal, which may be about this call alone.
    Refused,
    /// A failure of the upstream or of the network.
    NotAnswered,
    /// A timeout that the deadline of the look-up cut short, which says nothing.
    CutShort,
}

impl CircuitBreaker {
    pub(super) fn new(health_check: Option<Call>) -> Self {
        Self {
            health_check,
            ..Self::default()
        }
    }

    /// Checks that a call or a probe may be made now.
    pub(super) fn check(&self, now: Instant) -> Result<(), Limited> {
        match self.paused(now) {
            Some(limited) if !limited.retry_after.is_zero() => Err(limited),
            _ => Ok(()),
        }
    }

    /// Returns the pause with the rest of it, which is zero if a probe of an open circuit is due.
    pub(super) fn paused(&self, now: Instant) -> Option<Limited> {
        let pause = self.pause?;
        let rest = pause.until.saturating_duration_since(now);
        if rest.is_zero() && !self.is_open() {
            return None;
        }
        Some(Limited {
            reason: pause.reason,
            retry_after: rest,
        })
    }

    /// Returns the call that the next caller makes before its own, if a probe is due.
    pub(super) fn due_probe(&self, now: Instant) -> Option<&Call> {
        if self.failures < MAX_FAILURES {
            return None;
        }
        if self.next_probe.is_some_and(|next| now < next) {
            return None;
        }
        let first = self.last_answered.as_ref().or(self.health_check.as_ref());
        let has_failed = first.is_some() && first == self.failed_probe.as_ref();
        if has_failed && self.health_check.is_some() {
            return self.health_check.as_ref();
        }
        first
    }

    /// Records that the probe that is due begins.
    pub(super) fn begin_probe(&mut self, now: Instant) {
        let next = now + PROBE_INTERVAL;
        self.next_probe = Some(next);
        if let Some(pause) = &mut self.pause {
            pause.until = next;
        }
    }

    /// Records the end of a call.
    pub(super) fn end(&mut self, call: EndedCall<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Served => {
                self.last_answered = Some(call.call.clone());
                self.answered(call);
            }
            Outcome::Answered => self.answered(call),
            Outcome::TooManyRequests { retry_after } => self.too_many_requests(call, retry_after),
            Outcome::Refused => self.failed(call, Refused),
            Outcome::NotAnswered => self.failed(call, NotAnswering),
            Outcome::CutShort => {}
        }
    }

    /// Opens the circuit because the upstream does not serve such calls any more.
    pub(super) fn refuse(&mut self, now: Instant) {
        self.failures = MAX_FAILURES;
        self.pause(now + MAX_PAUSE, Refused, now);
    }

    /// Returns `true` if a call was answered after `then`.
    pub(super) fn has_answered_since(&self, then: Instant) -> bool {
        self.last_answer.is_some_and(|last| then < last)
    }

    /// Returns `true` if the circuit is open because of a call that ended after `then`.
    pub(super) fn has_opened_since(&self, then: Instant) -> bool {
        self.is_open() && self.pause.is_some_and(|pause| then < pause.since)
    }

    /// Returns `true` while there is a pause, which lasts until an answer or, without more
    /// failures, until its end.
    pub(super) const fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// Returns the reason of the pause.
    pub(super) fn reason(&self) -> Option<LimitReason> {
        self.pause.map(|pause| pause.reason)
    }

    /// Returns `true` if all calls but probes fail at once.
    const fn is_open(&self) -> bool {
        self.pause.is_some() && self.failures >= MAX_FAILURES
    }

    fn answered(&mut self, call: EndedCall<'_>) {
        self.failures = 0;
        self.last_answer = Some(call.ended);
        self.next_probe = None;
        if self.failed_probe.as_ref() == Some(call.call) {
            self.failed_probe = None;
        }
        let Some(pause) = self.pause else {
            return;
        };
        // The answer to a call from before a rejection does not end the pause.
        if pause.reason == NotAnswering || pause.since < call.begun {
            self.pause = None;
            self.backoff = Duration::ZERO;
        }
    }

    fn too_many_requests(&mut self, call: EndedCall<'_>, retry_after: Option<Duration>) {
        self.count_failure(call);
        match retry_after {
            Some(asked) if !asked.is_zero() => {
                let length = asked.clamp(FIRST_PAUSE, MAX_RETRY_AFTER);
                self.pause(call.ended + length, TooManyRequests, call.ended);
            }
            _ => self.back_off(call, TooManyRequests),
        }
    }

    /// Records a failure, which may be about the call alone unless it is a probe.
    fn failed(&mut self, call: EndedCall<'_>, reason: LimitReason) {
        let is_counted = self.count_failure(call);
        if !is_counted || !call.is_probe {
            return;
        }
        if reason == Refused {
            self.back_off(call, reason);
        } else {
            self.pause(call.begun + PROBE_INTERVAL, reason, call.ended);
        }
    }

    /// Counts a failure, unless the upstream has answered a call since this one began: it is well
    /// now.
    fn count_failure(&mut self, call: EndedCall<'_>) -> bool {
        self.remember_failed_probe(call.call);
        if self.has_answered_since(call.begun) {
            return false;
        }
        self.failures = self.failures.saturating_add(1);
        true
    }

    /// Remembers a call that failed if it could be the next probe.
    fn remember_failed_probe(&mut self, call: &Call) {
        let is_last_answered = self.last_answered.as_ref() == Some(call);
        let is_health_check = self.health_check.as_ref() == Some(call);
        if is_last_answered || is_health_check {
            self.failed_probe = Some(call.clone());
        }
    }

    /// Pauses twice as long as the last time.
    fn back_off(&mut self, call: EndedCall<'_>, reason: LimitReason) {
        let was_in_flight = self.pause.is_some_and(|pause| call.begun <= pause.since);
        if was_in_flight {
            return;
        }
        self.backoff = (self.backoff * 2).clamp(FIRST_PAUSE, MAX_PAUSE);
        self.pause(call.ended + self.backoff, reason, call.ended);
    }

    /// Pauses the upstream, unless the last pause lasts longer.
    fn pause(&mut self, until: Instant, reason: LimitReason, now: Instant) {
        self.next_probe = None;
        if self.pause.is_some_and(|last| until < last.until) {
            return;
        }
        self.pause = Some(Pause {
            until,
            reason,
            since: now,
        });
    }
}
