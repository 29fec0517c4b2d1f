//! Records, as they are remembered, stored and forgotten.

use std::{
    sync::Arc,
    time::{Instant, SystemTime},
};

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_store::PlayerRow;

use super::{
    account_key::AccountKey,
    memory::{Known, NameUse},
    record::{LearnedTextures, PlayerRecord},
};
use crate::{flow::Flow, state::State};

impl State {
    /// Notes that a player is in use, and so are the textures that the player wears.
    pub(super) fn use_player(&self, player: &PlayerId, known: &Known, now: SystemTime) {
        if !known.must_write_use(now) {
            return;
        }
        let record_key = self.players.record_key(&known.key);
        self.files.use_player(record_key, now);
        if AccountKey::of_id(player).as_ref() != Some(&known.key) {
            self.files.use_player(self.players.binding_key(player), now);
        }
        if let Some(skin) = known.record.skin_id() {
            self.files.use_texture(skin);
        }
        if let Some(cape) = known.record.cape_id() {
            self.files.use_texture(cape);
        }
    }

    /// Remembers and stores a record that was looked up or checked.
    pub(super) fn keep_record(&self, player: &PlayerId, record: Arc<PlayerRecord>, begun: Instant) {
        if !record.profile.is_certain || record.is_local() {
            return;
        }
        let earlier = self.players.get(player);
        let changed = match earlier {
            Some(earlier) => !earlier.record.shows_the_same(&record),
            None => true,
        };
        let inserted = self.players.insert(player, record, Some(begun));
        self.store_record(&inserted.known, changed);
        match inserted.name_use {
            NameUse::Identifier => {}
            NameUse::Current => self.store_binding(player, &inserted.known, changed),
            // Memory has forgotten it on insertion.
            NameUse::Former => self.delete_binding(player),
        }
    }

    /// Stores the account of a name.
    fn store_binding(&self, player: &PlayerId, known: &Known, changed: bool) {
        let binding = PlayerRow {
            key: self.players.binding_key(player),
            value: Bytes::from(known.key.short_text()),
            checked_at: known.record.checked_at,
            used_at: self.now(),
        };
        self.files.put_player(binding, changed);
    }

    /// Remembers and stores the files that a player wears.
    pub(crate) fn learn_textures(
        &self,
        key: &AccountKey,
        learn: impl FnOnce(&mut LearnedTextures),
    ) {
        let changed = self
            .players
            .change(key, |record| learn(&mut record.textures));
        if let Some(known) = changed {
            self.store_record(&known, true);
        }
    }

    /// Remembers and stores a version that an account's record takes as known.
    pub(super) fn learn_version(&self, key: &AccountKey, version: u64) {
        let changed = self
            .players
            .change(key, |record| record.remember_version(version));
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

    /// Forgets a player whom no provider knows. The account of a name may have another name now.
    pub(super) fn forget_player(&self, player: &PlayerId) {
        self.players.forget_binding(player);
        self.delete_binding(player);
        if let Some(key) = AccountKey::of_id(player) {
            self.forget_account(&key);
        }
    }

    /// Deletes the account of a name from the store.
    fn delete_binding(&self, player: &PlayerId) {
        let key = self.players.binding_key(player);
        self.files.delete_player(key, self.now());
    }

    /// Forgets an account that does not exist any more.
    pub(super) fn forget_account(&self, key: &AccountKey) {
        self.players.forget_record(key);
        let record_key = self.players.record_key(key);
        self.files.delete_player(record_key, self.now());
    }
}

impl Flow {
    /// Returns the record of a player, remembered or stored.
    pub(crate) async fn known(&self, player: &PlayerId) -> Option<Known> {
        let known = match self.state.players.get(player) {
            Some(known) => known,
            None => self.stored_player(player).await?,
        };
        self.state.use_player(player, &known, self.state.now());
        Some(known)
    }

    /// Reads the record of a player from the store, and remembers it.
    async fn stored_player(&self, player: &PlayerId) -> Option<Known> {
        let record = match self.stored_by_identifier(player).await {
            Some(record) => Arc::new(record),
            None => self.stored_by_name(player).await?,
        };
        let players = &self.state.players;
        if !players.belongs_to(&record, player) {
            return None;
        }
        Some(players.insert(player, record, None).known)
    }

    async fn stored_by_identifier(&self, player: &PlayerId) -> Option<PlayerRecord> {
        let key = AccountKey::of_id(player)?;
        self.stored_record(&key).await
    }

    async fn stored_by_name(&self, player: &PlayerId) -> Option<Arc<PlayerRecord>> {
        let key = self.stored_account(player).await?;
        // The account may be remembered under another name, with a newer record.
        if let Some(record) = self.state.players.record(&key) {
            return Some(record);
        }
        let stored = self.stored_record(&key).await?;
        Some(Arc::new(stored))
    }

    /// Returns the account of a name in the store.
    async fn stored_account(&self, player: &PlayerId) -> Option<AccountKey> {
        let key = self.state.players.binding_key(player);
        let row = self.state.files.player(&key).await?;
        AccountKey::parse(std::str::from_utf8(&row.value).ok()?)
    }

    /// Returns the record of an account in the store.
    pub(super) async fn stored_record(&self, key: &AccountKey) -> Option<PlayerRecord> {
        let record_key = self.state.players.record_key(key);
        let row = self.state.files.player(&record_key).await?;
        PlayerRecord::from_bytes(&row.value, row.checked_at)
    }
}
