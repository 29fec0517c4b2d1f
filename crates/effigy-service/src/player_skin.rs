//! A player's skin, fetched and decoded.

use std::error::Error;

use effigy_player::{Edition, Model, PlayerId};
use effigy_render::{Skin, SkinError};
use effigy_upstream::{ResolvedSkin, SkinOrigin, SkinSource, TextureHash, UpstreamError};

/// A decoded skin with its texture file.
#[derive(Debug, Clone)]
pub struct PlayerSkin {
    /// The texture as the upstream sent it.
    pub texture: Vec<u8>,
    /// The decoded texture.
    pub skin: Skin,
    /// Whether it is the player's own skin, or else why not.
    pub origin: SkinOrigin,
}

impl PlayerSkin {
    /// Looks a player up and decodes the skin. Blocks.
    ///
    /// If the texture of a Bedrock player or the default skin of a Java player does not decode, the
    /// source's fallback skin takes its place.
    ///
    /// # Errors
    /// When the source fails, or the texture does not decode.
    pub fn resolve<S: SkinSource + ?Sized>(
        source: &S,
        player: &PlayerId,
    ) -> Result<Self, UpstreamError> {
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

    /// Fetches and decodes the texture of a hash. Blocks.
    pub(crate) fn of_texture<S: SkinSource + ?Sized>(
        source: &S,
        hash: &TextureHash,
        model: Model,
    ) -> Result<Self, UpstreamError> {
        Self::decode(ResolvedSkin {
            texture: source.texture(hash)?,
            model,
            origin: SkinOrigin::Own,
        })
    }

    fn decode(resolved: ResolvedSkin) -> Result<Self, UpstreamError> {
        let ResolvedSkin {
            texture,
            model,
            origin,
        } = resolved;
        let decode_error = |source: SkinError| UpstreamError::Decode {
            source: source.into(),
        };
        let skin = Skin::decode(&texture, model).map_err(decode_error)?;
        Ok(Self {
            texture,
            skin,
            origin,
        })
    }
}

#[cfg(test)]
mod tests {
    use effigy_upstream::{Profile, Step};

    use super::*;

    /// A source whose textures do not decode, except for the fallback.
    struct Broken(SkinOrigin);

    impl SkinSource for Broken {
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
    fn a_texture_that_does_not_decode_is_replaced_as_one_that_is_missing() {
        for (input, origin, is_replaced) in [
            ("Notch", SkinOrigin::Own, false),
            ("Notch", SkinOrigin::DefaultSkin, true),
            ("Notch", SkinOrigin::Outage, false),
            (".Tag", SkinOrigin::Own, true),
            (".Tag", SkinOrigin::DefaultSkin, false),
            (".Tag", SkinOrigin::PlayerNotFound, false),
        ] {
            let player = PlayerId::detect(input).expect(input);
            match PlayerSkin::resolve(&Broken(origin), &player) {
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
