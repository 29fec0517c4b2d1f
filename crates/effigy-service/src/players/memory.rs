//! The players that are remembered.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use effigy_player::PlayerId;
use effigy_upstream::TextureUrl;
use parking_lot::Mutex;
use quick_cache::sync::Cache;

use super::{
    account_key::{AccountKey, binding},
    record::{LearnedTexture, PlayerRecord},
};
use crate::reuse::single_flight::SingleFlight;

/// The number of players that are remembered.
const MAX_PLAYERS: usize = 50_000;

/// The least time between two writes of a player's use, which include the textures.
const USE_INTERVAL: Duration = Duration::from_secs(3600);

/// The players that are remembered, and their look-ups and checks in flight, which go on when all
/// callers have left.
pub(crate) struct PlayerMemory {
    /// The fingerprint of the chain of providers, to which the records belong.
    chain: String,
    ignores_case: bool,
    /// The accounts of names and gamertags, and of the UUIDs that servers in offline mode compute
    /// from names.
    bindings: Cache<String, AccountKey>,
    records: Cache<AccountKey, Known>,
    /// Held while a record is replaced by a changed copy of it.
    changing: Mutex<()>,
    pub(super) look_ups: SingleFlight<String, Arc<PlayerRecord>>,
    pub(super) checks: SingleFlight<AccountKey, ()>,
    /// The fetches of files whose hashes a record does not know yet.
    pub(crate) learnings: SingleFlight<(AccountKey, TextureUrl), LearnedTexture>,
}

/// A remembered record.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) key: AccountKey,
    pub(crate) record: Arc<PlayerRecord>,
    /// The time at which its last look-up or check began, if this process has made it.
    pub(super) begun: Option<Instant>,
    /// The time of the last use that was written, in seconds since the epoch.
    used: Arc<AtomicU64>,
}

/// The relation of the text that names a player to the player's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameUse {
    /// It identifies the account, so nothing has to be remembered.
    Identifier,
    /// It is a name of the account, or an identifier that is not the account's own.
    Current,
    /// The account has another name by now, and this one may be another account's.
    Former,
}

/// A record that was remembered just now, and how the text that names its player relates to it.
pub(super) struct Inserted {
    pub(super) known: Known,
    pub(super) name_use: NameUse,
}

impl Known {
    /// Notes a use. Returns `true` if the store must learn of it, because the last use that was
    /// written is long ago.
    pub(super) fn must_write_use(&self, now: SystemTime) -> bool {
        let since_epoch = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let written = self.used.load(Ordering::Relaxed);
        if since_epoch.abs_diff(written) < USE_INTERVAL.as_secs() {
            return false;
        }
        self.used.store(since_epoch, Ordering::Relaxed);
        true
    }
}

impl PlayerMemory {
    pub(crate) fn new(chain: String, ignores_case: bool) -> Self {
        Self {
            chain,
            ignores_case,
            bindings: Cache::new(MAX_PLAYERS),
            records: Cache::new(MAX_PLAYERS),
            changing: Mutex::default(),
            look_ups: SingleFlight::that_outlive_callers(),
            checks: SingleFlight::that_outlive_callers(),
            learnings: SingleFlight::that_outlive_callers(),
        }
    }

    /// Returns the number of look-ups and checks in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.look_ups.len() + self.checks.len()
    }

    /// Returns the remembered record of a player. A record that carries another name by now does
    /// not answer for the old one.
    pub(crate) fn get(&self, player: &PlayerId) -> Option<Known> {
        let known = match self.by_identifier(player) {
            Some(known) => known,
            None => self.by_name(player)?,
        };
        if self.belongs_to(&known.record, player) {
            Some(known)
        } else {
            None
        }
    }

    fn by_identifier(&self, player: &PlayerId) -> Option<Known> {
        let key = AccountKey::of_id(player)?;
        self.records.get(&key)
    }

    /// Returns the record of a player who is known by a name, or by an identifier that is not the
    /// account's own.
    fn by_name(&self, player: &PlayerId) -> Option<Known> {
        let key = self.bindings.get(&self.binding(player))?;
        self.records.get(&key)
    }

    /// Returns the remembered record of an account.
    pub(super) fn of_account(&self, key: &AccountKey) -> Option<Known> {
        self.records.get(key)
    }

    /// Returns the remembered record of an account alone.
    pub(crate) fn record(&self, key: &AccountKey) -> Option<Arc<PlayerRecord>> {
        Some(self.records.get(key)?.record)
    }

    /// Returns `true` unless the player is asked for by a name, and the record carries another one.
    pub(super) fn belongs_to(&self, record: &PlayerRecord, player: &PlayerId) -> bool {
        record.may_have_name_of(player, self.ignores_case)
    }

    /// Returns the relation of the text that names a player to the account that was found.
    fn use_of_name(
        &self,
        player: &PlayerId,
        record: &PlayerRecord,
        account: &AccountKey,
    ) -> NameUse {
        if !self.belongs_to(record, player) {
            NameUse::Former
        } else if AccountKey::of_id(player).as_ref() == Some(account) {
            NameUse::Identifier
        } else {
            NameUse::Current
        }
    }

    /// Remembers the record of a player, and the account under the player's name.
    pub(super) fn insert(
        &self,
        player: &PlayerId,
        record: Arc<PlayerRecord>,
        begun: Option<Instant>,
    ) -> Inserted {
        let key = AccountKey::of(&record.profile, player);
        let name_use = self.use_of_name(player, &record, &key);
        match name_use {
            NameUse::Identifier => {}
            NameUse::Current => self.bindings.insert(self.binding(player), key.clone()),
            NameUse::Former => self.forget_binding(player),
        }
        let _changing = self.changing.lock();
        let earlier = self.records.peek(&key);
        let used = match earlier {
            Some(known) => known.used,
            None => Arc::default(),
        };
        let known = Known {
            key: key.clone(),
            record,
            begun,
            used,
        };
        self.records.insert(key, known.clone());
        Inserted { known, name_use }
    }

    /// Changes a remembered record without making it younger.
    pub(super) fn change(
        &self,
        key: &AccountKey,
        change: impl FnOnce(&mut PlayerRecord),
    ) -> Option<Known> {
        let _changing = self.changing.lock();
        let mut known = self.records.peek(key)?;
        change(Arc::make_mut(&mut known.record));
        self.records.insert(key.clone(), known.clone());
        Some(known)
    }

    /// Forgets the account of a name.
    pub(super) fn forget_binding(&self, player: &PlayerId) {
        self.bindings.remove(&self.binding(player));
    }

    /// Forgets the record of an account.
    pub(super) fn forget_record(&self, key: &AccountKey) {
        self.records.remove(key);
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
