//! The flow of a picture request. Spec, "Common rules" 6.

use crate::{
    Client, Fault, Image, Origin, PictureRequest, Service, ServiceError, Substitute,
    error::Shared,
    players::{Appearance, SkinId},
    state::State,
};

impl Service {
    /// Returns the picture if it is fresh in memory. It takes no task, no await, and no allocation.
    #[must_use]
    pub fn cached(&self, request: &PictureRequest) -> Option<Image> {
        // A cached picture also says that the request is valid.
        let (state, now) = (&self.state, self.now());
        match state.revision(&request.key) {
            None => state.memory.get(request.key(), now),
            Some(revision) => state.memory.get(request.key.at(revision).as_str(), now),
        }
    }

    /// Returns the picture from a cache, or newly drawn. If it fails, it is that of the substitute, or of the
    /// built-in player if an outage leaves no substitute.
    ///
    /// # Errors
    /// If the player cannot be resolved or the picture cannot be drawn, or if the client is refused, but not
    /// if the database fails. Callers that wait for the same work share its error.
    pub async fn picture(&self, client: &Client, request: PictureRequest) -> Shared<Image> {
        let own = self.state.picture(client, &request).await;
        match (own, &request.substitute) {
            (Err(error), Some(substitute)) if is_replaced(&error, substitute) => {
                let other = request.params.of_player(&substitute.player);
                let other = self.state.picture(client, &other.reusing_player()).await;
                match other {
                    Err(failure) if failure.is_outage() && substitute.in_outage => {
                        let built_in = || Ok(Appearance::built_in());
                        Ok(self.state.draw(client, request.params, built_in).await?)
                    }
                    // Clients must not show another player after the outage.
                    other if error.is_outage() => Ok(other?.with_origin(Origin::OutageFallback)),
                    other => other,
                }
            }
            (own, _) => own,
        }
    }
}

impl State {
    async fn picture(&self, client: &Client, request: &PictureRequest) -> Shared<Image> {
        let request = self.validate(request)?;
        let make = |maker: std::sync::Arc<super::cached::Maker>, has_stale| {
            let request = &request;
            async move {
                let player = self.appearance(client, request, has_stale).await?;
                self.count_render(&request.skin);
                maker.enter_queue();
                Ok(self.draw(client, request.params, || Ok(player)).await?)
            }
        };
        self.cached_or(client, &request.key, make).await
    }

    /// Counts a render of a player. Spec, "Stats". A picture of a texture has no edition.
    pub(super) fn count_render(&self, skin: &SkinId) {
        if let SkinId::Player(player, _) = skin {
            self.writer.count_render(player.edition());
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
