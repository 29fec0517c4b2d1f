//! Compositions: pictures on a background, with padding, shadows and a shape.

use crate::picture::decoration::Decoration;
use crate::picture::shadow::Shadow;
use crate::picture::{Drawing, Picture};

/// Pictures side by side, with a decoration around all of them.
pub(crate) struct Composition<'a> {
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    pub(crate) decoration: Decoration,
    pub(crate) pictures: Vec<Placed<'a>>,
}

/// A picture with the position of its top left corner.
pub(crate) struct Placed<'a> {
    pub(crate) picture: Picture<'a>,
    pub(crate) at: [u32; 2],
}

impl<'a> Composition<'a> {
    /// The shadows on the ground, from the first player's to the last one's.
    pub(crate) fn shadows(&self) -> impl Iterator<Item = Shadow> {
        let pictures = self.pictures.iter().filter(|_| self.decoration.has_shadow);
        pictures.filter_map(|placed| Some(Shadow::below(&placed.picture)?.moved(placed.at)))
    }

    /// The only picture, if there is nothing else.
    pub(crate) fn framed(&self) -> Option<&Placed<'a>> {
        match &self.pictures[..] {
            [placed] if self.decoration == Decoration::NONE => Some(placed),
            _ => None,
        }
    }
}

impl<'a> From<Composition<'a>> for Picture<'a> {
    fn from(composition: Composition<'a>) -> Picture<'a> {
        Picture {
            size: composition.size,
            drawing: Drawing::Composed(composition),
        }
    }
}
