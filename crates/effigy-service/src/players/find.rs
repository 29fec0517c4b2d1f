//! The way to the current record of a player.

use std::{sync::Arc, time::Instant};

use effigy_player::PlayerId;
use tokio::time::timeout;

use super::{
    current::{Currency, Current, LONG_PATIENCE, MissedCheck, SHORT_PATIENCE, STALE_AGE},
    look_up::Needed,
    memory::Known,
    record::{PlayerRecord, VersionStatus},
    requested::RequestedPlayer,
};
use crate::{Fault, error::Result, flow::Flow};

impl Flow {
    /// Returns the record of a player if no check is due: remembered, or from the folder of skins.
    /// It neither waits nor calls.
    pub(crate) fn remembered(&self, player: &PlayerId, version: Option<u64>) -> Option<Current> {
        let state = &self.state;
        let now = state.now();
        if let Some(local) = state.source.local(player) {
            if !local.earlier.is_empty() {
                // A provider before the folder may know the player, so it must be asked.
                return None;
            }
            return Some(Current::of_local(local, now));
        }
        let known = state.players.get(player)?;
        // A version that is not known must be learned or checked, so it is not answered from here.
        if let Some(version) = version
            && known.record.version_status(version) != VersionStatus::Known
        {
            return None;
        }
        if !known.record.is_younger_than(state.config.fresh, now) {
            return None;
        }
        state.use_player(player, &known, now);
        Some(Current::up_to_date(known.record))
    }

    /// Returns the current record of a player, after a check or a look-up if one is due. `known` is
    /// the record so far.
    ///
    /// # Errors
    /// If there is no such player, or nothing is known of the player and the look-up fails.
    pub(super) async fn bring_up_to_date(
        &self,
        player: &RequestedPlayer,
        known: Option<Known>,
        version: Option<u64>,
    ) -> Result<Current> {
        let found = self.current_without_folder(player, known, version).await;
        self.or_local(player, found)
    }

    /// Returns the player of the folder of skins instead of an upstream's answer, unless a provider
    /// that comes before the folder knows the player.
    pub(super) fn or_local(
        &self,
        player: &RequestedPlayer,
        found: Result<Current>,
    ) -> Result<Current> {
        let Some(local) = self.state.source.local(&player.id) else {
            return found;
        };
        match found {
            Ok(found) if local.earlier.contains(&found.record.profile.provider) => Ok(found),
            Err(error) if error.fault() == Fault::Limited => Err(error),
            _ => Ok(Current::of_local(local, self.state.now())),
        }
    }

    /// Returns the current record of a player without regard to the folder of skins.
    async fn current_without_folder(
        &self,
        player: &RequestedPlayer,
        known: Option<Known>,
        version: Option<u64>,
    ) -> Result<Current> {
        let Some(known) = known else {
            return self.look_up_current(player, version).await;
        };
        let record = &known.record;
        let now = self.state.now();
        let config = &self.state.config;
        let new_version = match version {
            Some(version) => self.learn_first_version(&known, version),
            None => None,
        };
        if new_version.is_none() && record.is_younger_than(config.fresh, now) {
            return Ok(Current::up_to_date(known.record));
        }
        // A record that is not stale yet is shown whatever the setting.
        let oldest = config.stale_if_error.max(STALE_AGE);
        if !record.is_younger_than(oldest, now) {
            return self.look_up_current(player, version).await;
        }
        self.wait_for_check(player, known, new_version).await
    }

    /// Learns the first version of a record. Returns a later version if it is new, so that a check
    /// must confirm it.
    fn learn_first_version(&self, known: &Known, version: u64) -> Option<u64> {
        match known.record.version_status(version) {
            VersionStatus::Known => None,
            VersionStatus::First => {
                self.state.learn_version(&known.key, version);
                None
            }
            VersionStatus::New => Some(version),
        }
    }

    async fn look_up_current(
        &self,
        player: &RequestedPlayer,
        version: Option<u64>,
    ) -> Result<Current> {
        let record = self.look_up(player, version, Needed::Recent).await?;
        Ok(Current::up_to_date(record))
    }

    /// Returns the record of a known player after a check, or the known record if the check fails
    /// or takes too long.
    async fn wait_for_check(
        &self,
        player: &RequestedPlayer,
        known: Known,
        new_version: Option<u64>,
    ) -> Result<Current> {
        let is_stale = !known.record.is_younger_than(STALE_AGE, self.state.now());
        let patience = if is_stale || new_version.is_some() {
            LONG_PATIENCE
        } else {
            SHORT_PATIENCE
        };
        let check = self.record_after_check(player, &known, new_version);
        let missed = match timeout(patience, check).await {
            Ok(Ok(newer)) => return Ok(Current::up_to_date(newer)),
            // It is an answer, not an outage.
            Ok(Err(error)) if error.fault() == Fault::NotFound => return Err(error),
            Ok(Err(_)) => MissedCheck::Failed,
            Err(_) => MissedCheck::GoesOn {
                asked: new_version.is_some(),
            },
        };
        Ok(Current {
            record: known.record,
            currency: Currency::without_check(missed, is_stale),
        })
    }

    /// Returns the record of a look-up that is in flight, or that begins now or later.
    pub(crate) async fn fresh(&self, player: &RequestedPlayer) -> Result<Arc<PlayerRecord>> {
        let now = Instant::now();
        self.look_up(player, None, Needed::BegunSince(now)).await
    }
}
