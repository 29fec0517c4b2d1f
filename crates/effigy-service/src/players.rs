//! Players: who somebody is and what they wear, as it is remembered, stored, or looked up.
//!
//! A record that was checked a moment ago is used as it is. An older one is checked in the
//! background, for all who ask, and an answer waits for the check for a short time only. A player
//! without a record is looked up, which takes as long as it takes.

mod changes;
mod check;
mod keep;
mod look_up;
mod memory;
mod named;
pub(crate) mod record;
mod refresh;

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use effigy_player::PlayerId;
use effigy_upstream::LocalProfile;
use tokio::time::{timeout, timeout_at};

pub(crate) use self::look_up::is_about_one_profile;
pub(crate) use self::memory::{Known, PlayerMemory};
pub(crate) use self::named::{Player, Resolved};
pub use self::refresh::Refreshed;
use crate::{
    Fault, ServiceError, ShelfLife,
    error::Result,
    flow::Flow,
    players::record::{PlayerRecord, WornTexture, WornTextures},
};

/// The age of a record up to which an answer waits only [`SHORT_PATIENCE`] for a check, and after
/// which it is stale.
const STALE_AGE: Duration = Duration::from_secs(3600);

/// The longest wait for the check of a record that is not stale.
const SHORT_PATIENCE: Duration = Duration::from_millis(300);

/// The longest wait for the check of a record that is stale, or that a new version asks for.
const LONG_PATIENCE: Duration = Duration::from_secs(2);

/// The current record of a player, and how current it is.
#[derive(Debug, Clone)]
pub(crate) struct Current {
    pub(crate) record: Arc<PlayerRecord>,
    pub(crate) currency: Currency,
}

/// The currency of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Currency {
    /// It was checked a moment ago, or needs no check now.
    Checked,
    /// Its check has failed or was refused, but the last one is not long ago.
    Unconfirmed,
    /// A check goes on that was not waited for.
    Unchecked {
        /// `true` if the request has asked for the check.
        asked: bool,
    },
    /// It was last checked more than an hour ago.
    Stale,
    /// It comes from a file at hand, which may change at any time, or may be another player's,
    /// because a provider failed.
    Passing,
}

impl Current {
    /// The player of the folder of skins.
    fn of_local(local: LocalProfile, now: SystemTime) -> Self {
        Self {
            record: Arc::new(PlayerRecord::of_local(local, now)),
            currency: Currency::Passing,
        }
    }

    /// A record that was looked up or checked a moment ago.
    pub(crate) fn looked_up(record: Arc<PlayerRecord>) -> Self {
        let currency = if record.profile.is_certain && !record.is_local() {
            Currency::Checked
        } else {
            Currency::Passing
        };
        Self { record, currency }
    }

    /// Returns `true` if the record is stale.
    pub(crate) fn is_stale(&self) -> bool {
        self.currency == Currency::Stale
    }

    /// Returns the rule by which clients may cache what shows the record.
    pub(crate) const fn shelf_life(&self) -> ShelfLife {
        match self.currency {
            Currency::Checked | Currency::Unconfirmed => ShelfLife::Usual,
            Currency::Unchecked { asked: false } => ShelfLife::Unchecked,
            Currency::Stale => ShelfLife::Short,
            Currency::Unchecked { asked: true } | Currency::Passing => ShelfLife::Revalidate,
        }
    }

    /// Returns the time for which a picture waits for a cape that was never fetched, if it is
    /// limited: an upstream that hangs has already taken the time of the check.
    pub(crate) const fn cape_patience(&self) -> Option<Duration> {
        match self.currency {
            Currency::Checked | Currency::Passing => None,
            Currency::Unconfirmed => Some(SHORT_PATIENCE),
            Currency::Unchecked { .. } | Currency::Stale => Some(Duration::ZERO),
        }
    }
}

/// Waits for work until `end`.
///
/// # Errors
/// If the work fails, or is not done by then.
pub(crate) async fn timed<T>(work: impl Future<Output = Result<T>>, end: Instant) -> Result<T> {
    match timeout_at(end.into(), work).await {
        Ok(done) => done,
        Err(_) => Err(ServiceError::TookTooLong.into()),
    }
}

impl PlayerRecord {
    /// The record of a profile whose files are at hand.
    fn of_local(local: LocalProfile, now: SystemTime) -> Self {
        let worn = |url: Option<&effigy_upstream::TextureUrl>| {
            let url = url?;
            let id = url.file_sha256()?.into();
            Some(WornTexture::new(url, Some(id), Default::default()))
        };
        let profile = local.profile;
        let textures = WornTextures {
            skin: worn(profile.skin.as_ref().map(|skin| &skin.texture)),
            cape: worn(profile.cape.as_ref()),
        };
        Self::new(profile, textures, now)
    }

