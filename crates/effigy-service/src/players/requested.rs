//! The player that the text of a request names.

use effigy_player::{BedrockPrefixes, InputError, PlayerId, lower_case};
use effigy_upstream::{TextureHash, UpstreamError};

use crate::ServiceError;

/// A player to be looked up.
#[derive(Debug, Clone)]
pub(crate) struct RequestedPlayer {
    pub(crate) id: PlayerId,
    /// The Java player who is meant if no Bedrock player has the gamertag.
    otherwise: Option<PlayerId>,
}

impl RequestedPlayer {
    /// Returns the player that an input names outside the specified routes.
    ///
    /// # Errors
    /// If it cannot name one.
    pub(crate) fn named(input: &str, prefixes: &BedrockPrefixes) -> Result<Self, ServiceError> {
        if TextureHash::parse(input).is_some() {
            return Err(ServiceError::InputIsTexture);
        }
        let named = prefixes.named_player(input)?;
        Ok(Self {
            id: named.id,
            otherwise: named.otherwise,
        })
    }

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
    pub(crate) fn java_player_after(&self, error: &ServiceError) -> Option<Self> {
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
