//! The circuit breaker of one upstream.

use std::time::{Duration, Instant};

use super::LimitReason::{NotAnswering, Refused, TooManyRequests};
use super::{LimitReason, Limited};
use crate::call::{Call, Purpose};

/// The number of failures in a row after which a probe finds out if the upstream fails, or these
/// calls alone.
pub(super) const MAX_FAILURES: u32 = 3;

/// The interval of probes while an upstream does not answer, and the time for which an outage of
/// one player is remembered. It is short, so that an upstream that has recovered is soon used
/// again.
pub(crate) const PROBE_INTERVAL: Duration = Duration::from_secs(2);

/// The time for which the circuit opens after the first rejection without `Retry-After`. It doubles
/// each time.
const FIRST_BACKOFF: Duration = Duration::from_secs(1);

/// The longest time for which the circuit opens without `Retry-After`.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The longest `Retry-After`: a mistake in a header must not stop the service.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// Keeps calls from an upstream that fails or rejects them.
///
/// - Closed: all calls are made. After [`MAX_FAILURES`] failures in a row the next caller makes a
///   probe before its own call, because the failures may be about their inputs alone. If the probe
///   fails too, the circuit opens.
/// - Open: all calls fail at once, until the time of the next probe, [`PROBE_INTERVAL`] later.
/// - Half-open: the next caller makes the probe. An answer closes the circuit, a failure opens it
///   again.
///
/// A probe repeats the last call that was served, or else the health check's. So no client decides
/// with an input of its own if the circuit opens. The two take turns while they fail, because
/// either may fail on its own after the upstream has recovered.
///
/// A rejection (429) opens the circuit at once, and so does a probe that is refused (403). If it
/// opens without [`MAX_FAILURES`] failures, it closes when its time is over, without a probe.
#[derive(Debug, Default)]
pub(super) struct CircuitBreaker {
    /// The call of the health check, if the provider has one for this upstream.
    health_check: Option<Call>,
    /// The last call that was served.
    last_served_call: Option<Call>,
    /// The time of the last answer, whether it served the call or not.
    last_answer_at: Option<Instant>,
    /// The last of the two possible probes that failed.
    failed_probe: Option<Call>,
    /// The number of failures since the last answer.
    failures: u32,
    /// The time until which a closed circuit waits for the outcome of a probe, and makes no other
    /// one. It is not used while `opened` is set.
    probe_until: Option<Instant>,
    /// The last time that the circuit opened, until an answer.
    opened: Option<Opened>,
    /// The time for which the circuit opened after the last rejection without `Retry-After`, or
    /// zero.
    backoff: Duration,
}

/// The time in which no call is made, and its cause.
#[derive(Debug, Clone, Copy)]
struct Opened {
    reason: LimitReason,
    /// The time of the failure or rejection.
    since: Instant,
    until: Instant,
}

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndedCall<'a> {
    pub(super) call: &'a Call,
    pub(super) begun: Instant,
    pub(super) ended: Instant,
    pub(super) purpose: Purpose,
}

