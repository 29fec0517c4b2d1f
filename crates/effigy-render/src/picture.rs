//! Pictures: their parameters, and their pixels.

pub(crate) mod animation;
pub(crate) mod arrangement;
mod blend;
pub(crate) mod decoration;
mod painter;
#[cfg(feature = "compose")]
mod pixmap;
pub(crate) mod shadow;
pub(crate) mod size;
pub(crate) mod spec;
pub(crate) mod view;

use crate::flat::grid::Grid;
use crate::picture::decoration::Decoration;
use crate::picture::shadow::Shadow;
use crate::scene::Scene;

/// A fully specified picture that is drawn when it is encoded: straight 8-bit sRGB with alpha.
pub struct Picture<'a> {
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    pub(crate) drawing: Drawing<'a>,
}

/// The source of a picture's pixels.
pub(crate) enum Drawing<'a> {
    /// A grid of texels, each enlarged to a block of pixels.
    Flat(Grid),
    /// Boxes in space.
    Scene(Scene<'a>),
    /// Other pictures.
    Composed(Composition<'a>),
}

/// Pictures side by side, with a decoration around all of them.
pub(crate) struct Composition<'a> {
    pub(crate) decoration: Decoration,
    pub(crate) pictures: Vec<Placed<'a>>,
}

/// A picture with the position of its top left corner.
pub(crate) struct Placed<'a> {
    pub(crate) picture: Picture<'a>,
    pub(crate) at: [u32; 2],
}

impl<'a> Picture<'a> {
    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.size[0]
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.size[1]
    }

    /// A picture of other ones.
    pub(crate) fn composed(
        size: [u32; 2],
        decoration: Decoration,
        pictures: Vec<Placed<'a>>,
    ) -> Picture<'a> {
        let drawing = Drawing::Composed(Composition {
            decoration,
            pictures,
        });
        Picture { size, drawing }
    }

    /// The scene, or the first one of a composition.
    pub(crate) fn scene(&self) -> Option<&Scene<'_>> {
        match &self.drawing {
            Drawing::Flat(_) => None,
            Drawing::Scene(scene) => Some(scene),
            Drawing::Composed(composition) => {
                let mut pictures = composition.pictures.iter();
                pictures.find_map(|placed| placed.picture.scene())
            }
        }
    }

    /// The shadow of the figure, unless it has none: flat pictures, heads, and figures that are seen from below have
    /// none.
    fn shadow(&self) -> Option<Shadow> {
        match &self.drawing {
            Drawing::Flat(_) => None,
            Drawing::Scene(scene) => scene.shadow().map(Shadow::within),
            Drawing::Composed(composition) => composition.framed()?.shadow(),
        }
    }
}

impl<'a> Composition<'a> {
    /// The shadows on the ground, from the first player's to the last one's.
    pub(crate) fn shadows(&self) -> impl Iterator<Item = Shadow> {
        let pictures = self.pictures.iter().filter(|_| self.decoration.has_shadow);
        pictures.filter_map(Placed::shadow)
    }

    /// The only picture, if there is nothing else.
    pub(crate) fn framed(&self) -> Option<&Placed<'a>> {
        match &self.pictures[..] {
            [placed] if self.decoration == Decoration::NONE => Some(placed),
            _ => None,
        }
    }
}

impl Placed<'_> {
    fn shadow(&self) -> Option<Shadow> {
        Some(self.picture.shadow()?.moved(self.at))
    }
}

impl std::fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture")
            .field("width", &self.width())
            .field("height", &self.height())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
