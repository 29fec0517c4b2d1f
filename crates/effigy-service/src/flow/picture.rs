//! The flow of a picture request. Spec, "Common rules" 6.

use std::sync::Arc;

use effigy_player::Model;

use super::{cached::Maker, step::Flow};
use crate::{
    Client, Fault, Image, Origin, PictureParams, PictureRequest, PlayerSkin, Service, ServiceError,
    Substitute,
    error::Shared,
    players::{Appearance, SkinId},
};

impl Service {
    /// Returns the picture if it is fresh in memory. It takes no task, no await, and no allocation.
    #[must_use]
    pub fn cached(&self, request: &PictureRequest) -> Option<Image> {
        // A cached picture also says that the request is valid.
        let key = request.key.current(&*self.state.source);
        self.state.memory.fresh(key.as_str(), self.now())
    }

    /// Returns the picture from a cache, or newly drawn. If it fails, it is that of the substitute, or of the
    /// built-in player if an outage leaves no substitute.
    ///
    /// # Errors
    /// If the player cannot be resolved or the picture cannot be drawn, or if the client is refused, but not
    /// if the database fails. Callers that wait for the same work share its error.
    pub async fn picture(&self, client: &Client, request: PictureRequest) -> Shared<Image> {
        let flow = self.flow(client);
        match (flow.picture(&request).await, &request.substitute) {
            (Err(error), Some(substitute)) if is_replaced(&error, substitute) => {
                flow.substitute(&request, substitute, &error).await
            }
            (own, _) => own,
        }
    }

    /// Draws the skin in `texture`. It takes its turn among all other pictures, and is neither stored nor counted.
    ///
    /// # Errors
    /// If the file is not a skin, the picture cannot be drawn, or the client is refused.
    pub async fn preview(
        &self,
        client: &Client,
        params: PictureParams,
        texture: Vec<u8>,
        model: Model,
    ) -> Result<Image, ServiceError> {
        if !params.can_exist() {
            return Err(ServiceError::TooLarge);
        }
        let appearance = move || {
            let skin = PlayerSkin::of_texture(texture, model)?;
            Ok(Appearance::new(Arc::new(skin)))
        };
        self.flow(client).draw(params, appearance).await
    }
}

impl Flow<'_> {
    /// Memory, database, player, count, drawing, memory and database.
    async fn picture(self, request: &PictureRequest) -> Shared<Image> {
        let request = &self.validate(request)?;
        let make = |maker: Maker, has_stale| async move {
            let player = self.appearance(request, has_stale).await?;
            // A picture of a texture has no edition. Spec, "Stats".
            if let SkinId::Player(player, _) = &request.skin {
                self.state.writer.count_render(player.edition());
            }
            maker.enter_queue();
            Ok(self.draw(request.params, || Ok(player)).await?)
        };
        self.cached_or(&request.key, make).await
    }

    /// Returns the picture of the substitute after this failure.
    async fn substitute(
        self,
        request: &PictureRequest,
        substitute: &Substitute,
        error: &ServiceError,
    ) -> Shared<Image> {
        let other = request.params.of_player(&substitute.player);
        match self.picture(&other.reusing_player()).await {
            Err(failure) if failure.is_outage() && substitute.in_outage => {
                let built_in = || Ok(Appearance::built_in());
                Ok(self.draw(request.params, built_in).await?)
            }
            // Clients must not show another player after the outage.
            other if error.is_outage() => Ok(other?.with_origin(Origin::OutageFallback)),
            other => other,
        }
    }
}

/// Returns `true` if the substitute is shown after this failure.
fn is_replaced(error: &ServiceError, substitute: &Substitute) -> bool {
    match error.fault() {
        Fault::Request | Fault::NotFound => true,
        Fault::Upstream | Fault::Overloaded => substitute.in_outage,
        Fault::Limited | Fault::Internal => false,
    }
}
