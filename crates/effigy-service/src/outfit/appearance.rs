//! The textures of an outfit, ready for drawing.

use std::sync::Arc;

use bytes::Bytes;
use effigy_render::{Cape, Player};

use crate::{request::key::Look, textures::skin::DecodedSkin};

/// The textures of an outfit, and the effects of the name.
#[derive(Debug, Clone)]
pub(crate) struct Appearance {
    pub(crate) skin: Arc<DecodedSkin>,
    pub(super) cape: Option<Bytes>,
    pub(super) name: Option<String>,
    pub(super) look: Look,
    /// `false` if a file of the outfit is not available, or has changed since its hash was learned.
    pub(crate) is_complete: bool,
}

impl Appearance {
    /// The appearance of a skin that nobody is known to wear.
    pub(crate) const fn of_skin(skin: Arc<DecodedSkin>) -> Self {
        Self {
            skin,
            cape: None,
            name: None,
            look: Look::Plain,
            is_complete: true,
        }
    }

    /// Decodes the cape. A file that is no cape is not shown.
    pub(crate) fn decode_cape(&self) -> Option<Cape> {
        match Cape::decode(self.cape.as_ref()?) {
            Ok(cape) => Some(cape),
            Err(error) => {
                tracing::debug!("a cape is not shown: {error}");
                None
            }
        }
    }

    /// Returns the player with the decoded cape.
    pub(crate) fn player<'a>(&'a self, cape: Option<&'a Cape>) -> Player<'a> {
        let name = self.name.as_deref().unwrap_or_default();
        let mut player = Player::new(&self.skin.skin).with_label(name);
        match self.look {
            Look::Plain => {}
            Look::Ears => player.ears = true,
            Look::UpsideDown => player.upside_down = true,
        }
        match cape {
            Some(cape) => player.with_cape(cape),
            None => player,
        }
    }
}
