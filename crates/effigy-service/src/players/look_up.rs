//! Look-ups of players from scratch.

use std::{sync::Arc, time::Instant};

use effigy_player::PlayerId;
use effigy_upstream::{LimitReason, LookUp, SkinSource, Target, UpstreamError};

use super::Player;
use crate::{
    Fault, ServiceError,
    doors::{Askers, ChargedCalls},
    error::Result,
    flow::Flow,
    metrics::observe,
    player::{PlayerRecord, WornTextures},
};

impl Flow {
    /// Looks a player up, once for all who need it now. With `since`, a look-up that began earlier
    /// does not do; without, the record was not known.
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
            since
                .is_some_and(|since| since <= begun)
                .then_some((begun, known.record))
        };
        // Whoever waits for a look-up does not wait for the file that it was begun for.
        let flow = self.alone();
        let askers = flow.askers.clone();
        let id = player.id.clone();
        let look_up = async move { flow.look_up_alone(&id, version).await };
        let key = state.players.binding(&player.id);
        let found = state.players.look_ups.run(&askers, key, known, look_up);
        let (_, record) = found.await?;
        Ok(record)
    }

    async fn look_up_alone(
        &self,
        player: &PlayerId,
        version: Option<u64>,
    ) -> Result<(Instant, Arc<PlayerRecord>)> {
        let begun = Instant::now();
        let state = &self.state;
        let deadline = state.source.deadline();
        let planned = state.source.calls_for(Target::Player(player));
        let client = self.askers.first();
        let charged = state.rates.charge_calls(client, planned, deadline).await?;
        let recent = self.recently_checked(player);
        let mut look_up = LookUp::until(deadline);
        if recent.is_some() {
            look_up = look_up.after_recent_check();
        }
        let id = player.clone();
        let call = move |source: &dyn SkinSource, look_up: &LookUp| source.profile(&id, look_up);
        let profile = match self.call_source(look_up, charged, call).await {
            Ok(profile) => profile,
            Err(error) => return self.without_profile(player, begun, recent, error),
        };
        let mut record = PlayerRecord::new(profile, WornTextures::default(), state.now());
        if let Some(known) = state.players.get(player) {
            record.inherit_versions(&known.record);
            // A file that was fetched from the same URL is checked when it is shown.
            record.textures = known.record.textures.clone();
        }
        if let Some(version) = version {
            record.remember_version(version);
        }
        let record = Arc::new(record);
        state.keep_record(player, Arc::clone(&record), begun);
        Ok((begun, record))
    }

    /// Returns the record of a player who was checked within the profile interval.
    fn recently_checked(&self, player: &PlayerId) -> Option<Arc<PlayerRecord>> {
        let state = &self.state;
        let record = state.players.get(player)?.record;
        let interval = state.source.profile_interval(&record.profile.provider);
        record
            .is_younger_than(interval, state.now())
            .then_some(record)
    }

    /// Returns what a look-up has found that failed. If the upstream serves a profile only once
    /// within the interval, the record is the answer.
    fn without_profile(
        &self,
        player: &PlayerId,
        begun: Instant,
        recent: Option<Arc<PlayerRecord>>,
        error: crate::Failure,
    ) -> Result<(Instant, Arc<PlayerRecord>)> {
        if error.fault() == Fault::NotFound {
            self.state.forget_player(player);
        }
        if is_about_one_profile(&error)
            && let Some(record) = recent
        {
            return Ok((begun, record));
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
        }
    }
}

/// Returns `true` if an upstream has rejected a call as one too many.
fn is_about_one_profile(error: &ServiceError) -> bool {
    let ServiceError::Upstream(error) = error else {
        return false;
    };
    error.status() == Some(429) || error.limit() == Some(LimitReason::TooManyRequests)
}
