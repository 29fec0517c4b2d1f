//! All that a picture shows of a player: the skin, the cape and the name.

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::{Edition, Model};
use effigy_render::{Cape, Player as DrawnPlayer};
use effigy_upstream::{Profile, error_chain};

use super::{Player, fallback::Accepts, resolve::DecodedSkin};
use crate::{Fault, Origin, PictureParams, ServiceError, error::Result, flow::Flow};

/// A skin that was drawn for this project. The game's own are not ours to distribute.
const BUILT_IN: &[u8] = include_bytes!("../../assets/built-in.png");

/// The players with the game's own default skins.
const DEFAULT_PLAYERS: [&str; 2] = ["MHF_Steve", "MHF_Alex"];

/// All that a picture shows of a player.
#[derive(Debug, Clone)]
pub(crate) struct Appearance {
    pub(crate) skin: Arc<DecodedSkin>,
    /// The player, if it is known who wears it.
    profile: Option<Arc<Profile>>,
    /// The file of the player's cape, if the picture shows it.
    cape: Option<Bytes>,
    /// The origin of a picture of it.
    pub(crate) origin: Origin,
}

impl Appearance {
    pub(crate) fn new(skin: Arc<DecodedSkin>, profile: Option<Arc<Profile>>) -> Self {
        let is_certain = profile.as_ref().is_none_or(|profile| profile.is_certain);
        Self {
            skin,
            profile,
            cape: None,
            origin: Origin::of(is_certain),
        }
    }

    /// The built-in player, who is shown if nobody else is left.
    fn built_in() -> Self {
        let skin = DecodedSkin::decode(BUILT_IN, Model::Classic);
        let skin = Arc::new(skin.expect("the built-in texture is a skin"));
        Self::new(skin, None).with_origin(Origin::OutageFallback)
    }

    /// Returns the built-in player after this failure of a substitute: an outage, or a chain of providers that does not
    /// know the game's own default players.
    pub(crate) fn instead_of(substitute: &str, failure: &ServiceError) -> Option<Self> {
        match failure.fault() {
            Fault::NotFound if DEFAULT_PLAYERS.contains(&substitute) => {
                Some(Self::built_in().with_origin(Origin::Render))
            }
            _ => failure.is_outage().then(Self::built_in),
        }
    }

    pub(crate) fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Decodes the cape. A file that is no cape is not shown.
    pub(crate) fn decode_cape(&self) -> Option<Cape> {
        let decoded = Cape::decode(self.cape.as_ref()?);
        decoded
            .inspect_err(|error| tracing::debug!("a cape is not shown: {error}"))
            .ok()
    }

    /// Returns the player with the decoded cape.
    pub(crate) fn player<'a>(&'a self, cape: Option<&'a Cape>) -> DrawnPlayer<'a> {
        let profile = self.profile.as_ref();
        let name = profile.and_then(|profile| profile.name.as_deref());
        let name = name.unwrap_or_default();
        let player = DrawnPlayer::new(&self.skin.skin);
        // That of a Bedrock player has no effect on the look.
        let player = match profile.map(|profile| profile.account.edition()) {
            Some(Edition::Java) => player.named(name),
            _ => player.with_label(name),
        };
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
        params: PictureParams,
        has_stale: bool,
    ) -> Result<Appearance> {
        let accepts = Accepts {
            fallback: params.allows_fallback,
            stale: has_stale,
        };
        let shown = self.skin_or_fallback(player, accepts).await?;
        let profile = shown.profile.as_ref().filter(|_| params.shows_cape());
        let Some(url) = profile.and_then(|profile| profile.cape.as_ref()) else {
            return Ok(shown);
        };
        match self.cape(url).await {
            Ok(file) => Ok(Appearance {
                cape: Some(file),
                ..shown
            }),
            Err(error) if error.fault() == Fault::NotFound => Ok(shown),
            Err(error) if has_stale || error.fault() == Fault::Limited => Err(error),
            Err(error) => {
                let reason = error_chain(&error);
                tracing::warn!("a picture is drawn without its cape: {reason}");
                Ok(shown.with_origin(Origin::OutageFallback))
            }
        }
    }
}
