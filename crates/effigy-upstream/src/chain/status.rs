//! The chain as a source of the state of the upstreams.

use std::thread;

use effigy_player::PlayerId;

use super::ProviderChain;
use crate::limits::UpstreamLimits;
use crate::providers::PROBED_PLAYER;
use crate::{Ping, Status, UpstreamCapacity, UpstreamState};

impl Status for ProviderChain {
    fn ping(&self) -> Vec<Ping> {
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        let check = &self.health_check();
        thread::scope(|scope| {
            // All pings begin before the first answer is waited for.
            let mut pings = Vec::new();
            for chained in self.asked_for(&player) {
                if chained.makes_calls() {
                    let fetcher = self.fetcher(&chained.servers, check);
                    pings.push(scope.spawn(move || chained.ping(&fetcher)));
                }
            }
            let mut answers = Vec::new();
            for ping in pings {
                answers.push(ping.join().expect("a ping does not panic"));
            }
            answers
        })
    }

    fn states(&self) -> Vec<UpstreamState> {
        let now = self.now();
        self.all_limits()
            .map(|limits| limits.snapshot(now))
            .collect()
    }

    fn upstreams(&self) -> Vec<UpstreamCapacity> {
        self.all_limits().map(UpstreamLimits::capacity).collect()
    }
}
