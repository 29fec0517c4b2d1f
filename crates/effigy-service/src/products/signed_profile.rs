//! The profile of a player, as the session service signs it.

use std::{sync::Arc, time::Duration};

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{Account, Target};

use crate::{
    ServedFile, ServiceError, ShelfLife,
    error::Result,
    flow::{Flow, Price},
    players::{
        look_up::was_one_call_too_many, record::PlayerRecord, signed_profiles::SignedProfile,
    },
    served_file::JSON,
};

const HOUR: Duration = Duration::from_secs(3600);

impl Flow {
    /// Returns the signed profile of the player that an input names. It is looked up once within
    /// the interval in which the provider serves a profile once.
    ///
    /// # Errors
    /// [`ServiceError::NoSignature`] if no provider signs, or if the player's has served the
    /// profile so lately that it does not serve it again.
    pub(super) async fn signed_profile(
        &self,
        input: &str,
        version: Option<u64>,
    ) -> Result<ServedFile> {
        let record = self.record_of_last_hour(input, version).await?;
        let Account::Java(uuid) = record.profile.account else {
            return Err(ServiceError::NoSignature.into());
        };
        let state = &self.state;
        let interval = state.source.profile_interval(&record.profile.provider);
        let fresh = interval.max(state.config.fresh);
        let known = || state.signed.get(uuid, fresh, state.now());
        let look_up = move |flow: Self| async move { flow.look_up_signed(uuid).await };
        let look_ups = &state.signed.look_ups;
        let signed = self
            .alone()
            .run_once(look_ups, uuid, known, look_up)
            .await?;
        let served = ServedFile::made(signed.json, JSON, signed.looked_up_at);
        Ok(served.with_shelf_life(ShelfLife::RestOfHour))
    }

    /// Returns the record of a player. An old one is not checked, because the provider would not
    /// serve the profile twice.
    async fn record_of_last_hour(
        &self,
        input: &str,
        version: Option<u64>,
    ) -> Result<Arc<PlayerRecord>> {
        let player = self.requested_player(input)?;
        if let Some(known) = self.known(&player.id).await
            && known.record.is_younger_than(HOUR, self.state.now())
        {
            return Ok(known.record);
        }
        let found = self.resolved(input, version).await?;
        Ok(found.current.record)
    }

    async fn look_up_signed(&self, uuid: Uuid) -> Result<SignedProfile> {
        let state = &self.state;
        let player = PlayerId::JavaUuid(uuid);
        let target = Target::Player(&player);
        let mut call = self.pay_for_call(target, Price::LookUp).await?;
        call.look_up = call.look_up.after_recent_check();
        let answer = call.make(move |source, look_up| source.signed_profile(uuid, look_up));
        let json = match answer.await {
            Ok(Some(json)) => json,
            Ok(None) => return Err(ServiceError::NoSignature.into()),
            Err(error) if was_one_call_too_many(&error) => {
                return Err(ServiceError::NoSignature.into());
            }
            Err(error) => return Err(error),
        };
        let signed = SignedProfile {
            json,
            looked_up_at: state.now(),
        };
        state.signed.insert(uuid, signed.clone());
        Ok(signed)
    }
}
