//! The memory of players whom an upstream has just called missing.

use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

use crate::transport::Step;

/// The number of players that are remembered. It is more than the public services answer for in a
/// minute.
const CAPACITY: usize = 10_000;

/// Remembers for a while which players an upstream does not know, so that requests for one of them
/// cannot use up the rate limit.
#[derive(Debug)]
pub(super) struct MissingPlayers {
    ttl: Duration,
    /// The time of the answer, by the step that got it and the player in lower case.
    answers: Cache<(Step, String), Instant>,
}

impl MissingPlayers {
    /// Creates an empty memory. With a `ttl` of zero it stays empty.
    pub(super) fn new(ttl: Duration) -> Self {
        Self {
            ttl,
            answers: Cache::new(CAPACITY),
        }
    }

    pub(super) fn contains(&self, step: Step, player: &str, now: Instant) -> bool {
        let answered = self.answers.get(&key(step, player));
        answered.is_some_and(|at| now.saturating_duration_since(at) < self.ttl)
    }

    pub(super) fn insert(&self, step: Step, player: &str, now: Instant) {
        if !self.ttl.is_zero() {
            self.answers.insert(key(step, player), now);
        }
    }
}

/// The upstreams ignore the case of names, gamertags and UUIDs.
fn key(step: Step, player: &str) -> (Step, String) {
    (step, player.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(60);

    #[test]
    fn an_answer_is_remembered_for_a_while_in_any_case() {
        let (missing, start) = (MissingPlayers::new(TTL), Instant::now());
        missing.insert(Step::Identity, "NoBody", start);
        for (step, player, after, expected) in [
            (Step::Identity, "nobody", Duration::ZERO, true),
            (
                Step::Identity,
                "NOBODY",
                TTL - Duration::from_millis(1),
                true,
            ),
            (Step::Identity, "nobody", TTL, false),
            (Step::Identity, "nobody2", Duration::ZERO, false),
            (Step::Xuid, "nobody", Duration::ZERO, false),
        ] {
            let found = missing.contains(step, player, start + after);
            assert_eq!(found, expected, "{step} {player} {after:?}");
        }
    }

    #[test]
    fn the_memory_is_bounded_and_can_be_turned_off() {
        let now = Instant::now();
        let (missing, off) = (
            MissingPlayers::new(TTL),
            MissingPlayers::new(Duration::ZERO),
        );
        for number in 0..3 * CAPACITY {
            missing.insert(Step::Identity, &number.to_string(), now);
            off.insert(Step::Identity, &number.to_string(), now);
        }
        assert!(missing.answers.len() <= CAPACITY);
        assert_eq!(off.answers.len(), 0);
    }
}
