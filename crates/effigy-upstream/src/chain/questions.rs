//! Questions to the providers of the chain about a player, one after the other.

use std::sync::Arc;

use effigy_player::PlayerId;

use super::{ChainedProvider, ProviderChain};
use crate::error::Result;
use crate::fetcher::Fetcher;
use crate::providers::is_offline;
use crate::{LookUp, Profile, UpstreamError, error_chain};

/// A question to one provider.
pub(super) struct Question<'a> {
    pub(super) asked: &'a ChainedProvider,
    /// The player as the provider is asked for it.
    pub(super) player: PlayerId,
}

/// A profile with the skin and cape that its player has chosen.
struct Dressed {
    profile: Profile,
    /// `true` if a folder failed, which may have another choice.
    folder_failed: bool,
}

impl ProviderChain {
    /// Returns the questions of a look-up from scratch: one to each provider that can know the
    /// player.
    pub(super) fn questions_about(&self, player: &PlayerId) -> Vec<Question<'_>> {
        let mut questions = Vec::new();
        for asked in self.asked_for(player) {
            questions.push(Question {
                asked,
                player: player.clone(),
            });
        }
        questions
    }

    /// Asks the questions until a provider knows the player. Returns `None` if no provider does.
    ///
    /// `player` is the player that a client asked for. If a later provider may mean somebody else
    /// by that, a failure of an earlier one makes the answer uncertain.
    pub(super) fn first_answer(
        &self,
        questions: &[Question<'_>],
        player: &PlayerId,
        look_up: &LookUp,
    ) -> Result<Option<Profile>> {
        let mut first_failure = None;
        for (place, question) in questions.iter().enumerate() {
            let asked = question.asked;
            let questions_left = questions.len() - place;
            let fetcher = self.fetcher_with_share(asked, look_up, questions_left);
            match self.answer_to(question, &fetcher) {
                Ok(Some(profile)) => {
                    tracing::debug!(provider = &*profile.provider, "the player is known");
                    let dressed = self.dressed(asked, profile);
                    // After a failure, the player found may be another one of the same name. A UUID
                    // that all providers share names one player, whoever answers.
                    let is_sure = first_failure.is_none() && !dressed.folder_failed;
                    return Ok(Some(Profile {
                        is_certain: is_sure || is_known_everywhere(player),
                        ..dressed.profile
                    }));
                }
                Ok(None) => {}
                Err(error) => {
                    let failure = asked.servers.failure(error);
                    if questions_left > 1 {
                        tracing::warn!("the next provider is asked: {}", error_chain(&failure));
                    }
                    first_failure.get_or_insert(failure);
                }
            }
        }
        match first_failure {
            // One of the providers that failed may know the player.
            Some(failure) => Err(failure),
            None => Ok(None),
        }
    }

    /// Returns a profile with the skin and cape that its player has chosen with a plugin, whose
    /// folder comes before the provider that knows the account.
    fn dressed(&self, known_by: &ChainedProvider, profile: Profile) -> Dressed {
        let mut folder_failed = false;
        for earlier in &self.providers {
            if earlier.name() == known_by.name() {
                break;
            }
            match self.look_of(earlier, &profile) {
                Ok(Some(chosen)) => {
                    return Dressed {
                        profile: chosen,
                        folder_failed,
                    };
                }
                Ok(None) => {}
                Err(error) => {
                    let provider = &**earlier.name();
                    tracing::warn!(provider, "a choice is unknown: {}", error_chain(&error));
                    folder_failed = true;
                }
            }
        }
        Dressed {
            profile,
            folder_failed,
        }
    }

    /// Returns a profile with the skin and cape that its player has chosen in the folder of a
    /// provider, or `None` if there is no choice.
    pub(super) fn look_of(
        &self,
        chosen_at: &ChainedProvider,
        profile: &Profile,
    ) -> Result<Option<Profile>> {
        let Some(look) = chosen_at.provider.look_of(&profile.account)? else {
            return Ok(None);
        };
        let completed = self.completed(chosen_at, look)?;
        Ok(Some(Profile {
            skin: completed.skin,
            cape: completed.cape,
            provider: completed.provider,
            ..profile.clone()
        }))
    }

    /// Returns a fetcher with an equal share of the time left, so that a provider that hangs leaves
    /// time for the others. `questions_left` includes the question that the fetcher is for.
    fn fetcher_with_share<'a>(
        &'a self,
        asked: &'a ChainedProvider,
        look_up: &'a LookUp,
        questions_left: usize,
    ) -> Fetcher<'a> {
        let shares = u32::try_from(questions_left);
        let shares = shares.expect("an operator has written each of the providers");
        let now = self.now();
        let time_left = look_up.deadline().saturating_duration_since(now);
        let mut fetcher = self.fetcher(&asked.servers, look_up);
        fetcher.deadline = now + time_left / shares;
        fetcher
    }

    /// Asks one provider, unless it has answered a moment ago that there is no such player, or has
    /// failed.
    pub(super) fn answer_to(
        &self,
        question: &Question<'_>,
        fetcher: &Fetcher,
    ) -> Result<Option<Profile>, Arc<UpstreamError>> {
        let asked = question.asked;
        let folded = question.player.folded(asked.provider.ignores_case());
        let key = format!("{folded:?}");
        let ask = || match asked.provider.profile(fetcher, &question.player)? {
            Some(profile) => self.completed(asked, profile).map(Some),
            None => Ok(None),
        };
        if fetcher.look_up.asks_anew() {
            return fetcher.find_anew(key, ask);
        }
        fetcher.find(key, ask)
    }
}

/// Returns `true` if a later provider cannot take another player for this one. A name may belong to
/// somebody else there, and so may a UUID that is computed from the name.
fn is_known_everywhere(player: &PlayerId) -> bool {
    match player {
        PlayerId::JavaUuid(uuid) => !is_offline(*uuid),
        player => matches!(player, PlayerId::BedrockXuid(_)),
    }
}
