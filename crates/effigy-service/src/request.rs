//! Picture requests: everything that a caller can ask for, and what follows from it.

pub(crate) mod endpoint;
pub(crate) mod group;
pub(crate) mod key;
pub(crate) mod params;

use std::borrow::Cow;

use effigy_player::Model;
use effigy_upstream::TextureHash;

use self::{key::CacheKey, params::PictureParams};

/// A request for one picture of one player or texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureRequest {
    /// The parameters of the picture.
    pub params: PictureParams,
    /// The texture and its model; otherwise the picture is of the player that the input names.
    pub(crate) texture: Option<(TextureHash, Model)>,
    pub(crate) reuses_player: bool,
    /// The player who is shown if the requested one is not available. In an outage of both it is the built-in player.
    pub substitute: Option<Substitute>,
    pub(crate) key: CacheKey,
}

/// The player who is shown instead of a requested one who does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitute {
    /// The player's name or identifier.
    pub player: Cow<'static, str>,
    /// `true` if the substitute is shown during an outage too.
    pub in_outage: bool,
}

impl PictureParams {
    /// The request for this picture of the player that `input` names.
    #[must_use]
    pub fn of_player(self, input: &str) -> PictureRequest {
        PictureRequest {
            params: self,
            texture: None,
            reuses_player: false,
            substitute: None,
            key: self.key_of("", input),
        }
    }

    /// The request for this picture of a texture, drawn on `model`.
    #[must_use]
    pub fn of_texture(self, hash: TextureHash, model: Model) -> PictureRequest {
        let prefix = match model {
            Model::Classic => "x-classic-",
            Model::Slim => "x-slim-",
        };
        let key = self.key_of(prefix, hash.as_str()).showing(Vec::new());
        PictureRequest {
            texture: Some((hash, model)),
            key,
            ..self.of_player("")
        }
    }
}

impl PictureRequest {
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
        self.key.as_str()
    }

    /// The player's name or identifier as the caller gave it, or the hash of the texture.
    #[must_use]
    pub fn input(&self) -> &str {
        self.key.input()
    }
}
