//! Requests that can succeed.

use effigy_player::PlayerId;

use crate::{
    PictureParams, PictureRequest, ServiceError, error::Shared, players::SkinId,
    request::key::CacheKey, state::State,
};

/// A request that can succeed: the picture can exist, and the input can name a player.
#[derive(Debug)]
pub(super) struct ValidRequest {
    pub(super) params: PictureParams,
    pub(super) skin: SkinId,
    pub(super) reuses_player: bool,
    pub(super) key: CacheKey,
}

impl State {
    /// Checks a request before anything is done for it.
    pub(super) fn validate(&self, request: &PictureRequest) -> Shared<ValidRequest> {
        let (params, key) = (request.params, self.current(&request.key));
        let skin = match &request.texture {
            _ if !params.can_exist() => Err(ServiceError::TooLarge),
            Some((hash, model)) => Ok(SkinId::Texture(hash.clone(), *model)),
            None => PlayerId::detect(key.input())
                .map(|player| SkinId::Player(player, key.revision))
                .map_err(ServiceError::Input),
        };
        match skin {
            Ok(skin) => Ok(ValidRequest {
                params,
                skin,
                reuses_player: request.reuses_player || self.config.player_ttl_everywhere,
                key,
            }),
            Err(error) => Err(self.failed(&key, error)),
        }
    }
}
