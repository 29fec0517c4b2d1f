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
        let asked = self.asked_for(&player);
        let asked = asked.filter(|chained| chained.makes_calls());
        let check = &self.health_check();
        thread::scope(|scope| {
            // All begin before the first one is waited for.
            let mut pings = Vec::new();
            for chained in asked {
                let fetcher = self.fetcher(&chained.servers, check);
                pings.push(scope.spawn(move || chained.ping(&fetcher)));
            }
            let answers = pings.into_iter().map(|ping| ping.join());
            let answers = answers.map(|ping| ping.expect("a ping does not panic"));
            answers.collect()
        })
    }

    fn states(&self) -> Vec<UpstreamState> {
        let now = self.now();
        let states = self.all_limits().map(|limits| limits.snapshot(now));
        states.collect()
    }

    fn upstreams(&self) -> Vec<UpstreamCapacity> {
        self.all_limits().map(UpstreamLimits::capacity).collect()
    }
}
