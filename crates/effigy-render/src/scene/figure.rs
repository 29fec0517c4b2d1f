//! The boxes of a player in a pose.

use crate::model::{BODY_PARTS, Layer, Layers, Model, Part};
use crate::scene::geometry::{Plane, range};
use crate::scene::pose::Pose;
use crate::scene::pose::rotation::Rotation;
use crate::scene::skeleton::Skeleton;
use crate::scene::surface::Surface;
use glam::DVec3;

/// The parts of a player and their positions, without textures and without a viewer.
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

/// The distance `d` of trousers from a leg that turns, on its four sides. Their upper edge, a
/// quarter of a texel above the hip, moves on a circle about it. Its radius must not exceed the
/// distance of the jacket, 2.25 texels: (2 + d)² + 0.25² = 2.25².
const TROUSERS: f64 = 0.236_067_977_499_789_7;

impl Figure {
    /// Returns the faces of all solids except those that another part covers.
    ///
    /// Overlays between two parts are visible only as rims. Their outer sides look like collars and
    /// hems. Their inner sides look like specks, so they are left out; and so are both sides
    /// between the legs, since trousers are one piece.
    pub(crate) fn surfaces(&self) -> Vec<Surface> {
        let skeleton = self.skeleton();
        let parts: Vec<Part> = self.parts().collect();
        let base = |&part: &Part| self.faces(&skeleton, part, Layer::Base);
        let bases: Vec<Vec<Surface>> = parts.iter().map(base).collect();
        // The parts of the body come first. Other parts cover no faces.
        let body = &bases[..self.body.len()];
        let contacts_of_parts: Vec<Vec<Contact>> = bases
            .iter()
            .map(|faces| Contact::of_all(faces, body))
            .collect();
        let mut surfaces = Vec::new();
        for ((part, faces), contacts) in parts.into_iter().zip(bases).zip(contacts_of_parts) {
            surfaces.extend(visible_faces(faces, &contacts, Layer::Base));
            if part.layers(self.layers).contains(&Layer::Overlay) {
                let overlay = self.faces(&skeleton, part, Layer::Overlay);
                surfaces.extend(visible_faces(overlay, &contacts, Layer::Overlay));
            }
        }
        surfaces
    }

    /// Returns the planes in which the halves of bent limbs meet.
    pub(crate) fn joints(&self) -> Vec<Plane> {
        let skeleton = self.skeleton();
        let joint = |&part: &Part| skeleton.joint(&part.cuboid(self.model));
        self.body.iter().filter_map(joint).collect()
    }

    fn skeleton(&self) -> Skeleton {
        Skeleton::new(&self.pose, self.is_upside_down)
    }

    /// Returns the faces of a part's layer.
    fn faces(&self, skeleton: &Skeleton, part: Part, layer: Layer) -> Vec<Surface> {
        let mut inflation = layer.inflation(part);
        let leg = match part {
            Part::RightLeg => self.pose.right_leg,
            Part::LeftLeg => self.pose.left_leg,
            _ => Rotation::ZERO,
        };
        if layer == Layer::Overlay && leg != Rotation::ZERO {
            inflation.x = TROUSERS;
            inflation.z = TROUSERS;
        }
        let cuboid = part.cuboid(self.model);
        let center = skeleton.transform(part).transform_point3(cuboid.center());
        let solids = skeleton.solids(&cuboid, inflation);
        let faces = solids
            .iter()
            .flat_map(|solid| Surface::of_solid(&cuboid, layer, solid, center));
        faces.collect()
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let ears: &[Part] = if self.has_ears {
            &[Part::RightEar, Part::LeftEar]
        } else {
            &[]
        };
        self.body.iter().chain(ears).chain(self.back).copied()
    }

    /// Returns the corners of some parts, with their overlays, on a player of the wider model.
    pub(crate) fn corners(&self, parts: &[Part]) -> Vec<DVec3> {
        let skeleton = self.skeleton();
        let mut corners = Vec::new();
        for &part in parts {
            let layers = part.layers(Layers::WithOverlay);
            let outer = layers[layers.len() - 1];
            let cuboid = part.cuboid(Model::Classic);
            for solid in skeleton.solids(&cuboid, outer.inflation(part)) {
                corners.extend(solid.corners);
            }
        }
        corners
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

/// Returns the visible faces of a layer, given the contacts of its part's sides.
fn visible_faces(faces: Vec<Surface>, contacts: &[Contact], layer: Layer) -> Vec<Surface> {
    let mut visible = Vec::new();
    for (mut face, contact) in faces.into_iter().zip(contacts) {
        if contact.shows(face.part, layer) {
            face.is_one_sided |= *contact != Contact::None;
            visible.push(face);
        }
    }
    visible
}

/// The relation of a side of a part to sides of other parts that look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contact {
    None,
    /// The side lies within a side of this part.
    Covered(Part),
    /// A side of another part lies within the side.
    Covering,
}

impl Contact {
    /// Returns the contacts of some faces with the faces of the body. `body` has a list for
    /// each part.
    fn of_all(faces: &[Surface], body: &[Vec<Surface>]) -> Vec<Contact> {
        let contact = |face: &Surface| Contact::of(face, body.iter().flatten());
        faces.iter().map(contact).collect()
    }

    fn of<'a>(face: &Surface, body: impl Iterator<Item = &'a Surface>) -> Contact {
        let mut contact = Contact::None;
        for other in body.filter(|other| other.part != face.part) {
            if face.lies_within(other) {
                return Contact::Covered(other.part);
            }
            if other.lies_within(face) {
                contact = Contact::Covering;
            }
        }
        contact
    }

    /// Returns `true` if a face with this contact is drawn in a layer of its part.
    fn shows(self, part: Part, layer: Layer) -> bool {
        let Contact::Covered(other) = self else {
            return true;
        };
        layer == Layer::Overlay && !(part.is_leg() && other.is_leg())
    }
}
