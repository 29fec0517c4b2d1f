//! A decoded skin.

mod decode;

use std::ops::Range;

use crate::SkinError;
use crate::model::{Model, Region};

/// A player's skin: texels in the modern layout, and the model that wears them.
///
/// # Guarantees
///
/// Square, 64 texels wide or a multiple of it up to 1,024; the base layer is opaque, as the game
/// makes it. A legacy skin (twice as wide as high) has been brought into the modern layout: its left
/// limbs are the mirrored right ones, and carry no overlay.
#[derive(Clone)]
pub struct Skin {
    texels: Vec<[u8; 4]>,
    /// Texels of the file per texel of a 64-wide skin.
    scale: i32,
    model: Model,
}

impl Skin {
    /// The longest file that [`Skin::decode`] reads: 8 MiB, twice an uncompressed 1,024-wide skin.
    pub const MAX_BYTES: usize = 8 << 20;

    /// Decodes the PNG file of a skin, of any colour type, bit depth and interlacing.
    ///
    /// The header is checked before any pixel is read, so that a small file that claims to be, or
    /// inflates to, something huge costs nothing.
    ///
    /// # Errors
    ///
    /// [`SkinError`] when the bytes are no PNG, are damaged, or are not the size of a skin: 64 wide
    /// (or a multiple of it up to 1,024) and as high or half as high.
    pub fn decode(texture: &[u8], model: Model) -> Result<Skin, SkinError> {
        let picture = decode::decode(texture)?;
        Ok(Skin::from_texels(
            picture.texels,
            picture.width,
            picture.legacy,
            model,
        ))
    }

    /// The model that wears the skin.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model
    }

    /// The same skin worn by the other model.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Skin {
        self.model = model;
        self
    }

    /// Width and height in texels.
    #[must_use]
    pub fn side(&self) -> u32 {
        64 * self.scale.unsigned_abs()
    }

    /// All texels, row by row from the top left: straight RGBA, in the modern layout.
    #[must_use]
    pub fn texels(&self) -> &[[u8; 4]] {
        &self.texels
    }

    /// Takes straight RGBA texels of `width` x `width`, the lower half empty for a legacy skin.
    fn from_texels(texels: Vec<[u8; 4]>, width: u32, legacy: bool, model: Model) -> Skin {
        let scale = i32::try_from(width / 64).expect("a skin is at most 1,024 wide");
        let mut skin = Skin {
            texels,
            scale,
            model,
        };
        if legacy {
            skin.mirror_limbs();
            skin.drop_blank_hat();
        }
        for region in OPAQUE {
            skin.make_opaque(region);
        }
        skin
    }

    /// Texels of the file per texel of a 64-wide skin.
    pub(crate) fn scale(&self) -> i32 {
        self.scale
    }

    /// The straight RGBA texel at `x`, `y` of the file.
    pub(crate) fn texel(&self, x: i32, y: i32) -> [u8; 4] {
        self.texels[self.index(x, y)]
    }

    fn index(&self, x: i32, y: i32) -> usize {
        usize::try_from(y * 64 * self.scale + x).expect("texel coordinates are not negative")
    }

    /// Copies the right limbs of a legacy skin to where the left ones belong, mirrored: every face
    /// is flipped, and the inner and outer faces change places.
    fn mirror_limbs(&mut self) {
        for (from, to) in LEGACY_COPIES {
            let [from_x, from_y, width, height] = from.map(|texels| texels * self.scale);
            let [to_x, to_y] = to.map(|texels| texels * self.scale);
            for y in 0..height {
                for x in 0..width {
                    let target = self.index(to_x + width - 1 - x, to_y + y);
                    self.texels[target] = self.texel(from_x + x, from_y + y);
                }
            }
        }
    }

    /// A hat rectangle of one opaque colour is a blank background, as old editors left it.
    fn drop_blank_hat(&mut self) {
        let first = self.texel(HAT.x * self.scale, HAT.y * self.scale);
        let mut texels = self.rows_of(HAT).flat_map(|row| &self.texels[row]);
        if first[3] == 255 && texels.all(|texel| *texel == first) {
            for row in self.rows_of(HAT) {
                self.texels[row].fill([0; 4]);
            }
        }
    }

    /// The game shows the base layer without its alpha.
    fn make_opaque(&mut self, region: Region) {
        for row in self.rows_of(region) {
            for texel in &mut self.texels[row] {
                texel[3] = 255;
            }
        }
    }

    /// Where the rows of a region lie.
    fn rows_of(&self, region: Region) -> impl Iterator<Item = Range<usize>> + use<> {
        let scaled = |texels: i32| (texels * self.scale).unsigned_abs() as usize;
        let (side, width) = (scaled(64), scaled(region.width));
        let first = scaled(region.y) * side + scaled(region.x);
        (0..scaled(region.height)).map(move |row| {
            let start = first + row * side;
            start..start + width
        })
    }
}

impl std::fmt::Debug for Skin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Skin")
            .field("side", &self.side())
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// Where the hat lies.
const HAT: Region = Region {
    x: 32,
    y: 0,
    width: 32,
    height: 16,
};

/// The base layer's share of the skin.
const OPAQUE: [Region; 3] = [
    Region {
        x: 0,
        y: 0,
        width: 32,
        height: 16,
    },
    Region {
        x: 0,
        y: 16,
        width: 64,
        height: 16,
    },
    Region {
        x: 16,
        y: 48,
        width: 32,
        height: 16,
    },
];

/// What the game copies when it loads a legacy skin: `[x, y, width, height]` to `[x, y]`, each
/// mirrored.
const LEGACY_COPIES: [([i32; 4], [i32; 2]); 12] = [
    ([4, 16, 4, 4], [20, 48]),
    ([8, 16, 4, 4], [24, 48]),
    ([0, 20, 4, 12], [24, 52]),
    ([4, 20, 4, 12], [20, 52]),
    ([8, 20, 4, 12], [16, 52]),
    ([12, 20, 4, 12], [28, 52]),
    ([44, 16, 4, 4], [36, 48]),
    ([48, 16, 4, 4], [40, 48]),
    ([40, 20, 4, 12], [40, 52]),
    ([44, 20, 4, 12], [36, 52]),
    ([48, 20, 4, 12], [32, 52]),
    ([52, 20, 4, 12], [44, 52]),
];
