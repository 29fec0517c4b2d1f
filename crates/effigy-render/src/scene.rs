//! Scenes: boxes in space, divided and sorted, and the projection onto a picture.

pub(crate) mod angle;
pub(crate) mod bsp;
pub(crate) mod camera;
pub(crate) mod figure;
pub(crate) mod figure_cache;
pub(crate) mod filter;
pub(crate) mod fragment;
pub(crate) mod framing;
pub(crate) mod geometry;
pub(crate) mod light;
pub(crate) mod pose;
pub(crate) mod projection;
mod skeleton;
mod solid;
pub(crate) mod surface;

use crate::model::Part;
use crate::scene::bsp::Bsp;
use crate::scene::figure::Figure;
use crate::scene::fragment::{Cells, Fragment};
use crate::scene::light::Lighting;
use crate::scene::projection::Projection;
use crate::scene::surface::Surface;
use crate::skin::texels::Texels;
use crate::{Camera, Filter, Player};
use glam::DVec3;

/// A figure with its textures, as it is seen in a picture.
pub(crate) struct Scene<'a> {
    pub(crate) player: Player<'a>,
    pub(crate) figure: Figure,
    pub(crate) projection: Projection,
    pub(crate) lighting: Lighting,
    pub(crate) filter: Filter,
    pub(crate) camera: Camera,
    pub(crate) has_shadow: bool,
    /// The least alpha of texels of the skin that are drawn.
    pub(crate) least_alpha: u8,
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
}

/// The place from which a figure is seen, in pictures of any size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Viewer {
    camera: Camera,
    target: DVec3,
    /// The inverse of the distance of the eye from the target.
    nearness: f64,
}

/// A fragment of a face, with the texels that it touches.
pub(crate) struct Piece<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) surface: &'a Surface,
    pub(crate) fragment: &'a Fragment,
    pub(crate) cells: Cells,
}

impl<'a> Piece<'a> {
    /// Returns `true` if a texel that the fragment touches is drawn.
    pub(crate) fn is_visible(&self) -> bool {
        let least_alpha = self.scene.least_alpha(self.surface.part);
        let mut texels = self.rows().flatten();
        texels.any(|texel| texel[3] >= least_alpha)
    }

    /// The texels that the fragment touches, row by row. Faint texels that are not drawn become
    /// transparent.
    pub(crate) fn texels(&self) -> impl Iterator<Item = [u8; 4]> {
        let least_alpha = self.scene.least_alpha(self.surface.part);
        self.rows().flatten().map(move |&texel| {
            if texel[3] >= least_alpha {
                texel
            } else {
                [0; 4]
            }
        })
    }

    /// Rows of the texels that the fragment touches.
    fn rows(&self) -> impl Iterator<Item = &'a [[u8; 4]]> {
        let [columns, rows] = self.cells.clone();
        let texels = self.scene.texels(self.surface.part);
        let [[x, y], _] = self.surface.region.scaled(texels.scale);
        rows.map(move |row| {
            let start = (y + row) * texels.width() + x + columns.start;
            &texels.all[start..][..columns.len()]
        })
    }
}

impl<'a> Scene<'a> {
    /// The texture of a part.
    pub(crate) fn texels(&self, part: Part) -> &'a Texels {
        match (part, self.player.cape) {
            (Part::Cape | Part::RightWing | Part::LeftWing, Some(cape)) => &cape.texels,
            _ => &self.player.skin.texels,
        }
    }

    /// Returns the least alpha of texels of a part that are drawn.
    pub(crate) fn least_alpha(&self, part: Part) -> u8 {
        match part {
            // A cape has dropped the texels that are not drawn.
            Part::Cape | Part::RightWing | Part::LeftWing => 1,
            _ => self.least_alpha,
        }
    }

    /// Returns the place from which the figure is seen.
    pub(crate) fn viewer(&self) -> Viewer {
        Viewer {
            camera: self.camera,
            target: self.projection.target,
            nearness: self.projection.nearness,
        }
    }

    /// Returns `true` if the visible side of a face is drawn. A face that is seen edge-on, at an
    /// angle whose sine is at most 1e-7, is not.
    pub(crate) fn shows(&self, surface: &Surface) -> bool {
        let facing = self.projection.facing(surface.plane());
        facing > 1e-7 || facing < -1e-7 && !surface.is_one_sided
    }

    /// Returns the visible pieces of a figure's divided faces, from the front to the back.
    pub(crate) fn pieces<'b>(&'b self, bsp: &'b Bsp) -> impl DoubleEndedIterator<Item = Piece<'b>> {
        let fragments = bsp.front_to_back(&self.projection).into_iter();
        let visible = fragments.filter(|fragment| self.shows(&bsp.surfaces[fragment.surface]));
        visible.map(|fragment| {
            let surface = &bsp.surfaces[fragment.surface];
            Piece {
                scene: self,
                surface,
                fragment,
                cells: fragment.cells(surface, self.texels(surface.part).scale),
            }
        })
    }

    /// Returns the brightness of the visible side of a face.
    pub(crate) fn brightness(&self, surface: &Surface) -> u16 {
        let is_inside = self.projection.facing(surface.plane()) < 0.0;
        let normal = if is_inside {
            -surface.normal
        } else {
            surface.normal
        };
        self.lighting.brightness(normal)
    }
}
