//! A player's record, and how current it is.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_upstream::LocalProfile;

use super::record::PlayerRecord;
use crate::ShelfLife;

/// The age of a record up to which an answer waits only [`SHORT_PATIENCE`] for a check, and after
/// which it is stale.
pub(super) const STALE_AGE: Duration = Duration::from_secs(3600);

/// The longest wait for the check of a record that is not stale.
pub(super) const SHORT_PATIENCE: Duration = Duration::from_millis(300);

/// The longest wait for the check of a record that is stale, or that a new version asks for.
pub(super) const LONG_PATIENCE: Duration = Duration::from_secs(2);

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
    /// A check has failed or was refused, but the last one that succeeded is not long ago.
    Unconfirmed,
    /// A check still goes on.
    Unchecked {
        /// `true` if the request has asked for the check.
        asked: bool,
    },
    /// It was last checked more than an hour ago.
    Stale {
        /// `true` if the request has asked for a check that still goes on.
        asked: bool,
    },
    /// It comes from the folder of skins, where it may change at any time, or it may be another
    /// player's, because a provider failed.
    Passing,
}

/// The reason why a check has no outcome for a request.
#[derive(Debug, Clone, Copy)]
pub(super) enum MissedCheck {
    /// It has failed or was refused.
    Failed,
    /// It takes longer than the request waits.
    GoesOn {
        /// `true` if the request has asked for the check.
        asked: bool,
    },
}

/// The wait of a picture for a cape that was never fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CapeWait {
    /// As long as a look-up may take.
    UntilDeadline,
    AtMost(Duration),
    /// No wait, and no fetch.
    No,
}

impl Currency {
    /// Returns the currency of a known record without the outcome of a check.
    pub(super) const fn without_check(missed: MissedCheck, is_stale: bool) -> Self {
        match missed {
            MissedCheck::Failed if is_stale => Self::Stale { asked: false },
            MissedCheck::Failed => Self::Unconfirmed,
            MissedCheck::GoesOn { asked } if is_stale => Self::Stale { asked },
            MissedCheck::GoesOn { asked } => Self::Unchecked { asked },
        }
    }
}

impl Current {
    /// The record of a player in the folder of skins.
    pub(super) fn of_local(local: LocalProfile, now: SystemTime) -> Self {
        Self {
            record: Arc::new(PlayerRecord::of_local(local, now)),
            currency: Currency::Passing,
        }
    }

    /// A record that needs no check now, because it is young enough or was just looked up or
    /// checked.
    pub(crate) fn up_to_date(record: Arc<PlayerRecord>) -> Self {
        let currency = if record.profile.is_certain && !record.is_local() {
            Currency::Checked
        } else {
            Currency::Passing
        };
        Self { record, currency }
    }

    /// Returns `true` if the record is stale.
    pub(crate) fn is_stale(&self) -> bool {
        matches!(self.currency, Currency::Stale { .. })
    }

    /// Returns the rule by which clients may cache what shows the record.
    pub(crate) const fn shelf_life(&self) -> ShelfLife {
        match self.currency {
            Currency::Checked | Currency::Unconfirmed => ShelfLife::Usual,
            Currency::Unchecked { asked: false } => ShelfLife::Unchecked,
            Currency::Stale { asked: false } => ShelfLife::Short,
            // A new version asks for the new look, so clients must not keep the old one.
            Currency::Unchecked { asked: true } | Currency::Stale { asked: true } => {
                ShelfLife::Revalidate
            }
            Currency::Passing => ShelfLife::Revalidate,
        }
    }

    /// Returns the wait of a picture for a cape that was never fetched.
    pub(crate) const fn cape_wait(&self) -> CapeWait {
        match self.currency {
            Currency::Checked | Currency::Passing => CapeWait::UntilDeadline,
            // The check has failed before its time was over, and the server of textures may work
            // although the provider of profiles does not.
            Currency::Unconfirmed => CapeWait::AtMost(SHORT_PATIENCE),
            // An upstream that hangs has already taken the time of the check.
            Currency::Unchecked { .. } | Currency::Stale { .. } => CapeWait::No,
        }
    }
}
