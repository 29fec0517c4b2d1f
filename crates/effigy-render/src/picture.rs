//! Pictures: their parameters, and their pixels.

pub(crate) mod animation;
pub(crate) mod arrangement;
mod composite;
pub(crate) mod crop;
pub(crate) mod decoration;
mod label;
pub(crate) mod layout;
pub(crate) mod outline;
pub(crate) mod painter;
#[cfg(feature = "tiny-skia")]
pub(crate) mod pixmap;
pub(crate) mod shadow;
pub(crate) mod size;
pub(crate) mod spec;
pub(crate) mod view;

use crate::flat::Grid;
use crate::picture::decoration::Decoration;
use crate::picture::outline::Stroke;
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
    Outlined(Stroke, Box<PlacedPicture<'a>>),
    /// Several pictures, the first one at the back, and the decoration around all of them.
    Composed(Decoration, Vec<PlacedPicture<'a>>),
}

/// A picture inside another one.
pub(crate) struct PlacedPicture<'a> {
    /// The place of its top left corner in the other picture, in pixels.
    pub(crate) at: [u32; 2],
    pub(crate) picture: Picture<'a>,
}

impl<'a> Picture<'a> {
    /// Composes a picture of others. A single one that is as large as the whole stays as it is.
    pub(crate) fn composed(
        size: [u32; 2],
        decoration: Decoration,
        mut views: Vec<PlacedPicture<'a>>,
    ) -> Picture<'a> {
        let is_single = views.len() == 1 && views[0].picture.size == size;
        if is_single && decoration == Decoration::NONE {
            return views.remove(0).picture;
        }
        Picture {
            size,
            drawing: Drawing::Composed(decoration, views),
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

    /// The scene of the first player who is not drawn flat.
    pub(crate) fn scene(&self) -> Option<&Scene<'a>> {
        match &self.drawing {
            Drawing::Flat(_) => None,
            Drawing::Scene(scene) => Some(scene),
            Drawing::Outlined(_, player) => player.picture.scene(),
            Drawing::Composed(_, views) => views.iter().find_map(|view| view.picture.scene()),
        }
    }
}

/// Returns the shadows on the ground, from the first player's to the last one's. Flat pictures,
/// heads, and figures seen from below cast no shadow.
pub(crate) fn shadows(views: &[PlacedPicture<'_>]) -> Vec<Shadow> {
    let mut shadows = Vec::new();
    for view in views {
        let shadow = view
            .picture
            .scene()
            .and_then(|scene| Shadow::of(scene, view.at));
        if let Some(shadow) = shadow {
            shadows.push(shadow);
        }
    }
    shadows
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
