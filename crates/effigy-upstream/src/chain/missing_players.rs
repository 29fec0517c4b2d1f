//! The memory of players whom a provider has just called missing.

use std::time::{Duration, Instant};

use effigy_player::PlayerId;
use quick_cache::sync::Cache;

/// The number of players that are remembered. It is more than the public services answer for in a
/// minute.
const CAPACITY: usize = 10_000;

/// Remembers for a while which players a provider does not know, so that requests for one of them
/// cannot use up the rate limit.
#[derive(Debug)]
pub(super) struct MissingPlayers {
    ttl: Duration,
    /// `true` if the provider ignores the case of names.
    ignores_case: bool,
    /// The times of the answers.
    answers: Cache<PlayerId, Instant>,
}

impl MissingPlayers {
    /// Creates an empty memory. With a `ttl` of zero it stays empty.
    pub(super) fn new(ttl: Duration, ignores_case: bool) -> Self {
        Self {
            ttl,
            ignores_case,
            answers: Cache::new(CAPACITY),
        }
    }

    pub(super) fn contains(&self, player: &PlayerId, now: Instant) -> bool {
        let answered = self.answers.get(&self.key(player));
        answered.is_some_and(|at| now.saturating_duration_since(at) < self.ttl)
    }

    pub(super) fn insert(&self, player: &PlayerId, now: Instant) {
        if !self.ttl.is_zero() {
            self.answers.insert(self.key(player), now);
        }
    }

    fn key(&self, player: &PlayerId) -> PlayerId {
        match player {
            PlayerId::JavaName(name) if self.ignores_case => {
                PlayerId::JavaName(name.to_ascii_lowercase())
            }
            PlayerId::BedrockGamertag(gamertag) => {
                PlayerId::BedrockGamertag(gamertag.to_ascii_lowercase())
            }
            player => player.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(60);

    #[test]
    fn an_answer_is_remembered_for_a_while_in_any_case() {
        let name = |name: &str| PlayerId::JavaName(name.to_owned());
        let tag = |tag: &str| PlayerId::BedrockGamertag(tag.to_owned());
        for ignores_case in [true, false] {
            let (missing, start) = (MissingPlayers::new(TTL, ignores_case), Instant::now());
            missing.insert(&name("NoBody"), start);
            missing.insert(&tag("NoTag"), start);
            for (player, after, expected) in [
                (name("NoBody"), Duration::ZERO, true),
                (name("nobody"), Duration::ZERO, ignores_case),
                (name("NoBody"), TTL - Duration::from_millis(1), true),
                (name("NoBody"), TTL, false),
                (name("nobody2"), Duration::ZERO, false),
                (tag("NoBody"), Duration::ZERO, false),
                (tag("notag"), Duration::ZERO, true),
            ] {
                let found = missing.contains(&player, start + after);
                assert_eq!(found, expected, "{player:?} {after:?}");
            }
        }
    }

    #[test]
    fn the_memory_is_bounded_and_can_be_turned_off() {
        let now = Instant::now();
        let missing = MissingPlayers::new(TTL, true);
        let off = MissingPlayers::new(Duration::ZERO, true);
        for number in 0..3 * CAPACITY {
            let player = PlayerId::JavaName(number.to_string());
            missing.insert(&player, now);
            off.insert(&player, now);
        }
        assert!(missing.answers.len() <= CAPACITY);
        assert_eq!(off.answers.len(), 0);
    }
}