    /// Returns `true` if the skin is a file at hand, so that the record is never stored.
    pub(crate) fn is_local(&self) -> bool {
        let skin = self.profile.skin.as_ref();
        skin.is_some_and(|skin| skin.texture.file().is_some())
    }
}

impl Flow {
    /// Returns the record of a player if no check is due: remembered, or at hand. It neither waits
    /// nor calls.
    pub(crate) fn remembered(&self, player: &PlayerId, version: Option<u64>) -> Option<Current> {
        let state = &self.state;
        let now = state.now();
        if let Some(local) = state.source.local(player) {
            if !local.earlier.is_empty() {
                return None;
            }
            return Some(Current::of_local(local, now));
        }
        let known = state.players.get(player)?;
        let is_new = version.is_some_and(|version| {
            known.record.lacks_versions() || known.record.is_new_version(version)
        });
        if is_new || !known.record.is_younger_than(state.config.fresh, now) {
            return None;
        }
        state.use_player(player, &known, now);
        Some(Current {
            record: known.record,
            currency: Currency::Checked,
        })
    }

    /// Returns the current record of a player.
    ///
    /// # Errors
    /// If there is no such player, or nothing is known of the player and the look-up fails.
    pub(crate) async fn current(&self, player: &Player, version: Option<u64>) -> Result<Current> {
        if let Some(current) = self.remembered(&player.id, version) {
            return Ok(current);
        }
        let known = self.known(&player.id).await;
        self.current_of(player, known, version).await
    }

    /// Returns the current record of a player of whom this is known, so that a check or a look-up
    /// may be due.
    ///
    /// # Errors
    /// If there is no such player, or nothing is known of the player and the look-up fails.
    pub(crate) async fn current_of(
        &self,
        player: &Player,
        known: Option<Known>,
        version: Option<u64>,
    ) -> Result<Current> {
        let found = self.current_of_upstream(player, known, version).await;
        self.or_local(player, found)
    }

    /// Returns the player of the folder of skins instead of an upstream's answer, unless a provider
    /// that comes before the folder knows the player.
    fn or_local(&self, player: &Player, found: Result<Current>) -> Result<Current> {
        let Some(local) = self.state.source.local(&player.id) else {
            return found;
        };
        match found {
            Ok(found) if local.earlier.contains(&found.record.profile.provider) => Ok(found),
            Err(error) if error.fault() == Fault::Limited => Err(error),
            _ => Ok(Current::of_local(local, self.state.now())),
        }
    }

    /// Returns the current record of a player whom only an upstream knows.
    async fn current_of_upstream(
        &self,
        player: &Player,
        known: Option<Known>,
        version: Option<u64>,
    ) -> Result<Current> {
        let Some(known) = known else {
            let record = self.look_up(player, version, None).await?;
            return Ok(Current::looked_up(record));
        };
        let record = &known.record;
        let now = self.state.now();
        let config = &self.state.config;
        let new_version = version.filter(|version| record.is_new_version(*version));
        if let Some(version) = version
            && record.lacks_versions()
        {
            self.state.learn_version(&known.key, version);
        }
        if new_version.is_none() && record.is_younger_than(config.fresh, now) {
            return Ok(Current::looked_up(known.record));
        }
        if !record.is_younger_than(config.stale_if_error.max(STALE_AGE), now) {
            let newer = self.look_up(player, version, None).await?;
            return Ok(Current::looked_up(newer));
        }
        self.checked_in_time(player, known, new_version).await
    }

    /// Returns the record of a known player after a check, or the known record if the check fails
    /// or takes too long.
    async fn checked_in_time(
        &self,
        player: &Player,
        known: Known,
        new_version: Option<u64>,
    ) -> Result<Current> {
        let is_stale = !known.record.is_younger_than(STALE_AGE, self.state.now());
        let patience = if is_stale || new_version.is_some() {
            LONG_PATIENCE
        } else {
            SHORT_PATIENCE
        };
        let check = self.checked(player, &known, new_version);
        let currency = match timeout(patience, check).await {
            Ok(Ok(newer)) => return Ok(Current::looked_up(newer)),
            // It is an answer, not an outage.
            Ok(Err(error)) if error.fault() == Fault::NotFound => return Err(error),
            _ if is_stale => Currency::Stale,
            Ok(Err(_)) => Currency::Unconfirmed,
            Err(_) => Currency::Unchecked {
                asked: new_version.is_some(),
            },
        };
        Ok(Current {
            record: known.record,
            currency,
        })
    }

    /// Returns the record of a look-up that is in flight, or that began at `since` or later.
    pub(crate) async fn fresh(&self, player: &Player, since: Instant) -> Result<Arc<PlayerRecord>> {
        self.look_up(player, None, Some(since)).await
    }
}
