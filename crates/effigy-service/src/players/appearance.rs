//! Players as pictures show them: the skin, the cape and the name.

use std::sync::Arc;

use effigy_player::Model;
use effigy_render::{Cape, Player};

use super::PlayerSkin;
use crate::{
    image::Image,
    image::{Origin, SkinOrigin},
};

/// All that a picture shows of a player.
#[derive(Debug, Clone)]
pub(crate) struct Appearance {
    pub(crate) skin: Arc<PlayerSkin>,
    pub(crate) cape: Option<Image>,
    /// The origin of a picture of it.
    pub(crate) origin: Origin,
}

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
        match cape {
            Some(cape) => player.with_cape(cape),
            None => player,
        }
    }
}
