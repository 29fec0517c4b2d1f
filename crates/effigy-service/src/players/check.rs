//! Checks of known players, in the background and once for all who ask.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_player::PlayerId;
use effigy_upstream::{LookUp, Profile, SkinSource, Target, UpstreamError};

use super::{
    account_key::AccountKey,
    changes::{TextureChanges, texture_changes},
    look_up::Needed,
    memory::Known,
    record::{PlayerRecord, VersionStatus},
    requested::RequestedPlayer,
};
use crate::{
    Fault, ServiceError,
    error::Result,
    flow::{Flow, Price},
};

/// The age after which the account of a gamertag is looked up again. No profile of a Bedrock player
/// carries the gamertag, so a check does not confirm it.
const GAMERTAG_AGE: Duration = Duration::from_secs(3600);

/// The answer to a check: what the upstreams say, and the textures that were fetched for it.
struct Answer {
    profile: Profile,
    changes: TextureChanges,
}

impl Flow {
    /// Returns the record of a known player after a check.
    ///
    /// # Errors
    /// If the check is refused or fails, or if there is no such player any more.
    pub(super) async fn record_after_check(
        &self,
        player: &RequestedPlayer,
        known: &Known,
        version: Option<u64>,
    ) -> Result<Arc<PlayerRecord>> {
        let is_name = AccountKey::of_id(&player.id).is_none();
        let checked = match self.shared_check(player, known, version).await {
            // `None`: the check has shown that the name has left the account.
            Ok(()) => self.state.players.get(&player.id),
            // The account is gone, but the name may be another one's.
            Err(error) if is_name && error.fault() == Fault::NotFound => None,
            Err(error) => return Err(error),
        };
        match checked {
            Some(current) => Ok(current.record),
            None => self.look_up(player, version, Needed::Recent).await,
        }
    }

    /// Checks the account of a player, once for all who ask for any of its names. The check goes on
    /// when they leave.
    async fn shared_check(
        &self,
        player: &RequestedPlayer,
        known: &Known,
        version: Option<u64>,
    ) -> Result<()> {
        let id = player.id.clone();
        let own_known = known.clone();
        let check =
            move |flow: Self| async move { flow.perform_check(&id, own_known, version).await };
        let state = &self.state;
        let key = known.key.clone();
        let is_checked = || {
            let current = state.players.of_account(&key)?;
            let is_newer = current.record.checked_at > known.record.checked_at;
            if is_newer { Some(()) } else { None }
        };
        let checks = &state.players.checks;
        self.alone()
            .run_once(checks, key.clone(), is_checked, check)
            .await
    }

    /// Checks the account of a player, unless it was checked a moment ago.
    async fn perform_check(
        &self,
        player: &PlayerId,
        known: Known,
        version: Option<u64>,
    ) -> Result<()> {
        let state = &self.state;
        let begun = Instant::now();
        let record = &known.record;
        let interval = state.source.profile_interval(&record.profile.provider);
        if record.is_younger_than(interval, state.now()) {
            return Ok(());
        }
        if self.take_check_of_replica(player, &known, version).await {
            return Ok(());
        }
        let answer = match self.ask_again(player, record).await {
            Ok(answer) => answer,
            Err(error) => {
                if error.fault() == Fault::NotFound {
                    state.forget_player(player);
                    state.forget_account(&known.key);
                }
                return Err(error);
            }
        };
        if !answer.profile.is_certain {
            // A provider failed, so this may be another player. The known one is shown.
            return Err(ServiceError::Uncertain.into());
        }
        self.keep_answer(player, &known, answer, version, begun);
        Ok(())
    }

    /// Asks the upstreams about a known player.
    async fn ask_again(&self, player: &PlayerId, record: &Arc<PlayerRecord>) -> Result<Answer> {
        let is_gamertag = matches!(player, PlayerId::BedrockGamertag(_));
        let from_scratch = is_gamertag && !record.is_younger_than(GAMERTAG_AGE, self.state.now());
        let target = if from_scratch {
            Target::Player(player)
        } else {
            Target::Known {
                profile: &record.profile,
                player,
            }
        };
        let call = self.pay_for_call(target, Price::Check).await?;
        let id = player.clone();
        let earlier = Arc::clone(record);
        let ask = move |source: &dyn SkinSource, look_up: &LookUp| {
            let profile = if from_scratch {
                source.profile(&id, look_up)?
            } else {
                source.renewed(&earlier.profile, &id, look_up)?
            };
            let changes = texture_changes(source, &profile, &earlier.textures, look_up)?;
            Ok::<_, UpstreamError>(Answer { profile, changes })
        };
        call.make(ask).await
    }

    /// Takes the record in the store over, if another replica has checked it a moment ago. Returns
    /// `true` if it was taken over.
    async fn take_check_of_replica(
        &self,
        player: &PlayerId,
        known: &Known,
        version: Option<u64>,
    ) -> bool {
        let state = &self.state;
        if !state.config.shared_store {
            return false;
        }
        let Some(stored) = self.stored_record(&known.key).await else {
            return false;
        };
        if let Some(version) = version
            && stored.version_status(version) == VersionStatus::New
        {
            return false;
        }
        let is_young = stored.is_younger_than(state.config.fresh, state.now());
        if !is_young || stored.checked_at <= known.record.checked_at {
            return false;
        }
        state.players.insert(player, Arc::new(stored), None);
        true
    }

    /// Remembers and stores the answer to a check.
    fn keep_answer(
        &self,
        player: &PlayerId,
        known: &Known,
        answer: Answer,
        version: Option<u64>,
        begun: Instant,
    ) {
        let state = &self.state;
        let textures = state.keep_changes(answer.changes);
        let mut record = PlayerRecord::new(answer.profile, textures, state.now());
        // This or another request may have taken a version as known since the record was read.
        match state.players.of_account(&known.key) {
            Some(current) => record.inherit_versions(&current.record),
            None => record.inherit_versions(&known.record),
        }
        if let Some(version) = version {
            record.remember_version(version);
        }
        state.keep_record(player, Arc::new(record), begun);
    }
}
