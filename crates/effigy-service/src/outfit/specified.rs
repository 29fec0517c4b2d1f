//! The outfit on specified routes, where the fallback skin may be shown. Spec, "Profile
//! resolution".

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_player::{Edition, FALLBACK_PLAYER};
use effigy_upstream::error_chain;

use super::Outfit;
use crate::{
    Failure, Fault, PictureParams, ServiceError, ShelfLife,
    error::Result,
    flow::Flow,
    players::{current::Current, record::PlayerRecord, requested::RequestedPlayer},
};

/// The share of the time of a look-up that is reserved for the fallback skin: a quarter.
const FALLBACK_SHARE: u32 = 4;

/// The result of the look-up of a player: the player's own outfit, and the record, if there is one.
struct Own {
    outfit: Result<Outfit>,
    record: Option<Arc<PlayerRecord>>,
}

impl Flow {
    /// Looks a player up anew, and returns what a picture shows: the player's own skin, or the
    /// fallback.
    ///
    /// # Errors
    /// If neither is available.
    pub(crate) async fn specified_outfit(
        &self,
        player: &RequestedPlayer,
        params: &PictureParams,
    ) -> Result<Outfit> {
        let begun = Instant::now();
        let end = self.state.source.deadline();
        let reserve = end.saturating_duration_since(begun) / FALLBACK_SHARE;
        let own = self.own_outfit(player, params, end - reserve).await;
        let error = match own.outfit {
            Ok(outfit) => return Ok(outfit),
            Err(error) => error,
        };
        if has_fallback(player, own.record.as_deref()) && is_of_look_up(&error) {
            return self.fallback(params, &error, reserve).await;
        }
        Err(error)
    }

    /// Looks a player up, and returns the player's own outfit. If there is a fallback, it is
    /// awaited no longer than until `end`.
    async fn own_outfit(
        &self,
        player: &RequestedPlayer,
        params: &PictureParams,
        end: Instant,
    ) -> Own {
        let look_up = |flow: Self| async move { flow.fresh(player).await };
        let found = if has_fallback(player, None) {
            self.finish_by(end, look_up).await
        } else {
            look_up(self.clone()).await
        };
        let record = match found {
            Ok(record) => record,
            Err(error) => {
                return Own {
                    outfit: Err(error),
                    record: None,
                };
            }
        };
        let current = &Current::up_to_date(Arc::clone(&record));
        let dress = |flow: Self| async move { flow.drawable_outfit(player, current, params).await };
        let outfit = if has_fallback(player, Some(&record)) {
            self.finish_by(end, dress).await
        } else {
            dress(self.clone()).await
        };
        Own {
            outfit,
            record: Some(record),
        }
    }

    /// Returns the fallback skin for a player whose own is not available because of `error`.
    async fn fallback(
        &self,
        params: &PictureParams,
        error: &Failure,
        time: Duration,
    ) -> Result<Outfit> {
        let end = Instant::now() + time;
        let look_up = |flow: Self| async move { flow.fallback_outfit(params).await };
        let mut outfit = match self.finish_by(end, look_up).await {
            Ok(outfit) => outfit,
            // A refusal belongs to the client.
            Err(failure) if failure.fault() == Fault::Limited => return Err(failure),
            // The chain does not know the game's own default players.
            Err(failure) if is_unknown(&failure) => Outfit::built_in_of_game(),
            Err(failure) => return Err(ServiceError::NoFallback(failure).into()),
        };
        if error.is_outage() {
            let reason = error_chain(error);
            tracing::warn!("the fallback skin is shown because of an outage: {reason}");
            outfit.complete = false;
        }
        outfit.cape = None;
        if !outfit.complete {
            outfit.shelf_life = ShelfLife::Revalidate;
        }
        Ok(outfit)
    }

    /// Returns the outfit of the fallback player. A remembered record that needs no check will do.
    async fn fallback_outfit(&self, params: &PictureParams) -> Result<Outfit> {
        let steve = RequestedPlayer::specified(FALLBACK_PLAYER)?;
        let current = match self.remembered(&steve.id, None) {
            Some(current) => current,
            None => Current::up_to_date(self.fresh(&steve).await?),
        };
        self.drawable_outfit(&steve, &current, params).await
    }

    /// Returns what a picture shows of a record, if the skin can be drawn.
    async fn drawable_outfit(
        &self,
        player: &RequestedPlayer,
        current: &Current,
        params: &PictureParams,
    ) -> Result<Outfit> {
        let outfit = self.outfit(player, current, params).await?;
        self.skin_in(&outfit).await?;
        Ok(outfit)
    }
}

/// Returns `true` if the fallback skin may be shown for a player: a Bedrock player, or a Java
/// player whose default skin is not available.
fn has_fallback(player: &RequestedPlayer, record: Option<&PlayerRecord>) -> bool {
    if player.id.edition() == Edition::Bedrock {
        return true;
    }
    let Some(record) = record else {
        return false;
    };
    match &record.profile.skin {
        Some(skin) => skin.is_default,
        None => true,
    }
}

/// Returns `true` if no provider knows a player.
fn is_unknown(error: &ServiceError) -> bool {
    match error {
        ServiceError::Upstream(error) => !error.is_outage(),
        _ => false,
    }
}

/// Returns `true` for failures that say that a look-up has found no skin.
fn is_of_look_up(error: &ServiceError) -> bool {
    matches!(
        error,
        ServiceError::Upstream(_)
            | ServiceError::Uncertain
            | ServiceError::NoSkin
            | ServiceError::TookTooLong
    )
}
