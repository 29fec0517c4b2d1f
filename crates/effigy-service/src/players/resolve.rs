//! The way from the text of a request to its player, with the current record.

use std::time::Duration;

use super::{current::Current, requested::RequestedPlayer};
use crate::{Fault, ServiceError, error::Result, flow::Flow};

/// A player with the current record.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) player: RequestedPlayer,
    pub(crate) current: Current,
    /// `true` if drawing was charged for the look-up.
    pub(crate) charged: bool,
}

/// The search for the player of a request.
struct Search<'a> {
    flow: &'a Flow,
    version: Option<u64>,
    drawing: Drawing,
}

/// The charge for drawing the player who is searched.
enum Drawing {
    /// Nothing is drawn.
    Nothing,
    /// Drawing costs this, and has not been charged.
    Uncharged(Duration),
    /// Drawing has been charged.
    Charged,
}

impl Flow {
    /// Returns the player that an input names outside the specified routes.
    ///
    /// # Errors
    /// If it cannot name one.
    pub(crate) fn requested_player(&self, input: &str) -> Result<RequestedPlayer, ServiceError> {
        RequestedPlayer::named(input, &self.state.config.bedrock_prefixes)
    }

    /// Returns the player that an input names, with the current record. If no Bedrock player has
    /// the gamertag, it is the Java player of the whole name, if there can be one.
    ///
    /// # Errors
    /// If there is no such player, or nothing is known of the player and the look-up fails.
    pub(crate) async fn resolved(&self, input: &str, version: Option<u64>) -> Result<Resolved> {
        let search = Search {
            flow: self,
            version,
            drawing: Drawing::Nothing,
        };
        search.resolve(input).await
    }

    /// Returns the player that an input names, for a picture that is drawn at this cost. The cost
    /// is charged before a player is looked up of whom nothing is known, because nothing stored can
    /// answer then.
    ///
    /// # Errors
    /// If there is no such player, the client is refused, or nothing is known of the player and the
    /// look-up fails.
    pub(crate) async fn resolved_for_drawing(
        &self,
        input: &str,
        version: Option<u64>,
        cost: Duration,
    ) -> Result<Resolved> {
        let search = Search {
            flow: self,
            version,
            drawing: Drawing::Uncharged(cost),
        };
        search.resolve(input).await
    }

    /// Returns the current record of a player.
    ///
    /// # Errors
    /// If there is no such player, or nothing is known of the player and the look-up fails.
    pub(crate) async fn current(&self, player: &RequestedPlayer) -> Result<Current> {
        let mut search = Search {
            flow: self,
            version: None,
            drawing: Drawing::Nothing,
        };
        search.current(player).await
    }
}

impl Search<'_> {
    async fn resolve(mut self, input: &str) -> Result<Resolved> {
        let player = self.flow.requested_player(input)?;
        let error = match self.current(&player).await {
            Ok(current) => return Ok(self.found(player, current)),
            Err(error) => error,
        };
        let Some(java) = player.java_player_after(&error) else {
            return Err(error);
        };
        match self.current(&java).await {
            Ok(current) => Ok(self.found(java, current)),
            // The name was meant for a Bedrock player.
            Err(failure) if failure.fault() == Fault::NotFound => Err(error),
            Err(failure) => Err(failure),
        }
    }

    /// Returns the current record of a player, and charges for drawing before a look-up.
    async fn current(&mut self, player: &RequestedPlayer) -> Result<Current> {
        let flow = self.flow;
        if let Some(current) = flow.remembered(&player.id, self.version) {
            return Ok(current);
        }
        let known = flow.known(&player.id).await;
        if known.is_none() && flow.state.source.local(&player.id).is_none() {
            self.charge_drawing()?;
        }
        flow.bring_up_to_date(player, known, self.version).await
    }

    /// Charges for drawing, if that is due.
    fn charge_drawing(&mut self) -> Result<()> {
        if let Drawing::Uncharged(cost) = self.drawing {
            self.flow.charge_drawing(cost)?;
            self.drawing = Drawing::Charged;
        }
        Ok(())
    }

    fn found(self, player: RequestedPlayer, current: Current) -> Resolved {
        Resolved {
            player,
            current,
            charged: matches!(self.drawing, Drawing::Charged),
        }
    }
}
