//! The record of a player after a check that a client has asked for.

use super::{current::Current, requested::RequestedPlayer};
use crate::{error::Result, flow::Flow};

/// A player's record after a check.
pub(crate) struct Renewed {
    pub(crate) current: Current,
    /// `true` if skin, cape, model or name differ from the record before.
    pub(crate) changed: bool,
}

impl Flow {
    /// Checks a player, or looks up one of whom nothing is known.
    ///
    /// # Errors
    /// If there is no such player, or the check fails or is refused.
    pub(crate) async fn renewed(&self, player: &RequestedPlayer) -> Result<Renewed> {
        if let Some(local) = self.state.source.local(&player.id)
            && local.earlier.is_empty()
        {
            // A file in the folder shows at once, so there is nothing to check.
            return Ok(Renewed {
                current: Current::of_local(local, self.state.now()),
                changed: false,
            });
        }
        let known = self.known(&player.id).await;
        let found = match &known {
            Some(known) => self.record_after_check(player, known, None).await,
            None => self.look_up_newcomer(player).await,
        };
        let current = self.or_local(player, found.map(Current::up_to_date))?;
        let changed = match known {
            Some(known) => !known.record.shows_the_same(&current.record),
            None => true,
        };
        Ok(Renewed { current, changed })
    }
}
