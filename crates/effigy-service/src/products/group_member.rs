//! The members of a picture of several players.

use effigy_player::Edition;

use crate::{
    Fault, ShelfLife,
    error::Result,
    outfit::{Outfit, appearance::Appearance},
    players::requested::RequestedPlayer,
};

/// A member of a group: a player or a texture, or the gap that one leaves.
#[derive(Clone)]
pub(super) struct Member {
    /// The text by which the request names the member.
    pub(super) input: String,
    /// The outfit of the player or of the substitute, or the reason why neither is shown.
    pub(super) shown: Result<Outfit>,
    /// The player or the texture that the input names, if it was found.
    pub(super) subject: Option<Subject>,
}

/// The player or the texture that an input names.
#[derive(Clone)]
pub(super) enum Subject {
    Player(RequestedPlayer),
    /// A texture by its hash, which has neither a name nor an edition.
    Texture,
}

/// A member with its files. One without an appearance leaves a gap.
pub(super) struct DressedMember {
    pub(super) label: String,
    pub(super) appearance: Option<Appearance>,
}

impl Member {
    /// Returns the name that the picture shows. A substitute, and a player whose name is not known,
    /// is labelled as the request has it. A texture has no name.
    pub(super) fn label(&self) -> String {
        match &self.subject {
            Some(Subject::Player(player)) => {
                let known = match &self.shown {
                    Ok(outfit) => outfit.name.as_deref(),
                    Err(_) => None,
                };
                let name = player.name_as_written(known);
                name.unwrap_or(&self.input).to_owned()
            }
            Some(Subject::Texture) => String::new(),
            None => self.input.clone(),
        }
    }

    /// Shows the outfit of a substitute if the member is not available.
    pub(super) fn show_instead(&mut self, outfit: &Outfit) {
        let Err(error) = &self.shown else {
            return;
        };
        if error.is_outage() {
            self.shown = Ok(Outfit {
                complete: false,
                shelf_life: ShelfLife::Revalidate,
                ..outfit.clone()
            });
        } else if error.fault() != Fault::Internal {
            self.shown = Ok(outfit.clone());
        }
    }

    /// Returns the edition for which the picture counts as a render.
    pub(super) fn edition(&self) -> Option<Edition> {
        match &self.subject {
            Some(Subject::Player(player)) => Some(player.id.edition()),
            Some(Subject::Texture) | None => None,
        }
    }

    /// Returns the rule by which clients may cache what shows the member.
    pub(super) fn shelf_life(&self) -> ShelfLife {
        match &self.shown {
            Ok(outfit) if self.subject.is_none() => outfit.shelf_life.max(ShelfLife::Short),
            Ok(outfit) => outfit.shelf_life,
            Err(error) if error.is_certain() => ShelfLife::Short,
            Err(_) => ShelfLife::Revalidate,
        }
    }

    /// Returns `true` unless what is shown may change when an outage is over.
    pub(super) fn is_complete(&self) -> bool {
        match &self.shown {
            Ok(outfit) => outfit.complete,
            Err(error) => error.is_certain(),
        }
    }

    pub(super) fn is_stale(&self) -> bool {
        self.shown.as_ref().is_ok_and(|outfit| outfit.stale)
    }
}

impl DressedMember {
    /// Returns `true` unless something is missing that the key names.
    pub(super) fn is_complete(&self) -> bool {
        match &self.appearance {
            Some(appearance) => appearance.is_complete,
            None => true,
        }
    }
}
