//! Checks of known players, in the background and once for all who ask.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_player::PlayerId;
use effigy_store::TextureId;
use effigy_upstream::{
    Account, Fetched, LookUp, Profile, SkinSource, Target, TextureUrl, UpstreamError,
};

use super::Player;
use crate::{
    Fault,
    error::Result,
    flow::Flow,
    player::{AccountKey, PlayerRecord, WornTexture, WornTextures},
};

/// The age after which the account of a gamertag is looked up again. No profile of a Bedrock player
/// carries the gamertag, so a check does not confirm it.
const GAMERTAG_AGE: Duration = Duration::from_secs(3600);

/// The answer to a check: what the upstreams say, and the files that were fetched for it.
struct Answer {
    profile: Profile,
    textures: WornTextures,
    files: Vec<(TextureId, Vec<u8>)>,
}

impl Flow {
    /// Checks a record, once for all who ask. The check goes on when they leave.
    ///
    /// # Errors
    /// If the check is refused or fails, or if there is no such player any more.
    pub(super) async fn check(
        &self,
        player: &Player,
        record: Arc<PlayerRecord>,
        version: Option<u64>,
    ) -> Result<Arc<PlayerRecord>> {
        let flow = self.alone();
        let askers = flow.askers.clone();
        let key = AccountKey::of(&record.profile, &player.id);
        let id = player.id.clone();
        let check = async move { flow.check_alone(&id, &record, version).await };
        let checks = &self.state.players.checks;
        checks.run(&askers, key, || None, check).await
    }

    async fn check_alone(
        &self,
        player: &PlayerId,
        record: &Arc<PlayerRecord>,
        version: Option<u64>,
    ) -> Result<Arc<PlayerRecord>> {
        let state = &self.state;
        let begun = Instant::now();
        let interval = state.source.profile_interval(&record.profile.provider);
        if record.is_younger_than(interval, state.now()) {
            return Ok(Arc::clone(record));
        }
        if let Some(newer) = self.checked_by_a_replica(player, record, version).await {
            return Ok(newer);
        }
        let deadline = state.source.deadline();
        let target = Target::Known {
            profile: &record.profile,
            player,
        };
        let planned = state.source.calls_for(target);
        let client = self.askers.first();
        let charged = state.rates.charge_check(client, planned, deadline).await?;
        let known = Arc::clone(record);
        let id = player.clone();
        let ignores_case = state.ignores_case;
        let is_old = !record.is_younger_than(GAMERTAG_AGE, state.now());
        let call = move |source: &dyn SkinSource, look_up: &LookUp| {
            let profile = renewed(source, &known, &id, ignores_case, is_old, look_up)?;
            fetch_changes(source, profile, &known.textures, look_up)
        };
        let answer = match self
            .call_source(LookUp::until(deadline), charged, call)
            .await
        {
            Ok(answer) => answer,
            Err(error) => {
                if error.fault() == Fault::NotFound {
                    state.forget_player(player);
                }
                return Err(error);
            }
        };
        Ok(self.keep_answer(player, record, answer, version, begun))
    }

    /// Returns the record in the store, if another replica has checked it a moment ago.
    async fn checked_by_a_replica(
        &self,
        player: &PlayerId,
        record: &PlayerRecord,
        version: Option<u64>,
    ) -> Option<Arc<PlayerRecord>> {
        let state = &self.state;
        if !state.config.has_replicas {
            return None;
        }
        let key = AccountKey::of(&record.profile, player);
        let stored = self.stored_record(&key).await?;
        let is_new = version.is_some_and(|version| stored.is_new_version(version));
        let young = stored.is_younger_than(state.config.fresh, state.now());
        if is_new || !young || stored.checked_at <= record.checked_at {
            return None;
        }
        let stored = Arc::new(stored);
        state.players.insert(player, Arc::clone(&stored), None);
        Some(stored)
    }

