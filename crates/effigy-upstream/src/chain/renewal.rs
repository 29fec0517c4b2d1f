//! The renewal of a known player's profile, with as few calls as possible.

use effigy_player::{PlayerId, lower_case};

use super::profiles::not_found;
use super::{ChainedProvider, ProviderChain, Question};
use crate::error::Result;
use crate::providers::offline_uuid;
use crate::{Account, LookUp, Profile, Profiles as _};

impl ProviderChain {
    /// Looks a known player up again, as [`Profiles::renewed`](crate::Profiles::renewed) says.
    pub(super) fn renewed_profile(
        &self,
        known: &Profile,
        player: &PlayerId,
        look_up: &LookUp,
    ) -> Result<Profile> {
        let Some(questions) = self.renewal_questions(known, player) else {
            self.remember_bound_name(known, player);
            return self.profile(player, look_up);
        };
        let found = self.first_answer(&questions, player, look_up)?;
        if let Some(mut renewed) = found {
            self.keep_name(&mut renewed, known);
            if let PlayerId::JavaName(name) = player
                && has_name(&renewed, name)
            {
                self.remember_name(name);
            }
            return Ok(renewed);
        }
        if self.could_be_known_after(known, player) {
            return self.profile(player, look_up);
        }
        Err(not_found(player))
    }

    /// Returns the questions that renew a profile: one to each earlier provider that reads files,
    /// and then one to the provider that knew it, by the account's identifier. Returns `None` if
    /// the player must be looked up from scratch.
    pub(super) fn renewal_questions(
        &self,
        known: &Profile,
        player: &PlayerId,
    ) -> Option<Vec<Question<'_>>> {
        if is_found_by_offline_uuid(known, player) {
            return None;
        }
        let (place, asked) = self.provider_named(&known.provider)?;
        if asked.provider.dresses_accounts() && !has_offline_uuid(known, player) {
            return None;
        }
        let mut questions = Vec::new();
        for earlier in &self.providers[..place] {
            if !earlier.provider.can_know(player) {
                continue;
            }
            if earlier.makes_calls() {
                return None;
            }
            questions.push(Question {
                asked: earlier,
                player: player.clone(),
            });
        }
        questions.push(Question {
            asked,
            player: asked.provider.renewal_id(known, player),
        });
        Some(questions)
    }

    /// Returns the provider of a name, and its place.
    pub(super) fn provider_named(&self, name: &str) -> Option<(usize, &ChainedProvider)> {
        let mut providers = self.providers.iter().enumerate();
        providers.find(|(_, chained)| &**chained.name() == name)
    }

    /// Returns `true` if a provider after the one that knew the player could know it.
    fn could_be_known_after(&self, known: &Profile, player: &PlayerId) -> bool {
        let Some((place, _)) = self.provider_named(&known.provider) else {
            return true;
        };
        let mut later = self.providers[place + 1..].iter();
        later.any(|chained| chained.provider.can_know(player))
    }

    /// Keeps the known name if the provider's answers to look-ups by an identifier have no name.
    fn keep_name(&self, renewed: &mut Profile, known: &Profile) {
        if renewed.name.is_some() || renewed.provider != known.provider {
            return;
        }
        if let Some((_, chained)) = self.provider_named(&known.provider)
            && !chained.provider.tells_names()
        {
            renewed.name.clone_from(&known.name);
        }
    }

    /// Remembers the known name if the player is asked for by the UUID that was computed from it.
    /// After a restart, nobody may have asked for the name yet.
    pub(super) fn remember_bound_name(&self, known: &Profile, player: &PlayerId) {
        if let PlayerId::JavaUuid(uuid) = player
            && let Some(name) = &known.name
            && offline_uuid(name) == *uuid
        {
            self.remember_name(name);
        }
    }
}

/// Returns `true` if a profile was found by a UUID that was computed from the name of the account.
/// The name may belong to another account by now.
fn is_found_by_offline_uuid(known: &Profile, player: &PlayerId) -> bool {
    match (player, &known.account) {
        (PlayerId::JavaUuid(asked), Account::Java(uuid)) => asked != uuid,
        _ => false,
    }
}

/// Returns `true` if an account has the UUID that is computed from the name that is asked for, or
/// if no name is asked for. Otherwise another provider has found the account by the name, and only
/// that one can tell that the account has another name by now.
fn has_offline_uuid(known: &Profile, player: &PlayerId) -> bool {
    match (player, &known.account) {
        (PlayerId::JavaName(name), Account::Java(uuid)) => *uuid == offline_uuid(name),
        _ => true,
    }
}

/// Returns `true` if the account of a profile has a name, in any letter case.
fn has_name(profile: &Profile, name: &str) -> bool {
    let found = profile.name.as_deref().unwrap_or_default();
    lower_case(found) == lower_case(name)
}
