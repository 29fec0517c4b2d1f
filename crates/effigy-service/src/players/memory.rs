//! The players that are remembered, and those that are stored.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_store::PlayerRow;
use quick_cache::sync::Cache;

use crate::{
    flow::Flow,
    player::{AccountKey, PlayerRecord, WornTextures, binding},
    service::State,
    single_flight::SingleFlight,
};

/// The players that are remembered.
const MAX_PLAYERS: usize = 50_000;

/// The interval at which the use of a player or a texture is written.
const USE_INTERVAL: Duration = Duration::from_secs(3600);

/// The players that are remembered, and their look-ups and checks in flight, which go on when all
/// callers have left.
pub(crate) struct PlayerMemory {
    /// The fingerprint of the chain of providers, to which the records belong.
    chain: String,
    ignores_case: bool,
    bindings: Cache<String, AccountKey>,
    records: Cache<AccountKey, Known>,
    pub(super) look_ups: SingleFlight<String, (Instant, Arc<PlayerRecord>)>,
    pub(super) checks: SingleFlight<AccountKey, Arc<PlayerRecord>>,
}

/// A remembered record.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) key: AccountKey,
    pub(crate) record: Arc<PlayerRecord>,
    /// The time at which its look-up began, if this process has made it.
    pub(super) begun: Option<Instant>,
    /// The hour of the last use that was written, since the epoch.
    used: Arc<AtomicU64>,
}

impl PlayerMemory {
    pub(crate) fn new(chain: String, ignores_case: bool) -> Self {
        Self {
            chain,
            ignores_case,
            bindings: Cache::new(MAX_PLAYERS),
            records: Cache::new(MAX_PLAYERS),
            look_ups: SingleFlight::that_outlive_callers(),
            checks: SingleFlight::that_outlive_callers(),
        }
    }

    /// The look-ups and checks in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.look_ups.len() + self.checks.len()
    }

    /// Returns the remembered record of a player.
    pub(crate) fn get(&self, player: &PlayerId) -> Option<Known> {
        let key = match AccountKey::of_id(player) {
            Some(key) => key,
            None => self.bindings.get(&self.binding(player))?,
        };
        self.records.get(&key)
    }

    /// Remembers a record, and the account of the player that it was found for.
    pub(super) fn insert(
        &self,
        player: &PlayerId,
        record: Arc<PlayerRecord>,
        begun: Option<Instant>,
    ) -> Known {
        let key = AccountKey::of(&record.profile, player);
        if AccountKey::of_id(player).is_none() {
            self.bindings.insert(self.binding(player), key.clone());
        }
        let earlier = self.records.peek(&key);
        let used = earlier.map_or_else(Arc::default, |known| known.used);
        let known = Known {
            key: key.clone(),
            record,
            begun,
            used,
        };
        self.records.insert(key, known.clone());
        known
    }

    /// Changes a remembered record, which stays as old as it is.
    fn change(&self, key: &AccountKey, change: impl FnOnce(&mut PlayerRecord)) -> Option<Known> {
        let mut known = self.records.peek(key)?;
        change(Arc::make_mut(&mut known.record));
        self.records.insert(key.clone(), known.clone());
        Some(known)
    }

    /// Remembers a version that the record of a player does not know.
    pub(super) fn remember_version(&self, player: &PlayerId, version: u64) {
        if let Some(known) = self.get(player) {
            self.change(&known.key, |record| record.remember_version(version));
        }
    }

    /// Forgets the account of a name, and the record if the account is gone.
    pub(super) fn forget(&self, player: &PlayerId, gone: Option<&AccountKey>) {
        self.bindings.remove(&self.binding(player));
        if let Some(key) = gone {
            self.records.remove(key);
        }
    }

    /// Returns the text by which a player is known here.
    pub(super) fn binding(&self, player: &PlayerId) -> String {
        binding(player, self.ignores_case)
    }

    /// Returns the key in the store of a name's account.
    pub(super) fn binding_key(&self, player: &PlayerId) -> String {
        format!("{}/{}", self.chain, self.binding(player))
    }

    /// Returns the key in the store of an account's record.
    pub(super) fn record_key(&self, key: &AccountKey) -> String {
        key.text(&self.chain)
    }
}