    /// Remembers and stores the answer to a check.
    fn keep_answer(
        &self,
        player: &PlayerId,
        earlier: &PlayerRecord,
        answer: Answer,
        version: Option<u64>,
        begun: Instant,
    ) -> Arc<PlayerRecord> {
        let state = &self.state;
        for (id, file) in answer.files {
            state.keep_texture(id, file.into());
        }
        let mut record = PlayerRecord::new(answer.profile, answer.textures, state.now());
        if let Some(known) = state.players.get(player) {
            record.inherit_versions(&known.record);
        } else {
            record.inherit_versions(earlier);
        }
        if let Some(version) = version {
            record.remember_version(version);
        }
        let record = Arc::new(record);
        state.keep_record(player, Arc::clone(&record), begun);
        record
    }
}

/// Looks a known player up again. If the account has another name by now, the name that was asked
/// for may be another account's.
fn renewed(
    source: &dyn SkinSource,
    known: &PlayerRecord,
    player: &PlayerId,
    ignores_case: bool,
    is_old: bool,
    look_up: &LookUp,
) -> Result<Profile, UpstreamError> {
    let is_bedrock = matches!(known.profile.account, Account::Bedrock(_));
    if is_bedrock && is_old {
        return source.profile(player, look_up);
    }
    let profile = match source.renewed(&known.profile, player, look_up) {
        Ok(profile) => profile,
        // The name may belong to another account.
        Err(error) if !error.is_outage() && AccountKey::of_id(player).is_none() => {
            return source.profile(player, look_up);
        }
        Err(error) => return Err(error),
    };
    if let PlayerId::JavaName(name) = player {
        let current = profile.name.clone().map(PlayerId::JavaName);
        let current = current.map(|name| name.folded(ignores_case));
        let asked = PlayerId::JavaName(name.clone()).folded(ignores_case);
        if current.is_some_and(|current| current != asked) {
            return source.profile(player, look_up);
        }
    }
    Ok(profile)
}

/// Fetches the textures that have changed, of those that were fetched before.
fn fetch_changes(
    source: &dyn SkinSource,
    profile: Profile,
    known: &WornTextures,
    look_up: &LookUp,
) -> Result<Answer, UpstreamError> {
    let mut files = Vec::new();
    let skin_url = profile.skin.as_ref().map(|skin| &skin.texture);
    let skin = fetch_change(source, skin_url, known.skin.as_ref(), look_up, &mut files)?;
    let cape_url = profile.cape.as_ref();
    let cape = match fetch_change(source, cape_url, known.cape.as_ref(), look_up, &mut files) {
        // The file does not exist any more, so nobody wears it.
        Err(error) if matches!(error.status(), Some(404 | 410)) => {
            cape_url.map(|url| WornTexture::new(url, None, Default::default()))
        }
        fetched => fetched?,
    };
    Ok(Answer {
        profile,
        textures: WornTextures { skin, cape },
        files,
    })
}

/// Fetches a texture if it was fetched before and has changed.
fn fetch_change(
    source: &dyn SkinSource,
    url: Option<&TextureUrl>,
    known: Option<&WornTexture>,
    look_up: &LookUp,
    files: &mut Vec<(TextureId, Vec<u8>)>,
) -> Result<Option<WornTexture>, UpstreamError> {
    let (Some(url), Some(known)) = (url, known) else {
        return Ok(None);
    };
    if url.file().is_some() {
        return Ok(None);
    }
    let same_url = known.is_from(url);
    if same_url && url.is_immutable() {
        return Ok(Some(known.clone()));
    }
    let validators = same_url.then_some(&known.validators);
    match source.texture(url, validators, look_up)? {
        Fetched::Unchanged => Ok(Some(known.clone())),
        Fetched::File { file, validators } => {
            let id = TextureId::of(&file);
            files.push((id, file));
            Ok(Some(WornTexture::new(url, Some(id), validators)))
        }
    }
}
