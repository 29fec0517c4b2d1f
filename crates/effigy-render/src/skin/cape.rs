//! A player's cape.

use crate::SkinError;
use crate::skin::decode;
use crate::skin::texels::{Texels, check_dimensions};

/// The texture of a cape.
///
/// # Guarantees
///
/// Twice as wide as high, 64 texels wide or a multiple of it up to 1,024.
#[derive(Clone)]
pub struct Cape {
    pub(crate) texels: Texels,
}

impl Cape {
    /// Decodes the PNG file of a cape, of any color type, bit depth and interlacing. Dimensions are checked
    /// before any pixel is read.
    ///
    /// # Errors
    ///
    /// [`SkinError`] if the bytes are no PNG, are damaged, or are not the size of a cape: 64 wide (or a
    /// multiple of it up to 1,024) and half as high.
    pub fn decode(texture: &[u8]) -> Result<Cape, SkinError> {
        let image = decode::decode(texture, |[width, height]| {
            check_dimensions([width, height])?;
            match height == width / 2 {
                true => Ok(()),
                false => Err(SkinError::CapeDimensions { width, height }),
            }
        })?;
        Ok(Cape {
            texels: Texels::new(image.texels, image.width),
        })
    }

    /// Width in texels.
    #[must_use]
    pub fn width(&self) -> u32 {
        64 * self.texels.scale.unsigned_abs()
    }
}

impl std::fmt::Debug for Cape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cape")
            .field("width", &self.width())
            .finish_non_exhaustive()
    }
}
