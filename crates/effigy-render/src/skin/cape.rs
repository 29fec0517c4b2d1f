//! A player's cape.

use crate::error::TextureError;
use crate::flat::Grid;
use crate::model::Region;
use crate::picture::Drawing;
use crate::picture::spec::checked;
use crate::skin::file::Pixels;
use crate::skin::texels::{LEAST_ALPHA, Texels, region};
use crate::{Picture, RenderError, Size, Skin};

/// The outer side of a cape.
const FRONT: Region = region([1, 1], [10, 16]);

/// The whole texture.
const WHOLE: [u32; 2] = [64, 32];

/// The sizes of files, which are the upper left part of the texture: all of it, the part with cape
/// and elytra, and the part with the cape alone.
const SIZES: [[u32; 2]; 3] = [WHOLE, [46, 22], [22, 17]];

/// The largest multiple of a size. Such a texture is as wide as the widest skin.
const MAX_SCALE: u32 = Skin::MAX_WIDTH / WHOLE[0];

/// The faces of a wing in the texture of a cape: top and bottom, and below them the sides.
const WING: [Region; 2] = [region([24, 0], [20, 2]), region([22, 2], [24, 20])];

/// The texture of a cape, and of elytra in many files.
///
/// Transparent texels of a cape are holes. The game would paint them in the color under their
/// alpha, which is black in most files; Mojang's own capes have no holes. Texels of elytra with an
/// alpha below 26 of 255 are holes, too, as in the game.
///
/// # Guarantees
///
/// Twice as wide as high, and 64 texels wide or a multiple of 64 up to 1,024. A file of 46 × 22 or
/// 22 × 17, or a multiple of either, fills the upper left part; the rest is transparent.
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
    /// [`TextureError`] if the bytes are no PNG, are damaged, or are not the size of a cape:
    /// 64 × 32, 46 × 22 or 22 × 17, or up to 16 times as wide and high.
    pub fn decode(texture: &[u8]) -> Result<Cape, TextureError> {
        Pixels::decode(texture, check_dimensions).map(|file| Cape::new(&file))
    }

    /// Makes a cape of straight RGBA pixels, row by row from the top left.
    ///
    /// # Errors
    ///
    /// [`TextureError`] if no cape has this width and height, or if there are more or fewer bytes
    /// than four for each pixel.
    pub fn from_rgba(width: u32, height: u32, pixels: &[u8]) -> Result<Cape, TextureError> {
        Pixels::from_rgba([width, height], pixels, check_dimensions).map(|file| Cape::new(&file))
    }

    /// Takes a file whose size has been checked.
    fn new(file: &Pixels) -> Cape {
        let scale = scale_of(file.size).expect("the size has been checked");
        let [width, height] = WHOLE.map(|side| (side * scale) as usize);
        let mut all = vec![[0; 4]; width * height];
        let file_rows = file.all.chunks(file.size[0] as usize);
        for (row, file_row) in all.chunks_mut(width).zip(file_rows) {
            row[..file_row.len()].copy_from_slice(file_row);
        }
        let mut texels = Texels { all, scale };
        for region in WING {
            texels.update(region, |texel| {
                if texel[3] < LEAST_ALPHA {
                    *texel = [0; 4];
                }
            });
        }
        Cape { texels }
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

    /// The picture of the side that is seen on a player's back, with this width and height and with
    /// hard edges.
    ///
    /// # Errors
    ///
    /// [`RenderError::TooLarge`] if no PNG can hold the picture.
    pub fn front_in(&self, size: [Size; 2]) -> Result<Picture<'static>, RenderError> {
        self.enlarged(checked(size.map(|side| side.get().into()))?)
    }

    /// Returns the picture of the outer side with this width and height in pixels.
    fn enlarged(&self, pixels: [u32; 2]) -> Result<Picture<'static>, RenderError> {
        let [_, [columns, rows]] = FRONT.scaled(self.texels.scale);
        let mut grid = Grid::blank(columns, rows);
        grid.draw(self.texels.rows(FRONT), [0, 0], 1);
        Ok(Picture {
            size: pixels,
            drawing: Drawing::Flat(grid),
        })
    }

    /// Returns `true` if the texture has elytra: at least a tenth of a wing's texels are visible.
    /// Fewer are strays, which editors leave behind.
    #[must_use]
    pub fn has_elytra(&self) -> bool {
        let mut all = 0;
        let mut visible = 0;
        for row in WING.into_iter().flat_map(|region| self.texels.rows(region)) {
            all += row.len();
            visible += row.iter().filter(|texel| texel[3] > 0).count();
        }
        10 * visible >= all
    }

    /// Width in texels.
    #[must_use]
    pub fn width(&self) -> u32 {
        64 * self.texels.scale
    }
}

/// Returns the factor by which a file of this size is larger than the smallest file of its kind.
fn scale_of([width, height]: [u32; 2]) -> Option<u32> {
    for least in SIZES {
        let scale = width / least[0];
        let is_multiple = least.map(|side| side * scale) == [width, height];
        if is_multiple && (1..=MAX_SCALE).contains(&scale) {
            return Some(scale);
        }
    }
    None
}

/// Refuses dimensions that no cape has.
fn check_dimensions(size: [u32; 2]) -> Result<(), TextureError> {
    if scale_of(size).is_some() {
        return Ok(());
    }
    let [width, height] = size;
    Err(TextureError::Dimensions {
        width,
        height,
        expected: "a cape is 64 x 32, 46 x 22 or 22 x 17, or up to 16 times as wide and high",
    })
}
