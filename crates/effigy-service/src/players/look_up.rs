//! Look-ups of players from scratch.

use std::{sync::Arc, time::Instant};

use effigy_player::PlayerId;
use effigy_upstream::{LimitReason, LookUp, Profile, SkinSource, Target, UpstreamError};

use super::{
    changes::{TextureChanges, texture_changes},
    memory::Known,
    record::{LearnedTextures, PlayerRecord},
    requested::RequestedPlayer,
};
use crate::{
    Failure, Fault, ServiceError,
    error::Result,
    flow::{Flow, Price},
};

/// The look-ups whose answer is accepted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Needed {
    /// A look-up whose answer is younger than `--fresh`. Callers have read the store for the player
    /// just before, so the record is not read from there again.
    Recent,
    /// A look-up that began at this time or later.
    BegunSince(Instant),
}

/// The answer to a look-up.
struct Answer {
    profile: Profile,
    /// The textures that have changed, if they could be fetched.
    changes: Result<TextureChanges, UpstreamError>,
}

impl Flow {
    /// Looks a player up, joins a look-up in flight, or takes the answer of an earlier look-up if
    /// it will do.
    pub(super) async fn look_up(
        &self,
        player: &RequestedPlayer,
        version: Option<u64>,
        needed: Needed,
    ) -> Result<Arc<PlayerRecord>> {
        let state = &self.state;
        let accepted = || self.accepted_record(&player.id, needed);
        let id = player.id.clone();
        let look_up =
            move |flow: Self| async move { flow.perform_look_up(&id, version, needed).await };
        let key = state.players.binding(&player.id);
        let look_ups = &state.players.look_ups;
        // Others may join the look-up who do not wait for the file that it was begun for.
        self.alone()
            .run_once(look_ups, key, accepted, look_up)
            .await
    }

    /// Returns the record of an earlier look-up or check by this process, if it is accepted.
    fn accepted_record(&self, player: &PlayerId, needed: Needed) -> Option<Arc<PlayerRecord>> {
        let state = &self.state;
        let remembered = state.players.get(player)?;
        let begun = remembered.begun?;
        let record = remembered.record;
        let is_accepted = match needed {
            Needed::Recent => record.is_younger_than(state.config.fresh, state.now()),
            Needed::BegunSince(since) => since <= begun,
        };
        if is_accepted { Some(record) } else { None }
    }

    /// Looks a player up, and keeps the answer.
    async fn perform_look_up(
        &self,
        player: &PlayerId,
        version: Option<u64>,
        needed: Needed,
    ) -> Result<Arc<PlayerRecord>> {
        let begun = Instant::now();
        let target = Target::Player(player);
        let mut call = self.pay_for_call(target, Price::LookUp).await?;
        let known = match needed {
            // The store was read a moment ago, so memory has whatever is known.
            Needed::Recent => self.state.players.get(player),
            Needed::BegunSince(_) => self.known(player).await,
        };
        let recent = self.recently_checked(known.as_ref()).await;
        // Mojang serves a profile once a minute. A 429 within that time is about this profile
        // alone, and the record is the answer.
        if recent.is_some() {
            call.look_up = call.look_up.after_recent_check();
        }
        let earlier_record = known.map(|known| known.record);
        let ask = profile_and_changes(player.clone(), earlier_record.clone());
        match call.make(ask).await {
            Ok(answer) => Ok(self.keep_look_up(player, earlier_record, answer, version, begun)),
            Err(error) => self.without_profile(player, recent, error),
        }
    }

    /// Remembers and stores the answer to a look-up.
    fn keep_look_up(
        &self,
        player: &PlayerId,
        earlier: Option<Arc<PlayerRecord>>,
        answer: Answer,
        version: Option<u64>,
        begun: Instant,
    ) -> Arc<PlayerRecord> {
        let state = &self.state;
        // If the changed textures could not be fetched, this request gets the new profile, and
        // memory and store keep the old record.
        let is_kept = answer.changes.is_ok();
        let textures = state.keep_changes(answer.changes.unwrap_or_default());
        let mut record = PlayerRecord::new(answer.profile, textures, state.now());
        if let Some(earlier) = earlier {
            record.inherit_versions(&earlier);
        }
        if let Some(version) = version {
            record.remember_version(version);
        }
        let record = Arc::new(record);
        if is_kept {
            state.keep_record(player, Arc::clone(&record), begun);
        }
        record
    }

    /// Looks up a player of whom nothing is known, even if the absence is remembered: a player who
    /// joins for the first time has been asked for a moment ago.
    pub(super) async fn look_up_newcomer(
        &self,
        player: &RequestedPlayer,
    ) -> Result<Arc<PlayerRecord>> {
        let state = &self.state;
        let begun = Instant::now();
        let target = Target::Player(&player.id);
        let mut call = self.pay_for_call(target, Price::LookUp).await?;
        call.look_up = call.look_up.asking_anew();
        let id = player.id.clone();
        let profile = call.make(move |source, look_up| source.profile(&id, look_up));
        let record = PlayerRecord::new(profile.await?, LearnedTextures::default(), state.now());
        let record = Arc::new(record);
        state.keep_record(&player.id, Arc::clone(&record), begun);
        Ok(record)
    }

    /// Returns the record of a player who was checked within the profile interval, by this process
    /// or another.
    async fn recently_checked(&self, known: Option<&Known>) -> Option<Arc<PlayerRecord>> {
        let state = &self.state;
        let known = known?;
        let interval = state
            .source
            .profile_interval(&known.record.profile.provider);
        if known.record.is_younger_than(interval, state.now()) {
            return Some(Arc::clone(&known.record));
        }
        if !state.config.shared_store {
            return None;
        }
        let stored = self.stored_record(&known.key).await?;
        if stored.is_younger_than(interval, state.now()) {
            Some(Arc::new(stored))
        } else {
            None
        }
    }

    /// Returns the answer to a look-up that failed: the record, if the upstream serves a profile
    /// only once within the interval, else the error.
    fn without_profile(
        &self,
        player: &PlayerId,
        recent: Option<Arc<PlayerRecord>>,
        error: Failure,
    ) -> Result<Arc<PlayerRecord>> {
        if error.fault() == Fault::NotFound {
            self.state.forget_player(player);
        }
        if was_one_call_too_many(&error)
            && let Some(record) = recent
        {
            return Ok(record);
        }
        Err(error)
    }
}

/// Returns the call that looks a player up, and fetches the textures that have changed since the
/// earlier record.
fn profile_and_changes(
    player: PlayerId,
    earlier: Option<Arc<PlayerRecord>>,
) -> impl FnOnce(&dyn SkinSource, &LookUp) -> Result<Answer, UpstreamError> {
    move |source, look_up| {
        let profile = source.profile(&player, look_up)?;
        let learned = match earlier {
            Some(earlier) => earlier.textures.clone(),
            None => LearnedTextures::default(),
        };
        let changes = texture_changes(source, &profile, &learned, look_up);
        Ok(Answer { profile, changes })
    }
}

/// Returns `true` if an upstream has rejected a call as one too many.
pub(crate) fn was_one_call_too_many(error: &ServiceError) -> bool {
    let ServiceError::Upstream(error) = error else {
        return false;
    };
    error.status() == Some(429) || error.limit() == Some(LimitReason::TooManyRequests)
}
