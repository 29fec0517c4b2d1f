//! The pause of an upstream that rejects calls, or does not answer them.

use std::time::{Duration, Instant};

use url::Url;

use super::{LimitReason, Limited};

/// The first pause after an upstream rejects a call without `Retry-After`.
const FIRST: Duration = Duration::from_secs(1);

/// The longest pause without `Retry-After`, so that an upstream that has recovered is soon used again.
const MAX: Duration = Duration::from_secs(60);

/// The longest `Retry-After`: a mistake in a header must not stop the service.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The number of consecutive timeouts that open the circuit.
const MAX_TIMEOUTS: u32 = 20;

/// The interval of the probes while the circuit is open.
const PROBE_INTERVAL: Duration = Duration::from_secs(2);

/// The number of different requests that are refused in a row before the upstream seems to refuse all.
const SUSPICIOUS: usize = 3;

/// The time until which an upstream is not called: exponential backoff after rejections, and a circuit breaker for
/// timeouts, because every such call blocks a thread and a socket. An upstream that fails quickly blocks nothing, and is
/// used again as soon as it recovers.
#[derive(Debug, Default)]
pub(super) struct Pause {
    until: Option<(Instant, LimitReason)>,
    /// The length of the last pause without `Retry-After`.
    backoff: Option<Duration>,
    /// The number of consecutive timeouts.
    timeouts: u32,
    /// The time of the upstream's last response.
    last_response: Option<Instant>,
}

impl Pause {
    /// Permits a call unless the pause lasts.
    pub(super) fn check(&self, now: Instant) -> Result<(), Limited> {
        match self.until {
            Some((until, reason)) if now < until => Err(Limited {
                reason,
                retry_after: until - now,
            }),
            _ => Ok(()),
        }
    }

    /// Returns `true` if calls are only made as probes.
    pub(super) const fn is_circuit_open(&self) -> bool {
        self.timeouts >= MAX_TIMEOUTS
    }

    /// Records that a call begins. In an open circuit it is the probe.
    pub(super) fn begin(&mut self, now: Instant) {
        if self.is_circuit_open() {
            self.until = Some((now + PROBE_INTERVAL, LimitReason::CircuitOpen));
        }
    }

    /// Records that the upstream rejected a call: a pause of `retry_after`, or else twice as long as
    /// the last one. Returns its length if it ends later than the current pause.
    pub(super) fn rejected(
        &mut self,
        now: Instant,
        reason: LimitReason,
        retry_after: Option<Duration>,
    ) -> Option<Duration> {
        let pause = match retry_after.filter(|asked| !asked.is_zero()) {
            Some(asked) => asked.clamp(FIRST, MAX_RETRY_AFTER),
            // The call was already in flight when the pause began.
            None if self.check(now).is_err() => return None,
            None => {
                let pause = self.backoff.map_or(FIRST, |last| last * 2).min(MAX);
                self.backoff = Some(pause);
                pause
            }
        };
        self.extend(now + pause, reason).then_some(pause)
    }

    /// Records a response of any kind, which closes the circuit.
    pub(super) fn responded(&mut self, now: Instant) {
        self.timeouts = 0;
        self.last_response = Some(now);
        self.until
            .take_if(|(_, reason)| *reason == LimitReason::CircuitOpen);
    }

    /// Records that a response was no rejection. The next rejection starts with the first pause again.
    pub(super) fn answered(&mut self, now: Instant) {
        // A response during a pause belongs to a call from before the rejection.
        if self.check(now).is_ok() {
            self.backoff = None;
        }
    }

    /// Records a quick failure, which ends a row of timeouts.
    pub(super) const fn failed(&mut self) {
        if !self.is_circuit_open() {
            self.timeouts = 0;
        }
    }

    /// Records that a call which began at `begun` timed out.
    pub(super) fn timed_out(&mut self, begun: Instant, now: Instant) {
        // If the upstream has answered a call since this one began, it is not stuck now.
        if self.is_circuit_open() || self.last_response.is_some_and(|last| begun < last) {
            return;
        }
        self.timeouts += 1;
        if self.is_circuit_open() {
            self.extend(now + PROBE_INTERVAL, LimitReason::CircuitOpen);
        }
    }

    /// Pauses until this time, and returns `true`, unless the current pause ends later.
    fn extend(&mut self, until: Instant, reason: LimitReason) -> bool {
        let is_later = self.until.is_none_or(|(current, _)| current < until);
        if is_later {
            self.until = Some((until, reason));
        }
        is_later
    }
}

/// The requests that an upstream has refused since it last answered one.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// The URLs of the first refused requests, all different, whatever the letter case.
    pub(super) refused: Vec<String>,
    /// The last request that was answered with 200. To repeat it tells whether the upstream refuses all.
    pub(crate) proven: Option<Url>,
}

impl Refusals {
    /// Records a refused call. Returns `true` if different requests were refused in a row.
    pub(crate) fn refused(&mut self, url: &Url) -> bool {
        let url = url.as_str().to_ascii_lowercase();
        if self.refused.len() < SUSPICIOUS && !self.refused.contains(&url) {
            self.refused.push(url);
        }
        self.refused.len() == SUSPICIOUS
    }
}

#[cfg(test)]
mod tests;
