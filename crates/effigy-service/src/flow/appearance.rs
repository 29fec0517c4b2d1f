//! Players as pictures show them: the skin, the cape and the name.

use std::sync::Arc;

use effigy_render::{Cape, Model, Player};
use effigy_upstream::{UpstreamError, warn_throttled};

use super::{cached::Admission, picture::ValidRequest};
use crate::{
    Endpoint, Fault, Fingerprint, Image, Origin, PlayerSkin, ServiceError, error::Shared,
    error::chain, request::key::Entry, service::Inner,
};

/// All that a picture shows of a player.
#[derive(Clone)]
pub(super) struct Appearance {
    pub(super) skin: Arc<PlayerSkin>,
    pub(super) cape_file: Option<Image>,
    /// The origin of a picture of it.
    pub(super) origin: Origin,
}

/// A skin that was drawn for this project. The game's own are not ours to distribute.
const BUILT_IN: &[u8] = include_bytes!("../../assets/built-in.png");

impl Appearance {
    /// The built-in player, who is shown if an outage leaves nobody else.
    pub(super) fn built_in() -> Self {
        let skin = PlayerSkin::of_texture(BUILT_IN.to_vec(), Model::Classic);
        Self {
            origin: Origin::OutageFallback,
            ..Self::of(skin.expect("the built-in texture is a skin"))
        }
    }

    /// A skin without a cape.
    pub(super) fn of(skin: PlayerSkin) -> Self {
        Self {
            origin: Origin::of(skin.origin),
            skin: Arc::new(skin),
            cape_file: None,
        }
    }

    /// Decodes the cape. A file that is no cape is not shown.
    pub(super) fn cape(&self) -> Option<Cape> {
        let decoded = Cape::decode(&self.cape_file.as_ref()?.file.data);
        decoded
            .inspect_err(|error| tracing::debug!("a cape is not shown: {error}"))
            .ok()
    }

    /// Returns the player with the decoded cape.
    pub(super) fn player<'a>(&'a self, cape: Option<&'a Cape>) -> Player<'a> {
        let player = Player::new(&self.skin.skin).named(self.skin.name.as_deref().unwrap_or(""));
        match cape {
            Some(cape) => player.with_cape(cape),
            None => player,
        }
    }
}

impl Inner {
    /// Resolves the skin of a request, and fetches the cape if the picture shows it.
    ///
    /// A cape that is not available never fails the picture. If that may be because of an outage, the
    /// picture is not stored, and a stale one, which may show the cape, is better.
    pub(super) async fn appearance_for(
        self: &Arc<Self>,
        request: &ValidRequest,
        has_stale: bool,
    ) -> Shared<Appearance> {
        let skin = self.skin_for(request, has_stale).await?;
        let mut origin = Origin::of(skin.origin);
        let mut cape_file = None;
        if let Some(url) = &skin.cape_url
            && request.params.shows_cape()
        {
            match self.cape_file(url).await {
                Ok(file) => cape_file = Some(file),
                Err(error) if error.fault() == Fault::NotFound => {}
                Err(error) if has_stale => return Err(error),
                Err(error) => {
                    warn_throttled!("a picture is drawn without its cape: {}", chain(&error));
                    origin = Origin::OutageFallback;
                }
            }
        }
        Ok(Appearance {
            skin,
            cape_file,
            origin,
        })
    }

    /// Returns the file of a cape. Many players wear the same one, so it is cached by its URL.
    async fn cape_file(self: &Arc<Self>, url: &str) -> Shared<Image> {
        let fingerprint = Fingerprint::of(url.as_bytes());
        let entry = Entry::new(Endpoint::CapeFile, fingerprint.as_str());
        let url = url.to_owned();
        let make = |inner: Arc<Self>, _| async move {
            let cape = inner.ask(move |source| source.cape(&url)).await;
            Ok(inner.file(cape.map_err(missing_cape)?, "image/png"))
        };
        // The permit of the cape is the permit of its picture.
        self.cached_or(entry, Admission::Nested, make).await
    }
}

/// An upstream that has no such file says something about the cape: it does not exist any more.
fn missing_cape(error: ServiceError) -> ServiceError {
    match error {
        ServiceError::Upstream(UpstreamError::Status {
            status: 404 | 410, ..
        }) => ServiceError::NoCape,
        error => error,
    }
}
