//! The members of a picture of several players.

use effigy_player::Edition;

use crate::{
    Failure, Fault, ShelfLife, Substitution,
    outfit::{Outfit, SubstituteOutfit, appearance::Appearance},
    players::requested::RequestedPlayer,
};

/// A member of a group.
#[derive(Clone)]
pub(super) struct Member {
    /// The text by which the request names the member.
    pub(super) input: String,
    pub(super) shown: Shown,
}

/// The part of a picture that shows a member.
#[derive(Clone)]
pub(super) enum Shown {
    /// The player or the texture that the input names.
    Found { subject: Subject, outfit: Outfit },
    /// A substitute, because the input's own player or texture is not available.
    Substitute(SubstituteOutfit),
    /// A gap, and the reason for it.
    Missing(Failure),
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
    /// `true` if the input's own player or texture is shown.
    pub(super) is_found: bool,
    pub(super) appearance: Option<Appearance>,
}

impl Member {
    /// Returns the name that the picture shows. A substitute, and a player whose name is not known,
    /// is labelled as the request has it. A texture has no name.
    pub(super) fn label(&self) -> String {
        match &self.shown {
            Shown::Found { subject, outfit } => match subject {
                Subject::Player(player) => {
                    let name = player.name_as_written(outfit.name.as_deref());
                    name.unwrap_or(&self.input).to_owned()
                }
                Subject::Texture => String::new(),
            },
            Shown::Substitute(_) | Shown::Missing(_) => self.input.clone(),
        }
    }

    /// Returns the outfit that is shown, or `None` for a gap.
    pub(super) const fn outfit(&self) -> Option<&Outfit> {
        match &self.shown {
            Shown::Found { outfit, .. } => Some(outfit),
            Shown::Substitute(substitute) => Some(&substitute.outfit),
            Shown::Missing(_) => None,
        }
    }

    /// Returns `true` if the input's own player or texture is shown.
    pub(super) const fn is_found(&self) -> bool {
        matches!(self.shown, Shown::Found { .. })
    }

    /// Returns who is shown instead of the member, if anybody is.
    pub(super) fn substitution(&self) -> Option<Substitution> {
        match &self.shown {
            Shown::Substitute(substitute) => Some(substitute.substitution),
            Shown::Found { .. } | Shown::Missing(_) => None,
        }
    }

    /// Shows a substitute if the member is not available.
    pub(super) fn show_instead(&mut self, substitute: &SubstituteOutfit) {
        let Shown::Missing(error) = &self.shown else {
            return;
        };
        if error.fault() == Fault::Internal {
            return;
        }
        let mut shown = substitute.clone();
        if error.is_outage() {
            shown.outfit.complete = false;
            shown.outfit.shelf_life = ShelfLife::Revalidate;
        }
        self.shown = Shown::Substitute(shown);
    }

    /// Returns the edition for which the picture counts as a render.
    pub(super) fn edition(&self) -> Option<Edition> {
        let Shown::Found { subject, .. } = &self.shown else {
            return None;
        };
        match subject {
            Subject::Player(player) => Some(player.id.edition()),
            Subject::Texture => None,
        }
    }

    /// Returns the rule by which clients may cache what shows the member.
    pub(super) fn shelf_life(&self) -> ShelfLife {
        match &self.shown {
            Shown::Found { outfit, .. } => outfit.shelf_life,
            Shown::Substitute(substitute) => {
                let shelf_life = substitute.outfit.shelf_life;
                shelf_life.stricter(ShelfLife::Short)
            }
            Shown::Missing(error) if error.is_certain() => ShelfLife::Short,
            Shown::Missing(_) => ShelfLife::Revalidate,
        }
    }

    /// Returns `true` unless what is shown may change when an outage is over.
    pub(super) fn is_complete(&self) -> bool {
        match &self.shown {
            Shown::Found { outfit, .. } => outfit.complete,
            Shown::Substitute(substitute) => substitute.outfit.complete,
            Shown::Missing(error) => error.is_certain(),
        }
    }

    pub(super) fn is_stale(&self) -> bool {
        self.outfit().is_some_and(|outfit| outfit.stale)
    }
}

impl DressedMember {
    /// Returns `true` if another player is shown instead.
    pub(super) const fn is_substitute(&self) -> bool {
        !self.is_found && self.appearance.is_some()
    }

    /// Returns `true` unless something is missing that the key names.
    pub(super) fn is_complete(&self) -> bool {
        match &self.appearance {
            Some(appearance) => appearance.is_complete,
            None => true,
        }
    }
}
