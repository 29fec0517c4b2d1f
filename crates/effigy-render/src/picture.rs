//! Pictures: their parameters, and their pixels.

pub(crate) mod animation;
pub(crate) mod arrangement;
mod composite;
pub(crate) mod crop;
pub(crate) mod decoration;
mod label;
pub(crate) mod layout;
pub(crate) mod outline;
mod painter;
#[cfg(feature = "tiny-skia")]
mod pixmap;
pub(crate) mod shadow;
pub(crate) mod size;
pub(crate) mod spec;
pub(crate) mod view;

use crate::flat::Grid;
use crate::picture::decoration::Decoration;
use crate::picture::outline::Line;
use crate::picture::shadow::Shadow;
use crate::scene::Scene;

/// A fully specified picture that is drawn when it is encoded: straight 8-bit sRGB with alpha.
pub struct Picture<'a> {
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
    /// A player with a line around it.
    Outlined(Line, Box<Placed<'a>>),
    /// Several pictures, the first one at the back, and what surrounds them together.
    Composed(Decoration, Vec<Placed<'a>>),
}

/// The position of the top left corner in a picture, and what is there.
pub(crate) type Placed<'a> = ([u32; 2], Picture<'a>);

impl<'a> Picture<'a> {
    /// Composes a picture of others.
    pub(crate) fn composed(
        size: [u32; 2],
        decoration: Decoration,
        mut views: Vec<Placed<'a>>,
    ) -> Picture<'a> {
        match &views[..] {
            [(_, whole)] if whole.size == size && decoration == Decoration::NONE => {
                views.remove(0).1
            }
            _ => Picture {
                size,
                drawing: Drawing::Composed(decoration, views),
            },
        }
    }

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

    /// The first of the scenes.
    pub(crate) fn scene(&self) -> Option<&Scene<'a>> {
        match &self.drawing {
            Drawing::Flat(_) => None,
            Drawing::Scene(scene) => Some(scene),
            Drawing::Outlined(_, player) => player.1.scene(),
            Drawing::Composed(_, views) => views.iter().find_map(|(_, view)| view.scene()),
        }
    }
}

/// The shadows on the ground, from the first player's to the last one's. Flat pictures, heads, and
/// figures that are seen from below have none.
pub(crate) fn shadows(views: &[Placed<'_>]) -> impl Iterator<Item = Shadow> {
    views
        .iter()
        .filter_map(|(at, view)| Shadow::of(view.scene()?, *at))
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
