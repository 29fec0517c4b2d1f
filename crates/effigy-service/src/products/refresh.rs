//! Checks that a client asks for: `POST /v1/refresh/{player}`.

use std::time::SystemTime;

use serde_json::Value;

use crate::{Fault, error::Result, flow::Flow, players::requested::RequestedPlayer};

/// The answer to a refresh.
#[derive(Debug, Clone)]
pub struct Refreshed {
    /// The profile, as `/v1/profile` has it.
    pub profile: Value,
    /// The time of the last check.
    pub checked_at: SystemTime,
    /// `true` if skin, cape, model or name differ from the record before.
    pub changed: bool,
}

impl Flow {
    /// Checks the player that an input names, and returns the answer.
    pub(crate) async fn refresh(&self, input: &str) -> Result<Refreshed> {
        let player = self.requested_player(input)?;
        let error = match self.refresh_player(&player).await {
            Ok(refreshed) => return Ok(refreshed),
            Err(error) => error,
        };
        let Some(java) = player.java_player_after(&error) else {
            return Err(error);
        };
        match self.refresh_player(&java).await {
            // The name was meant for a Bedrock player.
            Err(failure) if failure.fault() == Fault::NotFound => Err(error),
            refreshed => refreshed,
        }
    }

    /// Checks a player, and returns the answer.
    async fn refresh_player(&self, player: &RequestedPlayer) -> Result<Refreshed> {
        let renewed = self.renewed(player).await?;
        let current = &renewed.current;
        let document = self.profile_document(player, current).await?;
        let profile = document.into_file(self.state.now());
        let profile = serde_json::from_slice(&profile.file.data);
        Ok(Refreshed {
            profile: profile.expect("it was just written"),
            checked_at: current.record.checked_at,
            changed: renewed.changed,
        })
    }
}