/// The meaning of the end of a call for the upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The upstream has served the profile or file of the call, with this answer or a moment ago.
    /// The call becomes the next probe.
    Served,
    /// Any other answer. The call does not become a probe, because a client may have made up what
    /// it asks for.
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

    /// Checks that the circuit is not open, so that a call or a probe may be made now.
    pub(super) fn check(&self, now: Instant) -> Result<(), Limited> {
        match self.not_closed(now) {
            Some(limited) if !limited.retry_after.is_zero() => Err(limited),
            _ => Ok(()),
        }
    }

    /// Returns the reason why the circuit is open or half-open, with the time for which it stays
    /// open. That is zero for a half-open one.
    pub(super) fn not_closed(&self, now: Instant) -> Option<Limited> {
        let opened = self.opened?;
        let time_left = opened.until.saturating_duration_since(now);
        if time_left.is_zero() && !self.needs_probe() {
            return None;
        }
        Some(Limited {
            reason: opened.reason,
            retry_after: time_left,
        })
    }

    /// Returns the call that the next caller makes before its own, if a probe is due. The circuit
    /// is not open ([`check`](Self::check)).
    pub(super) fn due_probe(&self, now: Instant) -> Option<&Call> {
        if !self.needs_probe() {
            return None;
        }
        if self.probe_until.is_some_and(|until| now < until) {
            return None;
        }
        match (&self.last_served_call, &self.health_check) {
            // The other one of the two, if this one failed last.
            (Some(served), Some(check)) if self.failed_probe.as_ref() == Some(served) => {
                Some(check)
            }
            (Some(served), _) => Some(served),
            (None, check) => check.as_ref(),
        }
    }

    /// Records that the probe that is due begins. Until its outcome, a half-open circuit is open
    /// again, and a closed one makes no second probe.
    pub(super) fn begin_probe(&mut self, now: Instant) {
        let until = now + PROBE_INTERVAL;
        match &mut self.opened {
            Some(opened) => opened.until = until,
            None => self.probe_until = Some(until),
        }
    }

    /// Records the end of a call.
    pub(super) fn end(&mut self, call: EndedCall<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Served => {
                self.last_served_call = Some(call.call.clone());
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
    pub(super) fn open_as_refused(&mut self, now: Instant) {
        self.failures = MAX_FAILURES;
        self.open(now + MAX_BACKOFF, Refused, now);
    }

    /// Returns `true` if a call was answered after `then`.
    pub(super) fn has_answered_since(&self, then: Instant) -> bool {
        self.last_answer_at.is_some_and(|last| then < last)
    }

    /// Returns `true` if the circuit has opened because of a call that ended after `then`, and
    /// needs a probe.
    pub(super) fn has_opened_since(&self, then: Instant) -> bool {
        self.needs_probe() && self.opened.is_some_and(|opened| then < opened.since)
    }

    /// Returns the reason why the circuit has opened, until the next answer.
    pub(super) fn opened_because(&self) -> Option<LimitReason> {
        self.opened.map(|opened| opened.reason)
    }

    /// Returns `true` if the upstream must answer a probe before further calls.
    const fn needs_probe(&self) -> bool {
        self.failures >= MAX_FAILURES
    }

    fn answered(&mut self, call: EndedCall<'_>) {
        self.failures = 0;
        self.last_answer_at = Some(call.ended);
        self.probe_until = None;
        if self.failed_probe.as_ref() == Some(call.call) {
            self.failed_probe = None;
        }
        let Some(opened) = self.opened else {
            return;
        };
        // Any answer ends an outage. A rejection ends with the answer to a call that began later.
        if opened.reason == NotAnswering || opened.since < call.begun {
            self.opened = None;
            self.backoff = Duration::ZERO;
        }
    }

    fn too_many_requests(&mut self, call: EndedCall<'_>, retry_after: Option<Duration>) {
        self.count_failure(call);
        match retry_after {
            Some(asked) if !asked.is_zero() => {
                let length = asked.clamp(FIRST_BACKOFF, MAX_RETRY_AFTER);
                self.open(call.ended + length, TooManyRequests, call.ended);
            }
            _ => self.open_with_backoff(call, TooManyRequests),
        }
    }

    /// Records a failure, which may be about the call alone unless it is a probe.
    fn failed(&mut self, call: EndedCall<'_>, reason: LimitReason) {
        let is_counted = self.count_failure(call);
        if !is_counted || call.purpose != Purpose::Probe {
            return;
        }
        if reason == Refused {
            self.open_with_backoff(call, reason);
        } else {
            // Probes begin at this interval, however long they take to fail.
            self.open(call.begun + PROBE_INTERVAL, reason, call.ended);
        }
    }

    /// Counts a failure and returns `true`, unless the upstream has answered another call since this
    /// one began.
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
        let is_last_served = self.last_served_call.as_ref() == Some(call);
        let is_health_check = self.health_check.as_ref() == Some(call);
        if is_last_served || is_health_check {
            self.failed_probe = Some(call.clone());
        }
    }

    /// Opens the circuit for twice as long as the last time. Calls that were in flight when it
    /// opened do not prolong that.
    fn open_with_backoff(&mut self, call: EndedCall<'_>, reason: LimitReason) {
        let was_in_flight = self.opened.is_some_and(|last| call.begun <= last.since);
        if was_in_flight {
            return;
        }
        self.backoff = (self.backoff * 2).clamp(FIRST_BACKOFF, MAX_BACKOFF);
        self.open(call.ended + self.backoff, reason, call.ended);
    }

    /// Opens the circuit, unless it stays open for longer already.
    fn open(&mut self, until: Instant, reason: LimitReason, now: Instant) {
        self.probe_until = None;
        if self.opened.is_some_and(|last| until < last.until) {
            return;
        }
        self.opened = Some(Opened {
            reason,
            since: now,
            until,
        });
    }
}
