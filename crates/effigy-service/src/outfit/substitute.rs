//! The outfit that is shown instead of a player's own.

use super::Outfit;
use crate::{Fault, ServiceError, ShelfLife, SubstitutePlayer, Substitution};

/// The players with the game's own default skins.
const DEFAULT_PLAYERS: [&str; 2] = ["MHF_Steve", "MHF_Alex"];

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
        if failure.fault() == Fault::NotFound && is_of_game(substitute) {
            return Some(Self::by_default(Outfit {
                complete: true,
                shelf_life: ShelfLife::Short,
                ..Outfit::built_in()
            }));
        }
        if !failure.is_outage() {
            return None;
        }
        Some(Self {
            outfit: Outfit::built_in(),
            substitution: Substitution::Fallback,
        })
    }
}

/// Returns `true` for a substitute that every player of the game knows.
fn is_of_game(substitute: &SubstitutePlayer) -> bool {
    match substitute {
        SubstitutePlayer::Named(name) => DEFAULT_PLAYERS.contains(&&**name),
        SubstitutePlayer::DefaultSkin => true,
    }
}
