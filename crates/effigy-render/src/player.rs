//! Players: skins with the cape and the name that change how they look.

use crate::skin::{Cape, Skin};

/// A player as pictures show it: a skin, and what goes with it. A `&Skin` is a player without a
/// cape.
#[derive(Debug, Clone, Copy)]
#[must_use]
#[non_exhaustive]
pub struct Player<'a> {
    /// The skin.
    pub skin: &'a Skin,
    /// The cape, which also has the elytra.
    pub cape: Option<&'a Cape>,
    /// The name that groups and sheets show.
    pub name: &'a str,
    /// `true` for ears like those of `deadmau5`.
    pub ears: bool,
    /// `true` for a player who stands on the head, unless the specification says otherwise.
    pub upside_down: bool,
}

impl<'a> Player<'a> {
    /// A player with nothing but a skin.
    pub const fn new(skin: &'a Skin) -> Player<'a> {
        Player {
            skin,
            cape: None,
            name: "",
            ears: false,
            upside_down: false,
        }
    }

    /// Puts this cape on the player.
    pub const fn with_cape(mut self, cape: &'a Cape) -> Player<'a> {
        self.cape = Some(cape);
        self
    }

    /// Gives the player the name of a Java profile, in its own spelling. The game shows `deadmau5`
    /// with ears, and `Dinnerbone` and `Grumm` upside down.
    pub fn named(mut self, name: &'a str) -> Player<'a> {
        self.ears = name == "deadmau5";
        self.upside_down = matches!(name, "Dinnerbone" | "Grumm");
        self.with_label(name)
    }

    /// Changes the name that groups and sheets show. It has no other effect.
    pub const fn with_label(mut self, name: &'a str) -> Player<'a> {
        self.name = name;
        self
    }
}

impl<'a> From<&'a Skin> for Player<'a> {
    fn from(skin: &'a Skin) -> Player<'a> {
        Player::new(skin)
    }
}
