//! Players: skins, capes and names.

use crate::skin::{Cape, Skin};

/// A player in a picture: a skin, perhaps with a cape and a name. A `&Skin` becomes a player with
/// nothing else.
#[derive(Debug, Clone, Copy)]
#[must_use]
#[non_exhaustive]
pub struct Player<'a> {
    /// The skin.
    pub skin: &'a Skin,
    /// The cape, whose texture may also have elytra.
    pub cape: Option<&'a Cape>,
    /// The name that groups and sheets can show.
    pub name: &'a str,
    /// `true` for ears like the ones of `deadmau5`.
    pub ears: bool,
    /// `true` for a player who is upside down, unless the specification says otherwise.
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
    ///
    /// The letters and signs of ASCII are drawn, and the letters of Western European languages,
    /// whose capitals lose their accents. Any other letter becomes a box. A name that is too long
    /// for its place is cut, and ends in three dots.
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
