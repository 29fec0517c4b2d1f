//! Skins: from a player or a texture hash to a decoded texture.

use std::cell::Cell;

use effigy_player::{Model, PlayerId};
use effigy_render::Skin;
use effigy_upstream::{SkinOrigin, SkinSource, TextureHash, UpstreamError};

use crate::{PictureRequest, ServiceError, request::Subject};

/// The identity of a skin that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum SkinId {
    /// The skin of a player.
    Player(PlayerId),
    /// A texture on a model.
    Texture(TextureHash, Model),
}

impl SkinId {
    /// # Errors
    /// If the input can name no player.
    pub(crate) fn of(request: &PictureRequest) -> Result<Self, ServiceError> {
        Ok(match request.subject() {
            Subject::Player => Self::Player(PlayerId::detect(request.input())?),
            Subject::Texture(hash, model) => Self::Texture(hash.clone(), *model),
        })
    }

    /// Fetches and decodes the skin. Blocks.
    pub(crate) fn resolve(&self, source: &dyn SkinSource) -> Result<PlayerSkin, UpstreamError> {
        match self {
            Self::Player(player) => PlayerSkin::resolve(source, player),
            Self::Texture(hash, model) => {
                let texture = source.texture(hash)?;
                let skin = Skin::decode(&texture, *model);
                Ok(PlayerSkin {
                    skin: skin.map_err(|source| UpstreamError::Decode {
                        source: source.into(),
                    })?,
                    texture,
                    origin: SkinOrigin::Own,
                })
            }
        }
    }
}

/// A decoded skin with its texture file.
#[derive(Debug, Clone)]
pub struct PlayerSkin {
    /// The texture as the upstream sent it.
    pub texture: Vec<u8>,
    /// The decoded texture.
    pub skin: Skin,
    /// The player's own skin, or the reason for another one.
    pub origin: SkinOrigin,
}

impl PlayerSkin {
    /// Looks a player up and decodes the skin. Blocks.
    ///
    /// If the texture of a Bedrock player or the default skin of a Java player does not decode, the
    /// source's fallback skin takes its place.
    ///
    /// # Errors
    /// If the source fails, or the texture does not decode.
    pub fn resolve(source: &dyn SkinSource, player: &PlayerId) -> Result<Self, UpstreamError> {
        let decoded = Cell::new(None);
        let resolved = source.resolve_checked(player, &|found| {
            decoded.set(Some(Skin::decode(&found.texture, found.model)?));
            Ok(())
        })?;
        let skin = decoded.take();
        Ok(Self {
            skin: skin.expect("a source checks the skin that it returns"),
            texture: resolved.texture,
            origin: resolved.origin,
        })
    }
}
