//! Scenes: boxes in space, divided and sorted, and the projection onto a picture.

pub(crate) mod angle;
pub(crate) mod bsp;
pub(crate) mod camera;
pub(crate) mod figure;
pub(crate) mod fragment;
pub(crate) mod framing;
pub(crate) mod light;
pub(crate) mod pose;
pub(crate) mod projection;
pub(crate) mod solid;
pub(crate) mod transform;
pub(crate) mod vec3;

use crate::model::Part;
use crate::player::Player;
use crate::rasterizer::kernel::Filter;
use crate::scene::camera::Camera;
use crate::scene::figure::Figure;
use crate::scene::framing::range;
use crate::scene::light::Light;
use crate::scene::projection::{Ellipse, Projection};
use crate::scene::solid::Surface;
use crate::scene::vec3::Vec3;
use crate::skin::texels::Texels;

/// A figure with its textures, as it is seen in a picture.
pub(crate) struct Scene<'a> {
    pub(crate) player: Player<'a>,
    pub(crate) figure: Figure,
    pub(crate) projection: Projection,
    pub(crate) light: Light,
    pub(crate) filter: Filter,
    pub(crate) camera: Camera,
    /// `true` if the ground is in the picture.
    pub(crate) shows_ground: bool,
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
}

impl<'a> Scene<'a> {
    /// The texture of a part.
    pub(crate) fn texels(&self, part: Part) -> &'a Texels {
        match (part, self.player.cape) {
            (Part::Cape, Some(cape)) => &cape.texels,
            _ => &self.player.skin.texels,
        }
    }

    /// Returns `true` if a side of the face is drawn. Faces that are seen at less than an angle with a sine of
    /// 1e-7 lie on the outline.
    pub(crate) fn shows(&self, surface: &Surface) -> bool {
        let facing = surface.normal.dot(self.projection.toward);
        facing > 1e-7 || facing < -1e-7 && !surface.is_one_sided
    }

    /// Returns the brightness of the side of a face that is seen.
    pub(crate) fn brightness(&self, surface: &Surface) -> u16 {
        let is_inside = surface.normal.dot(self.projection.toward) < 0.0;
        let normal = surface.normal * if is_inside { -1.0 } else { 1.0 };
        self.light.brightness(normal, self.camera.steps())
    }

    /// Returns the ellipse on the ground around the feet, if it is in the picture and the viewer is above.
    pub(crate) fn ground(&self) -> Option<Ellipse> {
        /// The distance from the ground up to which corners belong to the feet, in texels.
        const FEET: f64 = 6.0;
        /// The radius of the ellipse as a multiple of that of the feet.
        const MARGIN: f64 = 1.4;
        if !self.shows_ground || self.projection.toward.y > -0.01 {
            return None;
        }
        let corners = self.figure.corners(self.figure.body.iter().copied());
        let [_, ground] = range(corners.iter().map(|corner| corner.y));
        let feet = corners.iter().filter(|corner| corner.y > ground - FEET);
        let [left, right] = range(feet.clone().map(|corner| corner.x));
        let [back, front] = range(feet.map(|corner| corner.z));
        let center = Vec3::new(
            f64::midpoint(left, right),
            ground,
            f64::midpoint(back, front),
        );
        let radius = (right - left).hypot(front - back) / 2.0;
        Some(self.projection.disc(center, radius * MARGIN))
    }
}