impl State {
    /// Records that a player is in use.
    pub(crate) fn use_player(&self, known: &Known, now: SystemTime) {
        let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let hour = since.as_secs() / USE_INTERVAL.as_secs();
        if known.used.swap(hour, Ordering::Relaxed) == hour {
            return;
        }
        let key = self.players.record_key(&known.key);
        self.files.use_player(key, now);
        for worn in [known.record.skin(), known.record.cape()]
            .into_iter()
            .flatten()
        {
            if let Some(id) = worn.id {
                self.files.use_texture(id);
            }
        }
    }

    /// Remembers and stores a record that was looked up or checked.
    pub(super) fn keep_record(&self, player: &PlayerId, record: Arc<PlayerRecord>, begun: Instant) {
        if !record.profile.is_certain || record.is_local() {
            return;
        }
        let earlier = self.players.get(player);
        let known = self
            .players
            .insert(player, Arc::clone(&record), Some(begun));
        let changed = earlier.is_none_or(|earlier| !earlier.record.shows_the_same(&record));
        self.store_record(&known, changed);
        if AccountKey::of_id(player).is_none() {
            let row = PlayerRow {
                key: self.players.binding_key(player),
                value: Bytes::from(known.key.short_text()),
                checked_at: record.checked_at,
                used_at: self.now(),
            };
            self.files.put_player(row, changed);
        }
    }

    /// Remembers and stores the files that a player wears.
    pub(crate) fn learn_textures(&self, key: &AccountKey, learn: impl FnOnce(&mut WornTextures)) {
        let changed = self
            .players
            .change(key, |record| learn(&mut record.textures));
        if let Some(known) = changed {
            self.store_record(&known, true);
        }
    }

    fn store_record(&self, known: &Known, changed: bool) {
        let row = PlayerRow {
            key: self.players.record_key(&known.key),
            value: known.record.to_bytes(),
            checked_at: known.record.checked_at,
            used_at: self.now(),
        };
        self.files.put_player(row, changed);
    }

    /// Forgets a player whom no provider knows.
    pub(super) fn forget_player(&self, player: &PlayerId) {
        let known = self.players.get(player);
        let key = known.map(|known| known.key);
        let now = self.now();
        self.players.forget(player, key.as_ref());
        if AccountKey::of_id(player).is_none() {
            self.files
                .delete_player(self.players.binding_key(player), now);
        }
        if let Some(key) = key.or_else(|| AccountKey::of_id(player)) {
            self.files.delete_player(self.players.record_key(&key), now);
        }
    }
}

impl Flow {
    /// Returns the record of a player, remembered or stored.
    pub(crate) async fn known(&self, player: &PlayerId) -> Option<Known> {
        if let Some(known) = self.state.players.get(player) {
            self.state.use_player(&known, self.state.now());
            return Some(known);
        }
        let key = match AccountKey::of_id(player) {
            Some(key) => key,
            None => self.stored_account(player).await?,
        };
        let record = self.stored_record(&key).await?;
        let known = self.state.players.insert(player, Arc::new(record), None);
        self.state.use_player(&known, self.state.now());
        Some(known)
    }

    /// Returns the account of a name in the store.
    async fn stored_account(&self, player: &PlayerId) -> Option<AccountKey> {
        let key = self.state.players.binding_key(player);
        let row = self.state.files.player(&key).await?;
        AccountKey::parse(std::str::from_utf8(&row.value).ok()?)
    }

    /// Returns the record of an account in the store.
    pub(super) async fn stored_record(&self, key: &AccountKey) -> Option<PlayerRecord> {
        let row = self
            .state
            .files
            .player(&self.state.players.record_key(key))
            .await?;
        PlayerRecord::from_bytes(&row.value, row.checked_at)
    }
}
