//! The outfit that is shown instead of a player's own.

use super::Outfit;
use crate::{Fault, ServiceError, SubstitutePlayer, Substitution};

/// The outfit of a substitute.
#[derive(Debug, Clone)]
pub(crate) struct SubstituteOutfit {
    pub(crate) outfit: Outfit,
    pub(crate) substitution: Substitution,
}

impl SubstituteOutfit {
    /// The outfit of the substitute that a request names.
    pub(crate) const fn by_default(outfit: Outfit) -> Self {
        Self {
            outfit,
            substitution: Substitution::Default,
        }
    }

    /// Returns the built-in player after this failure of a substitute: an outage, or a chain of
    /// providers that does not know the game's own default players or skins.
    pub(crate) fn built_in(substitute: &SubstitutePlayer, failure: &ServiceError) -> Option<Self> {
        if failure.fault() == Fault::NotFound && substitute.is_of_game() {
            return Some(Self::by_default(Outfit::built_in_of_game()));
        }
        if !failure.is_outage() {
            return None;
        }
        // After the outage, the substitute itself is shown.
        Some(Self {
            outfit: Outfit::built_in(),
            substitution: Substitution::Fallback,
        })
    }
}
