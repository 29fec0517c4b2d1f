//! Checks that a client asks for: `POST /v1/refresh/{player}`.

use std::{sync::Arc, time::SystemTime};

use effigy_upstream::{LookUp, SkinSource, Target};
use serde_json::Value;

use super::{Current, Player};
use crate::{
    Client, Fault, Service,
    error::Result,
    flow::Flow,
    players::record::{PlayerRecord, WornTextures},
};

/// The answer to a refresh.
#[derive(Debug, Clone)]
pub struct Refreshed {
    /// The profile, as `/v1/profile` has it.
    pub profile: Value,
    /// The time of the last check.
    pub checked_at: SystemTime,
    /// `true` if skin, cape, model or name differ from the record before.
    pub changed: bool,
}

impl Service {
    /// Checks a player now. Within the profile interval, the record is the answer.
    ///
    /// # Errors
    /// If there is no such player, or the check fails or is refused. The record stays then.
    pub async fn refresh(&self, client: Client, input: &str) -> Result<Refreshed> {
        let flow = self.flow(client);
        let player = self.state.named(input)?;
        let error = match flow.refreshed_player(&player).await {
            Ok(refreshed) => return Ok(refreshed),
            Err(error) => error,
        };
        let Some(java) = player.after(&error) else {
            return Err(error);
        };
        match flow.refreshed_player(&java).await {
            // The name was meant for a Bedrock player.
            Err(failure) if failure.fault() == Fault::NotFound => Err(error),
            refreshed => refreshed,
        }
    }
}

impl Flow {
    /// Checks a player now, and returns the answer.
    async fn refreshed_player(&self, player: &Player) -> Result<Refreshed> {
        if let Some(local) = self.state.source.local(&player.id)
            && local.earlier.is_empty()
        {
            // A file in the folder shows at once, so there is nothing to check.
            let current = Current::of_local(local, self.state.now());
            return self.refreshed(player, &current, false).await;
        }
        let known = self.known(&player.id).await;
        let found = match &known {
            Some(known) => self.checked(player, known, None).await,
            None => self.first_look_up(player).await,
        };
        let current = self.or_local(player, found.map(Current::looked_up))?;
        let changed = known.is_none_or(|known| !known.record.shows_the_same(&current.record));
        self.refreshed(player, &current, changed).await
    }

    /// Returns the answer to a refresh.
    async fn refreshed(
        &self,
        player: &Player,
        current: &Current,
        changed: bool,
    ) -> Result<Refreshed> {
        Ok(Refreshed {
            profile: self.profile_value(player, current).await?,
            checked_at: current.record.checked_at,
            changed,
        })
    }

    /// Looks up a player of whom nothing is known, even if the absence is remembered: a player who
    /// joins for the first time has been asked for a moment ago.
    async fn first_look_up(&self, player: &Player) -> Result<Arc<PlayerRecord>> {
        let state = &self.state;
        let begun = std::time::Instant::now();
        let deadline = self.deadline();
        let planned = state.source.calls_for(Target::Player(&player.id));
        let client = self.askers.first();
        let charged = state.rates.charge_calls(client, planned, deadline).await?;
        let id = player.id.clone();
        let call = move |source: &dyn SkinSource, look_up: &LookUp| source.profile(&id, look_up);
        let look_up = LookUp::until(deadline).asking_anew();
        let profile = self.call_source(look_up, charged, call).await?;
        let record = PlayerRecord::new(profile, WornTextures::default(), state.now());
        let record = Arc::new(record);
        state.keep_record(&player.id, Arc::clone(&record), begun);
        Ok(record)
    }
}
