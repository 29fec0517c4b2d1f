//! All that a picture shows of a player: the skin, which may be the fallback, the cape and the name.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use effigy_player::{Edition, Model};
use effigy_render::{Cape, Player as DrawnPlayer};
use effigy_upstream::{Profile, ProfileSkin, error_chain};

use super::{DecodedSkin, Player};
use crate::{
    Failure, Fault, Origin, PictureParams, ServiceError, error::Result, flow::Flow,
    request::AllowedSkin,
};
use ServiceError::{NoSkin, Uncertain, Upstream};

/// The Java player whose skin is the fallback.
pub(crate) const FALLBACK_PLAYER: &str = "Steve";

/// The share of the time of a look-up that is reserved for the fallback skin: a quarter.
const FALLBACK_SHARE: u32 = 4;

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
        let log = |error: &_| tracing::debug!("a cape is not shown: {error}");
        Cape::decode(self.cape.as_ref()?).inspect_err(log).ok()
    }

    /// Returns the name of the player, if it is known.
    pub(crate) fn name(&self) -> Option<&str> {
        self.profile.as_ref()?.name.as_deref()
    }

    /// Returns the player with the decoded cape.
    pub(crate) fn player<'a>(&'a self, cape: Option<&'a Cape>) -> DrawnPlayer<'a> {
        let name = self.name().unwrap_or_default();
        let player = DrawnPlayer::new(&self.skin.skin);
        // That of a Bedrock player has no effect on the look.
        let edition = |profile: &Arc<Profile>| profile.account.edition();
        let player = match self.profile.as_ref().map(edition) {
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
        let shown = self.skin_or_fallback(player, params.skin, has_stale);
        let shown = shown.await?;
        let shows_cape = params.spec.is_some_and(|spec| spec.has_cape);
        let profile = shown.profile.as_ref().filter(|_| shows_cape);
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

    /// Resolves the skin that is shown for a player. Spec, "Profile resolution".
    ///
    /// # Errors
    /// If the player's own is not available and the request allows no other, or if a stale picture is better.
    async fn skin_or_fallback(
        &self,
        player: &Player,
        allowed: AllowedSkin,
        has_stale: bool,
    ) -> Result<Appearance> {
        let (begin, end) = (Instant::now(), self.state.source.deadline());
        let reserve = end.saturating_duration_since(begin) / FALLBACK_SHARE;
        let end = |has_fallback| end - reserve * u32::from(has_fallback);
        let mut has_fallback = player.id.edition() == Edition::Bedrock;
        let mut known = None;
        let own = async {
            let profile = self.profile(player, end(has_fallback)).await?;
            let profile = known.insert(profile);
            // A Bedrock player may have set none.
            has_fallback |= profile.skin.as_ref().is_none_or(|worn| worn.is_default);
            let is_allowed = |worn: &&ProfileSkin| !worn.is_default || allowed > AllowedSkin::Own;
            let worn = profile.skin.as_ref().filter(is_allowed);
            if !profile.is_certain && (has_stale || worn.is_none()) {
                return Err(Uncertain.into());
            }
            let worn = worn.ok_or(NoSkin)?;
            let skin = self.skin(worn, player, end(has_fallback)).await?;
            Ok(Appearance::new(skin, Some(Arc::clone(profile))))
        };
        let own = own.await;
        let is_replaced = |error: &Failure| {
            let is_of_look_up = matches!(**error, Upstream(_) | Uncertain | NoSkin);
            let prefers_stale = has_stale && error.is_outage();
            has_fallback && allowed == AllowedSkin::Fallback && is_of_look_up && !prefers_stale
        };
        match own {
            Err(error) if is_replaced(&error) => self.fallback(known, &error, reserve).await,
            own => own,
        }
    }

    /// Resolves the fallback skin for a player whose own is not available because of `error`.
    async fn fallback(
        &self,
        profile: Option<Arc<Profile>>,
        error: &Failure,
        time: Duration,
    ) -> Result<Appearance> {
        let (skin, is_certain) = match self.fallback_skin(Instant::now() + time).await {
            Ok(found) => found,
            // A refusal belongs to the client.
            Err(failure) if failure.fault() == Fault::Limited => return Err(failure),
            // The chain does not know the game's own default players.
            Err(failure) if failure.fault() == Fault::NotFound => {
                (Appearance::built_in().skin, true)
            }
            Err(failure) => return Err(ServiceError::NoFallback(failure).into()),
        };
        let is_outage = error.is_outage();
        if is_outage {
            let reason = error_chain(error);
            tracing::warn!("the fallback skin is shown because of an outage: {reason}");
        }
        let shown = Appearance::new(skin, profile);
        // The fallback player may be another one, too.
        Ok(shown.with_origin(Origin::of(!is_outage && is_certain)))
    }

    /// Resolves the fallback skin. It is another player's if that is not certain.
    async fn fallback_skin(&self, deadline: Instant) -> Result<(Arc<DecodedSkin>, bool)> {
        let steve = self.player(FALLBACK_PLAYER, true)?;
        let profile = self.profile(&steve, deadline).await?;
        let worn = profile.skin.as_ref().ok_or(Uncertain)?;
        let skin = self.skin(worn, &steve, deadline).await?;
        Ok((skin, profile.is_certain))
    }
}
