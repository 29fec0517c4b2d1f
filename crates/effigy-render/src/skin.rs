//! A player's skin.

mod cape;
mod file;
pub(crate) mod texels;

pub use cape::Cape;

use crate::error::TextureError;
use crate::model::{Cuboid, Face, Layer, Layers, Model, Part, Region};
use crate::skin::file::Pixels;
use crate::skin::texels::{Texels, is_width, region};

/// A player's skin: texels in the modern layout, and the model that wears them.
///
/// # Guarantees
///
/// Square, and 64 texels wide or a multiple of 64 up to 1,024. The base layer is opaque, as in the
/// game. A legacy skin (twice as wide as high) is converted to the modern layout: its left limbs
/// are the mirrored right ones and carry no overlay.
#[derive(Debug, Clone)]
pub struct Skin {
    pub(crate) texels: Texels,
    model: Model,
}

impl Skin {
    /// The longest file that [`Skin::decode`] reads: 8 MiB, twice an uncompressed 1,024-wide skin.
    pub const MAX_BYTES: usize = 8 << 20;

    /// The widest skin, in texels.
    pub const MAX_WIDTH: u32 = 1024;

    /// Decodes the PNG file of a skin, of any color type, bit depth and interlacing.
    ///
    /// If no model is given, it is guessed. Each arm has two areas that only the classic model
    /// shows. The skin is slim if both areas of one arm, or the same area of both arms, are
    /// transparent in the file, or if all four are opaque black, or all four opaque white. Legacy
    /// skins are classic. Every file can be worn by either model, so use the model of the player's
    /// profile if you know it.
    ///
    /// The header is checked before any pixel is read, so a small file that claims to be huge, or
    /// that inflates to something huge, is refused at once.
    ///
    /// # Errors
    ///
    /// [`TextureError`] if the bytes are no PNG, if they are damaged, or if the picture doesn't
    /// have the size of a skin: a width of 64, or a multiple of 64 up to [`Skin::MAX_WIDTH`],
    /// and the same height or half of it.
    pub fn decode(texture: &[u8], model: impl Into<Option<Model>>) -> Result<Skin, TextureError> {
        let file = Pixels::decode(texture, check_dimensions)?;
        Ok(Skin::from_file(file, model.into()))
    }

    /// Makes a skin of straight RGBA pixels, row by row from the top left. If no model is given, it
    /// is guessed as by [`Skin::decode`].
    ///
    /// # Errors
    ///
    /// [`TextureError::Dimensions`] if no skin has this width and height, and
    /// [`TextureError::WrongLength`] if there are more or fewer bytes than four for each pixel.
    pub fn from_rgba(
        width: u32,
        height: u32,
        pixels: &[u8],
        model: impl Into<Option<Model>>,
    ) -> Result<Skin, TextureError> {
        let file = Pixels::from_rgba([width, height], pixels, check_dimensions)?;
        Ok(Skin::from_file(file, model.into()))
    }

    /// The model that wears the skin.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model
    }

    /// Changes the model that wears the skin.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Skin {
        self.model = model;
        self
    }

    /// Width and height in texels.
    #[must_use]
    pub fn side(&self) -> u32 {
        64 * self.texels.scale
    }

    /// All texels, row by row from the top left: straight RGBA, in the modern layout.
    #[must_use]
    pub fn texels(&self) -> &[[u8; 4]] {
        &self.texels.all
    }

    /// Takes a file whose dimensions have been checked.
    fn from_file(file: Pixels, model: Option<Model>) -> Skin {
        let mut texels = Texels {
            all: file.all,
            scale: file.size[0] / 64,
        };
        let area = texels.width() * texels.width();
        let is_legacy = texels.all.len() < area;
        let guessed = if is_legacy {
            texels.all.resize(area, [0; 4]);
            to_modern(&mut texels);
            Model::Classic
        } else {
            guessed_model(&texels)
        };
        // The game shows the base layer without its alpha.
        for region in BASE {
            texels.update(region, |texel| texel[3] = 255);
        }
        Skin {
            texels,
            model: model.unwrap_or(guessed),
        }
    }

    /// Returns the layers without the overlay, if no texel of it on these parts of a model has at
    /// least this alpha.
    pub(crate) fn visible_layers(
        &self,
        layers: Layers,
        model: Model,
        parts: &[Part],
        least_alpha: u8,
    ) -> Layers {
        let is_visible = |part: &Part| self.shows_overlay(part.cuboid(model), least_alpha);
        if parts.iter().any(is_visible) {
            layers
        } else {
            Layers::Base
        }
    }

    /// Returns `true` if a texel of a box's overlay has at least this alpha.
    fn shows_overlay(&self, cuboid: Cuboid, least_alpha: u8) -> bool {
        Face::ALL.into_iter().any(|face| {
            let region = cuboid.region(Layer::Overlay, face);
            let mut texels = self.texels.rows(region).flatten();
            texels.any(|texel| texel[3] >= least_alpha)
        })
    }
}

