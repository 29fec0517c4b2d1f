//! From the text of a request to its player, with the current record.

use std::time::Duration;

use effigy_player::{InputError, PlayerId, lower_case};
use effigy_upstream::{TextureHash, UpstreamError};

use super::Current;
use crate::{Fault, ServiceError, error::Result, flow::Flow, service::State};

/// A player to be looked up.
#[derive(Debug, Clone)]
pub(crate) struct Player {
    pub(crate) id: PlayerId,
    /// The Java player who is meant if no Bedrock player has the gamertag.
    otherwise: Option<PlayerId>,
}

/// A player with the current record.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) player: Player,
    pub(crate) current: Current,
    /// `true` if drawing was charged for the look-up.
    pub(crate) charged: bool,
}

impl Player {
    /// Returns the player that an input names on a specified route.
    ///
    /// # Errors
    /// If it cannot name one.
    pub(crate) fn specified(input: &str) -> Result<Self, InputError> {
        Ok(Self {
            id: PlayerId::detect(input)?,
            otherwise: None,
        })
    }

    /// Returns the Java player of the whole name, if this failure says that no Bedrock player has
    /// the gamertag.
    pub(super) fn after(&self, error: &ServiceError) -> Option<Self> {
        let ServiceError::Upstream(UpstreamError::PlayerNotFound { .. }) = error else {
            return None;
        };
        Some(Self {
            id: self.otherwise.clone()?,
            otherwise: None,
        })
    }

    /// Returns the name to show. A gamertag is spelled as in the input, because the profile has the
    /// spelling of whoever asked first.
    pub(crate) fn name_as_written<'a>(&'a self, name: Option<&'a str>) -> Option<&'a str> {
        if let PlayerId::BedrockGamertag(tag) = &self.id
            && name.map(lower_case) == Some(lower_case(tag))
        {
            return Some(tag);
        }
        name
    }
}

impl State {
    /// Returns the player that an input names outside the specified routes.
    ///
    /// # Errors
    /// If it cannot name one.
    pub(crate) fn named(&self, input: &str) -> Result<Player, ServiceError> {
        if TextureHash::parse(input).is_some() {
            return Err(ServiceError::InputIsTexture);
        }
        let named = self.config.bedrock_prefixes.named_player(input)?;
        Ok(Player {
            id: named.id,
            otherwise: named.otherwise,
        })
    }
}

impl Flow {
    /// Returns the player that an input names, with the current record. If no Bedrock player has the
    /// gamertag, it is the Java player of the whole name, if there can be one.
    ///
    /// # Errors
    /// If there is no such player, or nothing is known of the player and the look-up fails.
    pub(crate) async fn resolved(&self, input: &str, version: Option<u64>) -> Result<Resolved> {
        self.resolved_at_cost(input, version, None).await
    }

    /// Returns the player that an input names, for a picture that is drawn at this cost. It is
    /// charged before a player is looked up of whom nothing is known, because nothing stored can
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
        self.resolved_at_cost(input, version, Some(cost)).await
    }

    async fn resolved_at_cost(
        &self,
        input: &str,
        version: Option<u64>,
        cost: Option<Duration>,
    ) -> Result<Resolved> {
        let player = self.state.named(input)?;
        let mut charged = false;
        let found = self.current_or_charge(&player, version, cost, &mut charged);
        let error = match found.await {
            Ok(current) => {
                return Ok(Resolved {
                    player,
                    current,
                    charged,
                });
            }
            Err(error) => error,
        };
        let Some(java) = player.after(&error) else {
            return Err(error);
        };
        let found_instead = self.current_or_charge(&java, version, cost, &mut charged);
        match found_instead.await {
            Ok(current) => Ok(Resolved {
                player: java,
                current,
                charged,
            }),
            // The name was meant for a Bedrock player.
            Err(failure) if failure.fault() == Fault::NotFound => Err(error),
            Err(failure) => Err(failure),
        }
    }

    /// Returns the current record of a player. Drawing at a cost is charged before the player is
    /// looked up, unless it was.
    async fn current_or_charge(
        &self,
        player: &Player,
        version: Option<u64>,
        cost: Option<Duration>,
        charged: &mut bool,
    ) -> Result<Current> {
        if let Some(current) = self.remembered(&player.id, version) {
            return Ok(current);
        }
        let known = self.known(&player.id).await;
        if let Some(cost) = cost
            && !*charged
            && known.is_none()
            && self.state.source.local(&player.id).is_none()
        {
            self.charge_drawing(cost)?;
            *charged = true;
        }
        self.current_of(player, known, version).await
    }
}
