//! The calls that a look-up may make, known before it begins.

use std::collections::BTreeMap;

use effigy_player::PlayerId;

use super::{ProviderChain, Question};
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
        self.plan_questions(&self.questions_about(player), calls);
        // If no provider knows the UUID, the name is looked up that it was computed from.
        if let PlayerId::JavaUuid(uuid) = player
            && let Some(name) = self.names.get(uuid)
        {
            let bound_name = PlayerId::JavaName(name);
            self.plan_questions(&self.questions_about(&bound_name), calls);
        }
    }

    /// Adds the calls that renew a profile.
    fn plan_renewal(&self, known: &Profile, player: &PlayerId, calls: &mut Calls) {
        let Some(questions) = self.renewal_questions(known, player) else {
            // The plan of a UUID includes the look-up of its name, so the name comes first.
            self.remember_bound_name(known, player);
            self.plan_player(player, calls);
            return;
        };
        self.plan_questions(&questions, calls);
    }

    /// Adds the calls of all questions up to a provider that has the profile at hand. The look-up
    /// makes the most calls if no provider knows the player.
    fn plan_questions(&self, questions: &[Question<'_>], calls: &mut Calls) {
        let look_up = LookUp::until(self.deadline());
        for question in questions {
            let asked = question.asked;
            if asked.provider.profile_at_hand(&question.player).is_some() {
                return;
            }
            let fetcher = self.fetcher(&asked.servers, &look_up);
            for upstream in asked.provider.upstreams_for(&fetcher, &question.player) {
                add(calls, &asked.servers, upstream);
            }
        }
    }
}

/// Adds a call to an upstream.
fn add(calls: &mut Calls, servers: &Servers, upstream: Upstream) {
    let id = servers.limits(upstream).id;
    *calls.entry(id).or_default() += 1;
}
