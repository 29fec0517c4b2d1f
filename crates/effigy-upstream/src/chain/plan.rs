//! The calls that a look-up may make, known before it begins.

use std::collections::BTreeMap;

use effigy_player::PlayerId;

use super::{ChainedProvider, ProviderChain};
use crate::servers::Servers;
use crate::{LookUp, PlannedCalls, Profile, Profiles as _, Target, Upstream, UpstreamId};

/// The number of calls to each upstream.
type Calls = BTreeMap<UpstreamId, u32>;

impl ProviderChain {
    /// Returns the maximum number of calls of a look-up to each upstream.
    pub(super) fn planned_calls(&self, target: Target<'_>) -> Vec<PlannedCalls> {
        let mut calls = Calls::new();
        match target {
            Target::Player(player) => self.plan_player(player, &mut calls),
            Target::Known { profile, player } => self.plan_renewal(profile, player, &mut calls),
            Target::Texture(texture) => {
                // A URL that is not allowed is not fetched.
                if texture.file().is_none()
                    && let Ok((servers, _)) = self.checked(texture)
                {
                    add(&mut calls, servers, Upstream::Texture);
                }
            }
            Target::Hash(hash) => {
                if self.file_at_hand(hash).is_none() {
                    add(&mut calls, &self.game, Upstream::Texture);
                }
            }
        }
        let mut planned = Vec::new();
        for (upstream, count) in calls {
            planned.push(PlannedCalls {
                upstream,
                calls: count,
            });
        }
        planned
    }

    fn plan_player(&self, player: &PlayerId, calls: &mut Calls) {
        self.plan_first_profile(player, calls);
        // If no provider knows the UUID, the name is looked up that it was computed from.
        if let PlayerId::JavaUuid(uuid) = player
            && let Some(name) = self.names.get(uuid)
        {
            self.plan_first_profile(&PlayerId::JavaName(name), calls);
        }
    }

    /// Adds the calls to all providers that are asked if no provider knows the player.
    fn plan_first_profile(&self, player: &PlayerId, calls: &mut Calls) {
        let look_up = LookUp::until(self.deadline());
        for asked in self.asked_for(player) {
            if asked.provider.profile_at_hand(player).is_some() {
                // The later providers are not asked.
                return;
            }
            self.plan_question(asked, player, &look_up, calls);
        }
    }

    /// Adds the calls that renew a profile.
    fn plan_renewal(&self, known: &Profile, player: &PlayerId, calls: &mut Calls) {
        let Some(questions) = self.renewal_questions(known, player) else {
            // Before the plan, which has the calls of the look-up by name.
            self.remember_bound_name(known, player);
            self.plan_player(player, calls);
            return;
        };
        let look_up = LookUp::until(self.deadline());
        for question in questions {
            let asked = question.asked;
            if asked.provider.profile_at_hand(&question.player).is_some() {
                return;
            }
            self.plan_question(asked, &question.player, &look_up, calls);
        }
    }

    /// Adds the calls that a provider makes for a player.
    fn plan_question(
        &self,
        asked: &ChainedProvider,
        player: &PlayerId,
        look_up: &LookUp,
        calls: &mut Calls,
    ) {
        let fetcher = self.fetcher(&asked.servers, look_up);
        for upstream in asked.provider.upstreams_for(&fetcher, player) {
            add(calls, &asked.servers, upstream);
        }
    }
}

/// Adds a call to an upstream.
fn add(calls: &mut Calls, servers: &Servers, upstream: Upstream) {
    let id = servers.limits(upstream).id;
    *calls.entry(id).or_default() += 1;
}
