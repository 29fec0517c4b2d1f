//! The flow of records that the session service has signed.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{Account, LookUp, SkinSource, Target};
use quick_cache::sync::Cache;

use super::{Flow, JSON};
use crate::{
    Image, ServiceError,
    error::Result,
    players::{is_about_one_profile, record::PlayerRecord},
    single_flight::SingleFlight,
};

const HOUR: Duration = Duration::from_secs(3600);

/// The records that are remembered.
const MAX_RECORDS: usize = 1_000;

/// The signed records that are remembered, and those that are being looked up.
pub(crate) struct SignedProfiles {
    records: Cache<Uuid, SignedProfile>,
    look_ups: SingleFlight<Uuid, SignedProfile>,
}

/// A signed record in JSON.
#[derive(Debug, Clone)]
struct SignedProfile {
    json: String,
    looked_up_at: SystemTime,
}

impl SignedProfiles {
    pub(crate) fn new() -> Self {
        Self {
            records: Cache::new(MAX_RECORDS),
            look_ups: SingleFlight::new(),
        }
    }
}

impl Flow {
    /// Returns the signed record of the player that an input names. It is looked up once within the
    /// interval in which the provider serves a profile once.
    ///
    /// # Errors
    /// [`ServiceError::NoSignature`] if no provider signs, or if the player's has served the
    /// profile so lately that it does not serve it again.
    pub(super) async fn signed_profile(&self, input: &str, version: Option<u64>) -> Result<Image> {
        let record = self.record_of_last_hour(input, version).await?;
        let Account::Java(uuid) = record.profile.account else {
            return Err(ServiceError::NoSignature.into());
        };
        let state = &self.state;
        let interval = state.source.profile_interval(&record.profile.provider);
        let fresh = interval.max(state.config.fresh);
        let known = || {
            let known = state.signed.records.get(&uuid)?;
            let age = state.now().duration_since(known.looked_up_at).ok()?;
            (age < fresh).then_some(known)
        };
        let look_up = move |flow: Self| async move { flow.look_up_signed(uuid).await };
        let look_ups = &state.signed.look_ups;
        let signed = self.alone().share(look_ups, uuid, known, look_up).await?;
        Ok(Image::made(signed.json, JSON, signed.looked_up_at))
    }

    /// Returns the record of a player. An old one is not checked, because the provider would not
    /// serve the profile twice.
    async fn record_of_last_hour(
        &self,
        input: &str,
        version: Option<u64>,
    ) -> Result<Arc<PlayerRecord>> {
        let player = self.state.named(input)?;
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
        let deadline = self.deadline();
        let player = PlayerId::JavaUuid(uuid);
        let planned = state.source.calls_for(Target::Player(&player));
        let client = self.askers.first();
        let charged = state.rates.charge_calls(client, planned, deadline).await?;
        let limits = LookUp::until(deadline).after_recent_check();
        let call =
            move |source: &dyn SkinSource, look_up: &LookUp| source.signed_profile(uuid, look_up);
        let json = match self.call_source(limits, charged, call).await {
            Err(error) if is_about_one_profile(&error) => None,
            answer => answer?,
        };
        let signed = SignedProfile {
            json: json.ok_or(ServiceError::NoSignature)?,
            looked_up_at: state.now(),
        };
        state.signed.records.insert(uuid, signed.clone());
        Ok(signed)
    }
}
