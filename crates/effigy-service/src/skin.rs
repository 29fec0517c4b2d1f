//! Skins: from a player or a texture hash to a decoded texture.

use std::error::Error;

use effigy_player::{Edition, Model, PlayerId};
use effigy_render::{Skin, SkinError};
use effigy_upstream::{ResolvedSkin, SkinOrigin, SkinSource, TextureHash, UpstreamError};

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
            Self::Texture(hash, model) => PlayerSkin::decode(ResolvedSkin {
                texture: source.texture(hash)?,
                model: *model,
                origin: SkinOrigin::Own,
            }),
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
        let resolved = source.resolve(player)?;
        let may_fall_back = matches!(
            (player.edition(), resolved.origin),
            (Edition::Bedrock, SkinOrigin::Own) | (Edition::Java, SkinOrigin::DefaultSkin)
        );
        match Self::decode(resolved) {
            Err(error) if may_fall_back => {
                // The fallback hides the failure from the caller, so the log has to tell it.
                let error: &(dyn Error + 'static) = &error;
                tracing::warn!(error, "the fallback skin is shown because of an outage");
                Self::decode(source.fallback()?)
            }
            decoded => decoded,
        }
    }

    fn decode(resolved: ResolvedSkin) -> Result<Self, UpstreamError> {
        let decode_error = |source: SkinError| UpstreamError::Decode {
            source: source.into(),
        };
        Ok(Self {
            skin: Skin::decode(&resolved.texture, resolved.model).map_err(decode_error)?,
            texture: resolved.texture,
            origin: resolved.origin,
        })
    }
}

#[cfg(test)]
mod tests {
    use effigy_upstream::{Profile, Step};

    use super::*;

    /// A source whose textures do not decode, except for the fallback.
    struct BrokenTextures(SkinOrigin);

    impl SkinSource for BrokenTextures {
        fn resolve(&self, _: &PlayerId) -> Result<ResolvedSkin, UpstreamError> {
            Ok(ResolvedSkin {
                texture: b"broken".to_vec(),
                model: Model::Classic,
                origin: self.0,
            })
        }

        fn fallback(&self) -> Result<ResolvedSkin, UpstreamError> {
            Ok(ResolvedSkin {
                texture: fixtures::skin("uv_classic").png.to_vec(),
                model: Model::Classic,
                origin: SkinOrigin::Outage,
            })
        }

        fn profile(&self, _: &PlayerId) -> Result<Profile, UpstreamError> {
            Err(unused())
        }

        fn texture(&self, _: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
            Err(unused())
        }

        fn cape(&self, _: &str) -> Result<Vec<u8>, UpstreamError> {
            Err(unused())
        }

        fn ping(&self) -> Result<(), UpstreamError> {
            Err(unused())
        }
    }

    fn unused() -> UpstreamError {
        UpstreamError::Status {
            step: Step::Texture,
            status: 500,
        }
    }

    #[test]
    fn a_texture_that_does_not_decode_is_replaced_like_a_missing_one() {
        for (input, origin, is_replaced) in [
            ("Notch", SkinOrigin::Own, false),
            ("Notch", SkinOrigin::DefaultSkin, true),
            ("Notch", SkinOrigin::Outage, false),
            (".Tag", SkinOrigin::Own, true),
            (".Tag", SkinOrigin::DefaultSkin, false),
            (".Tag", SkinOrigin::PlayerNotFound, false),
        ] {
            let player = PlayerId::detect(input).expect(input);
            match PlayerSkin::resolve(&BrokenTextures(origin), &player) {
                Ok(skin) => {
                    assert!(is_replaced, "{input} {origin:?}");
                    assert_eq!(skin.origin, SkinOrigin::Outage);
                }
                Err(error) => {
                    assert!(!is_replaced, "{input} {origin:?}");
                    assert!(matches!(error, UpstreamError::Decode { .. }), "{error:?}");
                }
            }
        }
    }
}
