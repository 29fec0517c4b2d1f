//! Pictures: their parameters, and their pixels.

pub(crate) mod animation;
pub(crate) mod arrangement;
pub(crate) mod decoration;
mod label;
pub(crate) mod layout;
mod painter;
#[cfg(feature = "tiny-skia")]
mod pixmap;
pub(crate) mod shadow;
pub(crate) mod size;
pub(crate) mod spec;
pub(crate) mod view;

use crate::flat::Grid;
use crate::picture::decoration::Decoration;
use crate::picture::shadow::Shadow;
use crate::scene::Scene;

/// A fully specified picture that is drawn when it is encoded: straight 8-bit sRGB with alpha.
pub struct Picture<'a> {
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    /// What surrounds all views together.
    pub(crate) decoration: Decoration,
    /// The views of the players, the first one's at the back.
    pub(crate) views: Vec<Placed<'a>>,
}

/// A drawing at its place in a picture.
pub(crate) struct Placed<'a> {
    /// The position of the top left corner.
    pub(crate) at: [u32; 2],
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    pub(crate) drawing: Drawing<'a>,
}

/// The source of pixels.
pub(crate) enum Drawing<'a> {
    /// A grid of texels, each enlarged to a block of pixels.
    Flat(Grid),
    /// Boxes in space.
    Scene(Box<Scene<'a>>),
    /// A picture with a decoration of its own.
    Picture(Picture<'a>),
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

    /// The first of the scenes, also of those in pictures of their own.
    pub(crate) fn scene(&self) -> Option<&Scene<'a>> {
        self.views.iter().find_map(|view| match &view.drawing {
            Drawing::Flat(_) => None,
            Drawing::Scene(scene) => Some(&**scene),
            Drawing::Picture(picture) => picture.scene(),
        })
    }

    /// The only view, if there is nothing else. A transparent frame may surround it.
    pub(crate) fn framed(&self) -> Option<&Placed<'a>> {
        match &self.views[..] {
            [view] if self.decoration == Decoration::NONE => Some(view),
            _ => None,
        }
    }

    /// The only view, if it is the whole picture.
    pub(crate) fn bare(&self) -> Option<&Placed<'a>> {
        self.framed().filter(|view| view.size == self.size)
    }

    /// The shadows on the ground, from the first player's to the last one's. Flat pictures, heads, and figures that are
    /// seen from below have none.
    pub(crate) fn shadows(&self) -> impl Iterator<Item = Shadow> {
        self.views.iter().filter_map(|view| match &view.drawing {
            Drawing::Scene(scene) => Shadow::of(scene, view.at),
            _ => None,
        })
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
