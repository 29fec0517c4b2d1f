//! A player's cape.

use crate::error::CapeError;
use crate::skin::decode;
use crate::skin::texels::{Texels, is_width};

/// The texture of a cape.
///
/// # Guarantees
///
/// Twice as wide as high, 64 texels wide or a multiple of it up to 1,024.
#[derive(Debug, Clone)]
pub struct Cape {
    pub(crate) texels: Texels,
}

impl Cape {
    /// Decodes the PNG file of a cape, of any color type, bit depth and interlacing. Dimensions are checked
    /// before any pixel is read.
    ///
    /// # Errors
    ///
    /// [`CapeError`] if the bytes are no PNG, are damaged, or are not the size of a cape: 64 wide (or a
    /// multiple of it up to 1,024) and half as high.
    pub fn decode(texture: &[u8]) -> Result<Cape, CapeError> {
        let texels = decode::decode(texture, check_dimensions)?;
        Ok(Cape { texels })
    }

    /// Makes a cape of straight RGBA pixels, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`CapeError`] if no cape has this width and height, or if there are more or fewer bytes than four for each pixel.
    pub fn from_rgba(width: u32, height: u32, pixels: &[u8]) -> Result<Cape, CapeError> {
        check_dimensions([width, height])?;
        let texels = Texels::from_rgba([width, height], pixels)?;
        Ok(Cape { texels })
    }

    /// Width in texels.
    #[must_use]
    pub fn width(&self) -> u32 {
        64 * self.texels.scale
    }
}

/// Refuses dimensions that no cape has.
fn check_dimensions([width, height]: [u32; 2]) -> Result<(), CapeError> {
    match is_width(width) && height == width / 2 {
        true => Ok(()),
        false => Err(CapeError::Dimensions { width, height }),
    }
}
