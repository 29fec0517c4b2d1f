//! Look-ups of players from scratch.

use std::{sync::Arc, time::Instant};

use effigy_player::PlayerId;
use effigy_upstream::{LimitReason, LookUp, Profile, SkinSource, Target, UpstreamError};

use super::{
    Player,
    changes::{TextureChanges, texture_changes},
    memory::Known,
};
use crate::{
    Failure, Fault, ServiceError,
    doors::{Askers, ChargedCalls},
    error::Result,
    flow::Flow,
    metrics::observe,
    players::record::{PlayerRecord, WornTextures},
};

/// The answer to a look-up: the profile, and the textures that have changed, if they could be
/// fetched.
type ProfileAndChanges = (Profile, Result<TextureChanges, UpstreamError>);

impl Flow {
    /// Looks a player up, or joins a look-up in flight. The answer of one that has ended is used if
    /// it began at `since` or later; without `since`, if it is fresh.
    ///
    /// Without `since`, the caller has read the store a moment ago.
    pub(super) async fn look_up(
        &self,
        player: &Player,
        version: Option<u64>,
        since: Option<Instant>,
    ) -> Result<Arc<PlayerRecord>> {
        let state = &self.state;
        let known = || {
            let known = state.players.get(&player.id)?;
            let begun = known.begun?;
            let is_usable = match since {
                Some(since) => since <= begun,
                None => known
                    .record
                    .is_younger_than(state.config.fresh, state.now()),
            };
            is_usable.then_some(known.record)
        };
        let id = player.id.clone();
        let reads_store = since.is_some();
        let look_up =
            move |flow: Self| async move { flow.look_up_alone(&id, version, reads_store).await };
        let key = state.players.binding(&player.id);
        let look_ups = &state.players.look_ups;
        // Whoever waits for a look-up does not wait for the file that it was begun for.
        self.alone().share(look_ups, key, known, look_up).await
    }

    async fn look_up_alone(
        &self,
        player: &PlayerId,
        version: Option<u64>,
        reads_store: bool,
    ) -> Result<Arc<PlayerRecord>> {
        let begun = Instant::now();
        let state = &self.state;
        let deadline = self.deadline();
        let planned = state.source.calls_for(Target::Player(player));
        let client = self.askers.first();
        let charged = state.rates.charge_calls(client, planned, deadline).await?;
        let known = if reads_store {
            self.known(player).await
        } else {
            state.players.get(player)
        };
        let recent = self.recently_checked(known.as_ref()).await;
        let mut look_up = LookUp::until(deadline);
        if recent.is_some() {
            look_up = look_up.after_recent_check();
        }
        let earlier = known.map(|known| known.record);
        let call = profile_and_changes(player.clone(), earlier.clone());
        let (profile, changes) = match self.call_source(look_up, charged, call).await {
            Ok(answer) => answer,
            Err(error) => return self.without_profile(player, recent, error),
        };
        // Without the new textures, the known look stays for those who have not asked to look up.
        let is_kept = changes.is_ok();
        let textures = self.keep_changes(changes.unwrap_or_default());
        let mut record = PlayerRecord::new(profile, textures, state.now());
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
        if !state.config.has_replicas {
            return None;
        }
        let stored = self.stored_record(&known.key).await?;
        let is_recent = stored.is_younger_than(interval, state.now());
        is_recent.then(|| Arc::new(stored))
    }

    /// Returns the answer to a look-up that failed: the record, if the upstream serves a profile only
    /// once within the interval, else the error.
    fn without_profile(
        &self,
        player: &PlayerId,
        recent: Option<Arc<PlayerRecord>>,
        error: Failure,
    ) -> Result<Arc<PlayerRecord>> {
        if error.fault() == Fault::NotFound {
            self.state.forget_player(player);
        }
        if is_about_one_profile(&error)
            && let Some(record) = recent
        {
            return Ok(record);
        }
        Err(error)
    }

    /// Calls the source of skins on a blocking thread, and gives back the calls that it did not
    /// make.
    pub(crate) async fn call_source<T: Send + 'static>(
        &self,
        look_up: LookUp,
        charged: ChargedCalls,
        call: impl FnOnce(&dyn SkinSource, &LookUp) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T> {
        let started = Instant::now();
        let state = Arc::clone(&self.state);
        // What was charged moves with the call: it is in flight even if the caller has left.
        let task = tokio::task::spawn_blocking(move || {
            let answer = call(&*state.source, &look_up);
            state.rates.settle(charged, &look_up);
            answer
        });
        let answer = task.await.map_err(|_| ServiceError::Interrupted)?;
        observe(&self.state.metrics.look_ups, started.elapsed(), &answer);
        Ok(answer?)
    }

    /// Returns the flow of a part of the work that others may wait for too.
    pub(crate) fn alone(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
            askers: Askers::one(self.askers.first()),
            end: self.end,
        }
    }

    /// Returns the flow of a part of the work, with look-ups that must be over at a time.
    pub(crate) fn until(&self, end: Instant) -> Self {
        Self {
            end: Some(end),
            ..self.clone()
        }
    }

    /// Returns the time at which a look-up that begins now must be over.
    pub(crate) fn deadline(&self) -> Instant {
        self.end.unwrap_or_else(|| self.state.source.deadline())
    }
}

/// Returns the call that looks a player up, and fetches the textures that have changed since the
/// earlier record.
fn profile_and_changes(
    player: PlayerId,
    earlier: Option<Arc<PlayerRecord>>,
) -> impl FnOnce(&dyn SkinSource, &LookUp) -> Result<ProfileAndChanges, UpstreamError> {
    move |source, look_up| {
        let profile = source.profile(&player, look_up)?;
        let worn = match earlier {
            Some(earlier) => earlier.textures.clone(),
            None => WornTextures::default(),
        };
        let changes = texture_changes(source, &profile, &worn, look_up);
        Ok((profile, changes))
    }
}

/// Returns `true` if an upstream has rejected a call as one too many.
pub(crate) fn is_about_one_profile(error: &ServiceError) -> bool {
    let ServiceError::Upstream(error) = error else {
        return false;
    };
    error.status() == Some(429) || error.limit() == Some(LimitReason::TooManyRequests)
}
