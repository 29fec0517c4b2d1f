//! A player's cape.

use crate::error::TextureError;
use crate::flat::Grid;
use crate::model::Region;
use crate::picture::Drawing;
use crate::picture::spec::checked;
use crate::skin::texels::{Texels, is_width, region};
use crate::{Picture, RenderError, Size};

/// The outer side of a cape.
const FRONT: Region = region([1, 1], [10, 16]);

/// The size of old files, which end where the cape does.
const OLD: [u32; 2] = [22, 17];

/// The elytra in the texture of a cape.
const ELYTRA: Region = region([22, 0], [24, 22]);

/// The texture of a cape, and of elytra in many files.
///
/// Transparent texels of a cape are holes. The game would paint them in the color under their
/// alpha, black in most files; its own capes have none.
///
/// # Guarantees
///
/// Twice as wide as high, 64 texels wide or a multiple of it up to 1,024. The rest of an old file
/// of 22 × 17 is transparent.
#[derive(Debug, Clone)]
pub struct Cape {
    pub(crate) texels: Texels,
}

impl Cape {
    /// Decodes the PNG file of a cape, of any color type, bit depth and interlacing. Dimensions are
    /// checked before any pixel is read.
    ///
    /// # Errors
    ///
    /// [`TextureError`] if the bytes are no PNG, are damaged, or are not the size of a cape: 64
    /// wide (or a multiple of it up to 1,024) and half as high, or 22 × 17.
    pub fn decode(texture: &[u8]) -> Result<Cape, TextureError> {
        Texels::decode(texture, check_dimensions).map(Cape::new)
    }

    /// Makes a cape of straight RGBA pixels, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`TextureError`] if no cape has this width and height, or if there are more or fewer bytes
    /// than four for each pixel.
    pub fn from_rgba(width: u32, height: u32, pixels: &[u8]) -> Result<Cape, TextureError> {
        check_dimensions([width, height])?;
        Texels::from_rgba([width, height], pixels).map(Cape::new)
    }

    fn new(texels: Texels) -> Cape {
        if texels.scale > 0 {
            return Cape { texels };
        }
        let mut all = vec![[0; 4]; 64 * 32];
        let old_rows = texels.all.chunks(OLD[0] as usize);
        for (row, old) in all.chunks_mut(64).zip(old_rows) {
            row[..old.len()].copy_from_slice(old);
        }
        Cape {
            texels: Texels::new(all, 64),
        }
    }

    /// The picture of the side that is seen on a player's back: `size` pixels wide and 1.6 times as
    /// high, with hard edges.
    ///
    /// # Errors
    ///
    /// [`RenderError::TooLarge`] if no PNG can hold the picture.
    pub fn front(&self, size: Size) -> Result<Picture<'static>, RenderError> {
        let width = u64::from(size.get());
        self.enlarged(checked([width, (width * 16 + 5) / 10])?)
    }

    /// The picture of the side that is seen on a player's back, as wide and as high as this, with
    /// hard edges.
    ///
    /// # Errors
    ///
    /// [`RenderError::TooLarge`] if no PNG can hold the picture.
    pub fn front_in(&self, size: [Size; 2]) -> Result<Picture<'static>, RenderError> {
        self.enlarged(checked(size.map(|side| side.get().into()))?)
    }

    /// Returns the picture of the outer side with these pixels.
    fn enlarged(&self, pixels: [u32; 2]) -> Result<Picture<'static>, RenderError> {
        let [_, [columns, rows]] = FRONT.scaled(self.texels.scale);
        let mut grid = Grid::blank(columns, rows);
        grid.draw(self.texels.rows(FRONT), [0, 0], 1);
        Ok(Picture {
            size: pixels,
            drawing: Drawing::Flat(grid),
        })
    }

    /// Returns `true` if the texture has elytra too: some of their texels are visible.
    #[must_use]
    pub fn has_elytra(&self) -> bool {
        let mut texels = self.texels.rows(ELYTRA).flatten();
        texels.any(|texel| texel[3] > 0)
    }

    /// Width in texels.
    #[must_use]
    pub fn width(&self) -> u32 {
        64 * self.texels.scale
    }
}

/// Refuses dimensions that no cape has.
fn check_dimensions([width, height]: [u32; 2]) -> Result<(), TextureError> {
    if [width, height] == OLD || (is_width(width) && height == width / 2) {
        return Ok(());
    }
    Err(TextureError::Dimensions {
        width,
        height,
        expected: "a cape is 64 x 32, or a multiple of that up to 1024 wide",
    })
}
