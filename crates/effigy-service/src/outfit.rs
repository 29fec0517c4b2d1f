//! All that a picture shows of a player: the skin, which may be the fallback, the cape and the
//! name.
//!
//! An [`Outfit`] names the files by their hashes, which is enough for the key of a picture. An
//! [`Appearance`](appearance::Appearance) has the files themselves, which only drawing needs.

pub(crate) mod appearance;
mod files;
mod learned;
mod of_record;
mod specified;
mod substitute;

use effigy_player::{Edition, Model};
use effigy_store::TextureId;
use effigy_upstream::{TextureHash, TextureUrl};

use crate::{
    ShelfLife,
    players::current::Current,
    request::key::{Look, OutfitKey},
};

pub(crate) use self::substitute::SubstituteOutfit;

/// A skin that was drawn for this project. The game's own skins are not ours to distribute.
const BUILT_IN: &[u8] = include_bytes!("../assets/built-in.png");

/// Everything that a picture shows of a player.
#[derive(Debug, Clone)]
pub(crate) struct Outfit {
    pub(crate) skin: TextureRef,
    pub(crate) model: Option<Model>,
    /// The cape, if the picture shows it.
    pub(crate) cape: Option<TextureRef>,
    /// The name, if it is known.
    pub(crate) name: Option<String>,
    /// The edition of the account, if it is known.
    pub(crate) edition: Option<Edition>,
    /// `false` if something is missing or may be another player's, because of an outage.
    ///
    /// A picture is kept only if its outfit is complete and, once the files are loaded, its
    /// [`Appearance`](appearance::Appearance) is complete, too. The picture is
    /// [`Made::Complete`](crate::flow::Made::Complete) then.
    pub(crate) complete: bool,
    /// The rule by which clients may cache a picture of it.
    pub(crate) shelf_life: ShelfLife,
    /// `true` if the record is stale.
    pub(crate) stale: bool,
}

/// A reference to a texture: its hash, and the source of its file.
#[derive(Debug, Clone)]
pub(crate) struct TextureRef {
    pub(crate) id: TextureId,
    source: FileSource,
}

/// The place from which a file comes.
#[derive(Debug, Clone)]
enum FileSource {
    /// A URL that a profile or a client names.
    Url(TextureUrl),
    /// A provider's hash.
    Hash(TextureHash),
    /// A part of the program.
    BuiltIn,
}

impl Outfit {
    /// The outfit of a texture that nobody is known to wear.
    pub(crate) fn of_hash(hash: &TextureHash, id: TextureId, model: Option<Model>) -> Self {
        let skin = TextureRef {
            id,
            source: FileSource::Hash(hash.clone()),
        };
        Self {
            shelf_life: ShelfLife::Day,
            ..Self::unnamed(skin, model)
        }
    }

    /// The outfit of the texture at a URL that a client names.
    pub(crate) fn of_url(url: TextureUrl, id: TextureId, model: Option<Model>) -> Self {
        let skin = TextureRef {
            id,
            source: FileSource::Url(url),
        };
        Self::unnamed(skin, model)
    }

    /// Returns the outfit without the name, which has no effect on specified pictures.
    pub(crate) fn without_name(self) -> Self {
        Self { name: None, ..self }
    }

    /// The built-in player, who is shown if nobody else is left because of an outage.
    pub(crate) fn built_in() -> Self {
        let skin = TextureRef {
            id: TextureId::of(BUILT_IN),
            source: FileSource::BuiltIn,
        };
        Self {
            complete: false,
            shelf_life: ShelfLife::Revalidate,
            ..Self::unnamed(skin, Some(Model::Classic))
        }
    }

    /// The built-in player, who stands in for the game's own default players and skins if no
    /// provider knows them. They won't be known later, either.
    fn built_in_of_game() -> Self {
        Self {
            complete: true,
            shelf_life: ShelfLife::Short,
            ..Self::built_in()
        }
    }

    fn unnamed(skin: TextureRef, model: Option<Model>) -> Self {
        Self {
            skin,
            model,
            cape: None,
            name: None,
            edition: None,
            complete: true,
            shelf_life: ShelfLife::Usual,
            stale: false,
        }
    }

    /// The outfit of a record, in a skin of the same player or of another.
    fn of_record(current: &Current, skin: TextureRef, model: Option<Model>) -> Self {
        let profile = &current.record.profile;
        Self {
            name: profile.name.clone(),
            edition: Some(profile.account.edition()),
            complete: profile.is_certain,
            shelf_life: current.shelf_life(),
            stale: current.is_stale(),
            ..Self::unnamed(skin, model)
        }
    }

    /// Returns the part of a picture's key that names the outfit.
    pub(crate) fn key(&self) -> OutfitKey {
        OutfitKey {
            skin: self.skin.id,
            model: self.model,
            cape: self.cape.as_ref().map(|cape| cape.id),
            look: self.look(),
        }
    }

    /// Returns the effect of the name. Gamertags have no effect.
    fn look(&self) -> Look {
        match (&self.name, self.edition) {
            (Some(name), Some(Edition::Java)) => Look::of_name(name),
            _ => Look::Plain,
        }
    }
}
