//! Players as pictures show them: the skin, the cape and the name.

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::Model;
use effigy_render::{Cape, Player, Skin, SkinError};
use effigy_upstream::TextureUrl;

use crate::{
    error::Shared,
    image::{Image, Origin, SkinOrigin},
};

/// A decoded skin with its texture file.
#[derive(Debug, Clone)]
pub struct PlayerSkin {
    /// The texture as the upstream sent it.
    pub texture: Bytes,
    /// The decoded texture.
    pub skin: Skin,
    /// The player's own skin, or the reason for another one.
    pub origin: SkinOrigin,
    /// The name of a Java player, as the player writes it.
    pub name: Option<String>,
    /// The player's cape, which is not fetched yet.
    pub cape: Option<TextureUrl>,
}

impl PlayerSkin {
    /// Decodes a texture that is worn as it is. Without a model, it is guessed.
    ///
    /// # Errors
    /// If the texture does not decode.
    pub fn of_texture(
        texture: impl Into<Bytes>,
        model: impl Into<Option<Model>>,
    ) -> Result<Self, SkinError> {
        let texture = texture.into();
        Ok(Self {
            skin: Skin::decode(&texture, model)?,
            texture,
            origin: SkinOrigin::Own,
            name: None,
            cape: None,
        })
    }
}

/// All that a picture shows of a player.
#[derive(Debug, Clone)]
pub(crate) struct Appearance {
    pub(crate) skin: Arc<PlayerSkin>,
    pub(crate) cape: Option<Image>,
    /// The origin of a picture of it.
    pub(crate) origin: Origin,
}

/// The players of one picture, or why one is missing.
pub(crate) type Appearances = Vec<Shared<Appearance>>;

/// A skin that was drawn for this project. The game's own are not ours to distribute.
const BUILT_IN: &[u8] = include_bytes!("../../assets/built-in.png");

impl Appearance {
    /// The built-in player, who is shown if an outage leaves nobody else.
    pub(crate) fn built_in() -> Self {
        let skin = PlayerSkin::of_texture(BUILT_IN, Model::Classic);
        Self {
            origin: Origin::OutageFallback,
            ..Self::new(Arc::new(skin.expect("the built-in texture is a skin")))
        }
    }

    /// A skin without a cape.
    pub(crate) fn new(skin: Arc<PlayerSkin>) -> Self {
        let origin = match skin.origin {
            SkinOrigin::Outage | SkinOrigin::Uncertain => Origin::OutageFallback,
            _ => Origin::Render,
        };
        Self {
            origin,
            skin,
            cape: None,
        }
    }

    /// Decodes the cape. A file that is no cape is not shown.
    pub(crate) fn decode_cape(&self) -> Option<Cape> {
        let decoded = Cape::decode(&self.cape.as_ref()?.file.data);
        decoded
            .inspect_err(|error| tracing::debug!("a cape is not shown: {error}"))
            .ok()
    }

    /// Returns the player with the decoded cape.
    pub(crate) fn player<'a>(&'a self, cape: Option<&'a Cape>) -> Player<'a> {
        let player = Player::new(&self.skin.skin).named(self.skin.name.as_deref().unwrap_or(""));
        cape.map_or(player, |cape| player.with_cape(cape))
    }
}
