//! The boxes of a player in a pose.

use crate::model::{BODY_PARTS, Layer, Layers, Model, Part};
use crate::scene::pose::{Pose, Rotation};
use crate::scene::solid::{Surface, box_corners, range};
use glam::{DAffine3, DVec3};

/// A choice of parts, and their positions. It does not depend on textures or on the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Figure {
    /// The parts of the body.
    pub(crate) body: &'static [Part],
    /// The parts of the cape's texture.
    pub(crate) back: &'static [Part],
    pub(crate) has_ears: bool,
    pub(crate) model: Model,
    pub(crate) layers: Layers,
    pub(crate) pose: Pose,
    pub(crate) is_upside_down: bool,
}

/// The parts of a head.
pub(crate) const HEAD: &[Part] = &[Part::Head];

/// The parts of a whole body.
pub(crate) const WHOLE: &[Part] = &BODY_PARTS;

/// The parts of a cape.
pub(crate) const CAPE: &[Part] = &[Part::Cape];

/// The parts of elytra.
pub(crate) const ELYTRA: &[Part] = &[Part::LeftWing, Part::RightWing];

/// The distance of trousers from a leg that turns, on its four sides: their upper edge, a quarter of a texel above the hips, is
/// then never in front of the jacket, which is 2.25 texels from the middle. √(2.25² − 0.25²) − 2.
const TROUSERS: f64 = 0.236_067_977_499_789_7;

impl Figure {
    /// Returns the faces of all boxes except those that another part covers.
    ///
    /// Of overlays between two parts only rims are seen, through slots. The outer sides are collars and
    /// hems. The inner sides are left out, because they look like specks; and so is all between the legs,
    /// since trousers are one piece.
    pub(crate) fn surfaces(&self) -> Vec<Surface> {
        let bodies = self.body.iter().map(|&part| self.faces(part, Layer::Base));
        let bases: Vec<Surface> = bodies.flatten().collect();
        let mut surfaces = Vec::new();
        for part in self.parts() {
            let neighbors = self.faces(part, Layer::Base).map(|face| {
                let mut others = bases.iter().filter(|base| base.part != part);
                others.find(|base| base.covers(&face)).map(|base| base.part)
            });
            for &layer in part.layers(self.layers) {
                for (mut face, neighbor) in self.faces(part, layer).into_iter().zip(neighbors) {
                    let is_seen = layer == Layer::Overlay
                        && !(part.is_leg() && neighbor.is_some_and(Part::is_leg));
                    if neighbor.is_none() || is_seen {
                        face.is_one_sided |= neighbor.is_some();
                        surfaces.push(face);
                    }
                }
            }
        }
        surfaces
    }

    fn faces(&self, part: Part, layer: Layer) -> [Surface; 6] {
        let mut inflation = layer.inflation(part);
        let leg = match part {
            Part::RightLeg => self.pose.right_leg,
            Part::LeftLeg => self.pose.left_leg,
            _ => Rotation::ZERO,
        };
        if layer == Layer::Overlay && leg != Rotation::ZERO {
            (inflation.x, inflation.z) = (TROUSERS, TROUSERS);
        }
        let cuboid = part.cuboid(self.model);
        Surface::of_part(&cuboid, layer, inflation, self.transform(part))
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let ears: &[Part] = match self.has_ears {
            true => &[Part::RightEar, Part::LeftEar],
            false => &[],
        };
        self.body.iter().chain(ears).chain(self.back).copied()
    }

    fn transform(&self, part: Part) -> DAffine3 {
        let transform = self.pose.transform(part);
        match self.is_upside_down {
            // Half a turn about the figure's axis from front to back.
            true => DAffine3::from_scale(DVec3::new(-1.0, -1.0, 1.0)) * transform,
            false => transform,
        }
    }

    /// Returns the corners of the boxes of some parts, with their overlays, on a player of the wider model.
    pub(crate) fn corners(&self, parts: &[Part]) -> Vec<DVec3> {
        let boxes = parts.iter().flat_map(|&part| {
            let layers = part.layers(Layers::WithOverlay);
            let outer = layers[layers.len() - 1];
            let cuboid = part.cuboid(Model::Classic);
            box_corners(&cuboid, outer.inflation(part), self.transform(part))
        });
        boxes.collect()
    }

    /// Returns the corners of a level rectangle around the feet, as large as their shadow.
    pub(crate) fn shadow(&self) -> [DVec3; 4] {
        /// The distance from the ground up to which corners belong to the feet, in texels.
        const FEET: f64 = 6.0;
        /// The distance of the shadow's sides from the feet, in texels.
        const MARGIN: f64 = 1.5;
        let corners = self.corners(self.body);
        let [_, ground] = range(corners.iter().map(|corner| corner.y));
        let feet = corners.iter().filter(|corner| corner.y > ground - FEET);
        let larger = |[min, max]: [f64; 2]| [min - MARGIN, max + MARGIN];
        let [left, right] = larger(range(feet.clone().map(|corner| corner.x)));
        let [back, front] = larger(range(feet.map(|corner| corner.z)));
        [[left, back], [right, back], [left, front], [right, front]]
            .map(|[x, z]| DVec3::new(x, ground, z))
    }
}
