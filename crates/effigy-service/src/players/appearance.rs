//! All that a picture shows of a player: the skin, the cape and the name.

use std::sync::Arc;

use effigy_player::{Edition, Model};
use effigy_render::{Cape, Player as DrawnPlayer};
use effigy_upstream::{Profile, TextureUrl, error_chain};

use super::{Player, fallback::Accepts, resolve::DecodedSkin};
use crate::{Fault, Image, Origin, error::Result, flow::Flow};

/// A skin that was drawn for this project. The game's own are not ours to distribute.
const BUILT_IN: &[u8] = include_bytes!("../../assets/built-in.png");

/// All that a picture shows of a player.
#[derive(Debug, Clone)]
pub(crate) struct Appearance {
    pub(crate) skin: Arc<DecodedSkin>,
    /// The name of a Java player, as the player writes it.
    name: Option<String>,
    /// The player's cape, and its file if the picture shows it.
    cape_url: Option<TextureUrl>,
    cape: Option<Image>,
    /// The origin of a picture of it.
    pub(crate) origin: Origin,
}

impl From<Arc<DecodedSkin>> for Appearance {
    /// A skin that nobody is known to wear.
    fn from(skin: Arc<DecodedSkin>) -> Self {
        Self {
            skin,
            name: None,
            cape_url: None,
            cape: None,
            origin: Origin::Render,
        }
    }
}

impl Appearance {
    /// The player of this profile in a skin.
    pub(super) fn of_player(
        player: &Player,
        profile: Option<&Arc<Profile>>,
        skin: Arc<DecodedSkin>,
    ) -> Self {
        let Some(profile) = profile else {
            return skin.into();
        };
        // That of a Bedrock player has no effect on pictures.
        let has_name = player.id.edition() == Edition::Java;
        let origin = match profile.is_certain {
            true => Origin::Render,
            false => Origin::OutageFallback,
        };
        Self {
            name: profile.name.clone().filter(|_| has_name),
            cape_url: profile.cape.clone(),
            origin,
            ..Self::from(skin)
        }
    }

    /// The built-in player, who is shown if an outage leaves nobody else.
    pub(crate) fn built_in() -> Self {
        let skin = DecodedSkin::decode(BUILT_IN, Model::Classic);
        let skin = Arc::new(skin.expect("the built-in texture is a skin"));
        Self::from(skin).with_origin(Origin::OutageFallback)
    }

    pub(crate) fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Decodes the cape. A file that is no cape is not shown.
    pub(crate) fn decode_cape(&self) -> Option<Cape> {
        let decoded = Cape::decode(&self.cape.as_ref()?.file.data);
        decoded
            .inspect_err(|error| tracing::debug!("a cape is not shown: {error}"))
            .ok()
    }

    /// Returns the player with the decoded cape.
    pub(crate) fn player<'a>(&'a self, cape: Option<&'a Cape>) -> DrawnPlayer<'a> {
        let name = self.name.as_deref().unwrap_or_default();
        let player = DrawnPlayer::new(&self.skin.skin).named(name);
        cape.map_or(player, |cape| player.with_cape(cape))
    }
}

impl Flow {
    /// Resolves what a picture shows, with the cape if it is in sight.
    ///
    /// A cape that is not available never fails the picture. If that may be because of an outage, the
    /// picture is not stored, and a stale one, which may show the cape, is better.
    pub(crate) async fn appearance(
        &self,
        player: &Player,
        shows_cape: bool,
        accepts: Accepts,
    ) -> Result<Appearance> {
        let shown = self.skin_or_fallback(player, accepts).await?;
        let url = match &shown.cape_url {
            Some(url) if shows_cape => url,
            _ => return Ok(shown),
        };
        match self.known_cape(url).await {
            Ok(file) => Ok(Appearance {
                cape: Some(file),
                ..shown
            }),
            Err(error) if error.fault() == Fault::NotFound => Ok(shown),
            Err(error) if accepts.stale || error.fault() == Fault::Limited => Err(error),
            Err(error) => {
                let reason = error_chain(&error);
                tracing::warn!("a picture is drawn without its cape: {reason}");
                Ok(shown.with_origin(Origin::OutageFallback))
            }
        }
    }
}
