//! The flow of a picture of one player or texture. Spec, "Common rules" 6.

use std::sync::Arc;

use effigy_player::Model;
use effigy_upstream::TextureHash;

use super::{Flow, PNG};
use crate::{
    Fault, FileSpec, Image, Origin, PictureParams, ServiceError, Substitute,
    error::Result,
    players::{Appearance, Player},
};

impl Flow {
    /// Resolves the player, counts the render, and draws.
    pub(super) async fn picture(
        &self,
        params: PictureParams,
        player: &Player,
        has_stale: bool,
    ) -> Result<Image> {
        self.expect_to_draw(params)?;
        let shown = self.appearance(player, params, has_stale).await?;
        self.state.files.writer.count_render(player.id.edition());
        self.draw_or_copy(params, shown).await
    }

    /// Fetches the texture, and draws. Without a player the render has no edition to count for. Spec, "Stats".
    pub(super) async fn picture_of_texture(
        &self,
        params: PictureParams,
        hash: &TextureHash,
        model: Model,
    ) -> Result<Image> {
        self.expect_to_draw(params)?;
        let skin = self.skin_of_hash(hash.clone(), model).await?;
        self.draw_or_copy(params, Appearance::new(skin, None)).await
    }

    /// Checks that a picture can be drawn, before anything is done for it.
    fn expect_to_draw(&self, params: PictureParams) -> Result<()> {
        match params.can_exist() {
            true => Ok(self.client.expect_work()?),
            false => Err(ServiceError::TooLarge.into()),
        }
    }

    /// Draws what is shown. An unmodified texture takes no drawing.
    async fn draw_or_copy(&self, params: PictureParams, shown: Appearance) -> Result<Image> {
        match params.spec {
            Some(spec) => self.draw(params, spec, || Ok(shown)).await,
            None => Ok(self.new_file(shown.skin.texture.clone(), PNG, shown.origin)),
        }
    }

    /// Returns the picture of the substitute after this failure of the player's own, or that of the built-in player.
    pub(super) async fn substitute(
        &self,
        params: PictureParams,
        substitute: &Substitute,
        error: &ServiceError,
    ) -> Result<Image> {
        let other = Arc::new(FileSpec::Picture(params, substitute.player.clone().into()));
        let shown = match self.state.in_memory(&other) {
            Ok(image) => Ok(image),
            Err(key) => self.file(key, &other, true).await,
        };
        let instead = |failure| Appearance::instead_of(&substitute.player, failure);
        let shown = match shown.as_ref().err().and_then(|failure| instead(failure)) {
            Some(built_in) => self.draw_or_copy(params, built_in).await,
            None => shown,
        };
        match error.is_outage() {
            // Clients must not show another player after the outage.
            true => Ok(shown?.with_origin(Origin::OutageFallback)),
            false => Ok(shown?.lacking_player(true, self.now())),
        }
    }
}

impl Substitute {
    /// Returns `true` if the substitute is shown after this failure.
    pub(super) fn replaces(&self, error: &ServiceError) -> bool {
        match error.fault() {
            // The specified pictures of a missing Bedrock player need Steve.
            _ if matches!(error, ServiceError::NoFallback(_)) => true,
            Fault::Request | Fault::NotFound => true,
            Fault::Upstream | Fault::Overloaded => self.in_outage,
            Fault::Limited | Fault::Internal => false,
        }
    }
}