/// Refuses dimensions that no skin has.
fn check_dimensions([width, height]: [u32; 2]) -> Result<(), TextureError> {
    if is_width(width) && (height == width || height == width / 2) {
        return Ok(());
    }
    Err(TextureError::Dimensions {
        width,
        height,
        expected: "a skin is 64 x 64 or 64 x 32, or a multiple of that up to 1024 wide",
    })
}

/// The right limbs, and the left ones, which legacy skins lack.
const LIMBS: [[Part; 2]; 2] = [
    [Part::RightArm, Part::LeftArm],
    [Part::RightLeg, Part::LeftLeg],
];

/// The overlay of the head.
const HAT: Region = region([32, 0], [32, 16]);

/// The front face of the hat.
const HAT_FRONT: Region = region([40, 8], [8, 8]);

/// Fills the lower half of a legacy skin as the game does when it loads one: the left limbs are the
/// mirrored right ones. The rule for hats is our own.
fn to_modern(texels: &mut Texels) {
    for limbs in LIMBS {
        let [right, left] = limbs.map(|limb| limb.cuboid(Model::Classic));
        for face in Face::ALL {
            let mirrored = match face {
                Face::Right => Face::Left,
                Face::Left => Face::Right,
                other => other,
            };
            let to = left.region(Layer::Base, mirrored);
            texels.copy_mirrored(right.region(Layer::Base, face), to);
        }
    }
    if has_blank_hat(texels) {
        texels.update(HAT, |texel| *texel = [0; 4]);
    }
}

/// Returns `true` for a hat whose front has one opaque color. It is the background that old editors
/// filled, perhaps with a few stray texels on the other faces. The game also hides opaque hats of
/// several colors, if no texel of the right half has an alpha below 128; we draw them, because
/// somebody painted them.
fn has_blank_hat(texels: &Texels) -> bool {
    let mut front = texels.rows(HAT_FRONT).flatten();
    let Some(first) = front.next() else {
        return false;
    };
    first[3] == 255 && front.all(|texel| texel == first)
}

/// The parts of a modern skin that hold the base layer.
const BASE: [Region; 3] = [
    region([0, 0], [32, 16]),
    region([0, 16], [64, 16]),
    region([16, 48], [32, 16]),
];

/// The areas of one arm's base layer that the slim model does not show.
struct UnusedAreas {
    /// Two columns next to the top and bottom faces.
    top: Region,
    /// Two columns behind the back face.
    back: Region,
}

const RIGHT_ARM: UnusedAreas = UnusedAreas {
    top: region([50, 16], [2, 4]),
    back: region([54, 20], [2, 12]),
};

const LEFT_ARM: UnusedAreas = UnusedAreas {
    top: region([42, 48], [2, 4]),
    back: region([46, 52], [2, 12]),
};

/// Guesses the model of a modern skin by the areas that only the classic model shows.
///
/// Editors leave these areas transparent, or fill them with the background of a picture without
/// transparency. Stray texels are common, so two areas that belong together are enough.
fn guessed_model(texels: &Texels) -> Model {
    let is_clear = |area| texels.rows(area).flatten().all(|texel| texel[3] == 0);
    let right_top = is_clear(RIGHT_ARM.top);
    let right_back = is_clear(RIGHT_ARM.back);
    let left_top = is_clear(LEFT_ARM.top);
    let left_back = is_clear(LEFT_ARM.back);
    let one_arm = (right_top && right_back) || (left_top && left_back);
    let same_area_of_both_arms = (right_top && left_top) || (right_back && left_back);
    let is_black = unused_areas_are(texels, [0, 0, 0, 255]);
    let is_white = unused_areas_are(texels, [255; 4]);
    if one_arm || same_area_of_both_arms || is_black || is_white {
        Model::Slim
    } else {
        Model::Classic
    }
}

/// Returns `true` if all four areas that only the classic model shows have this color.
fn unused_areas_are(texels: &Texels, color: [u8; 4]) -> bool {
    let areas = [RIGHT_ARM.top, RIGHT_ARM.back, LEFT_ARM.top, LEFT_ARM.back];
    areas
        .into_iter()
        .all(|area| texels.rows(area).flatten().all(|texel| *texel == color))
}

/// Returns the skin of the examples with an overlay of at most this opacity.
#[cfg(test)]
pub(crate) fn test_skin(opacity: u8) -> Skin {
    let drawn = Skin::decode(include_bytes!("../assets/skin.png"), None).expect("a drawn skin");
    let mut texels = drawn.texels().to_vec();
    for [.., alpha] in &mut texels {
        *alpha = (*alpha).min(opacity);
    }
    Skin::from_rgba(64, 64, texels.as_flattened(), drawn.model()).expect("as large as a skin")
}
