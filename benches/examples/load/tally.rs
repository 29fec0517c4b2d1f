//! The results of a measurement.

use std::time::Duration;

/// The values of a row of the table.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The duration of each answer of 200 or 304.
    pub(crate) good: Vec<Duration>,
    /// The number of the other answers.
    pub(crate) bad: usize,
    /// The time for which they were measured.
    pub(crate) time: Duration,
    /// The seconds of processor time that the server used meanwhile.
    pub(crate) processor: f64,
}

impl Tally {
    pub(crate) fn per_second(&self) -> f64 {
        self.good.len() as f64 / self.time.as_secs_f64()
    }

    /// The seconds of processor time that the server used for a good answer.
    pub(crate) fn cost(&self) -> f64 {
        self.processor / self.good.len().max(1) as f64
    }

    /// The time that this share of the answers did not exceed. The answers must be sorted.
    pub(crate) fn percentile(&self, share: f64) -> Duration {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in the list"
        )]
        let place = (self.good.len() as f64 * share) as usize;
        let last = self.good.len().saturating_sub(1);
        self.good.get(place.min(last)).copied().unwrap_or_default()
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.good.extend(other.good);
        self.bad += other.bad;
        self.time += other.time;
        self.processor += other.processor;
    }
}
