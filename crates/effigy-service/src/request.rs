//! Picture requests: everything that a caller can ask for, and what follows from it.

pub(crate) mod arrangement;
pub(crate) mod endpoint;
pub(crate) mod key;
pub(crate) mod parameter;
pub(crate) mod params;

use effigy_player::Model;
use effigy_upstream::TextureHash;

use self::{key::Entry, params::PictureParams};
use crate::Endpoint;

/// A request for one picture of one player or texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureRequest {
    pub(crate) params: PictureParams,
    /// The texture and its model; otherwise the picture is of the player that the input names.
    pub(crate) texture: Option<(TextureHash, Model)>,
    pub(crate) reuses_player: bool,
    pub(crate) entry: Entry,
}

impl PictureRequest {
    fn new(
        params: PictureParams,
        texture: Option<(TextureHash, Model)>,
        prefix: &str,
        input: &str,
    ) -> Self {
        Self {
            params,
            texture,
            reuses_player: false,
            entry: params.entry_of(prefix, input),
        }
    }

    /// Returns the same request, which does not look its player up again within
    /// [`ServiceConfig::player_ttl`](crate::ServiceConfig::player_ttl).
    #[must_use]
    pub fn reusing_player(self) -> Self {
        Self {
            reuses_player: true,
            ..self
        }
    }

    /// The key of the picture in caches. Spec, "Common rules" 5.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.entry.key
    }

    /// The player's name or identifier as the caller gave it, or the hash of the texture.
    #[must_use]
    pub fn input(&self) -> &str {
        self.entry.input()
    }

    /// The parameters of the picture.
    #[must_use]
    pub const fn params(&self) -> PictureParams {
        self.params
    }

    /// The endpoint that names the picture in metrics, logs and error messages.
    #[must_use]
    pub const fn endpoint(&self) -> Endpoint {
        self.params.endpoint
    }
}
