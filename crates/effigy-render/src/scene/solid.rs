//! Boxes in space, and their faces with the texture on them.

use crate::model::{Cuboid, Face, Layer, Part, Region};
use glam::{DAffine3, DVec3};

/// The distance up to which a point is on a plane, in texels. It is far above rounding errors and far
/// below what can be seen.
pub(crate) const TOLERANCE: f64 = 1e-7;

/// A straight line in space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// The point nearest to the origin.
    pub(crate) anchor: DVec3,
    /// Of length 1, either way.
    pub(crate) direction: DVec3,
}

/// A corner of a polygon, and the line on which the edge to the next corner lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    pub(crate) point: DVec3,
    pub(crate) edge: Line,
}

/// A face of a box.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) part: Part,
    /// `true` if its inner side is not drawn.
    pub(crate) is_one_sided: bool,
    /// The region of the texture that covers the face.
    pub(crate) region: Region,
    /// The outward normal, of length 1.
    pub(crate) normal: DVec3,
    /// The top left corner of the region, then the others in the order right, bottom, left.
    pub(crate) corners: [Corner; 4],
    /// The center of the part, which decides between faces on one plane.
    pub(crate) center: DVec3,
}

/// The box of a part's layer.
pub(crate) struct Solid {
    /// The corners with the smallest and the greatest coordinates, before the box is moved.
    min: [f64; 3],
    max: [f64; 3],
    transform: DAffine3,
}

/// The middle of the figure in texels of the flat views, which count from the right arm.
const CENTER_X: f64 = 8.0;

/// A corner of a box: the axes along which it has the greater coordinate, as bits. `x` is the lowest one.
type BoxCorner = usize;

impl Line {
    /// The line through a point. Points of one line give the same line as far as numbers allow.
    pub(crate) fn through(point: DVec3, direction: DVec3) -> Line {
        Line {
            anchor: point - direction * point.dot(direction),
            direction,
        }
    }
}

impl Surface {
    /// The six faces of a part's layer, moved from where they are when the player stands.
    pub(crate) fn of_part(cuboid: &Cuboid, layer: Layer, transform: DAffine3) -> [Surface; 6] {
        let solid = Solid::new(cuboid, layer, transform);
        let center = solid.corner(0) + solid.corner(7);
        Face::ALL.map(|face| {
            let corners = corners_of(face);
            Surface {
                part: cuboid.part,
                is_one_sided: layer == Layer::Base && cuboid.part.is_opaque(),
                region: cuboid.region(layer, face),
                normal: solid.normal(corners),
                corners: solid.outline(corners),
                center: center * 0.5,
            }
        })
    }

    /// Returns `true` if both faces have the same corners.
    pub(crate) fn covers(&self, other: &Surface) -> bool {
        let is_corner = |point: DVec3| {
            let mut corners = other.corners.iter();
            corners.any(|corner| (corner.point - point).length() < TOLERANCE)
        };
        self.corners.iter().all(|corner| is_corner(corner.point))
    }

    /// The numbers of texel columns and rows in a texture of this scale.
    pub(crate) fn texels(&self, scale: u32) -> [usize; 2] {
        self.region.size.map(|texels| (texels * scale) as usize)
    }

    /// The first texel in a texture of this scale.
    pub(crate) fn first_texel(&self, scale: u32) -> [usize; 2] {
        self.region.at.map(|texels| (texels * scale) as usize)
    }

    /// Returns the place of a point of the face along its columns or rows, as a share of the face.
    pub(crate) fn share_at(&self, point: DVec3, axis: usize) -> f64 {
        let extent = self.extents()[axis];
        (point - self.corners[0].point).dot(extent) / extent.dot(extent)
    }

    /// The directions of the texture's columns and rows, as long as the face.
    pub(crate) fn extents(&self) -> [DVec3; 2] {
        let [origin, right, _, below] = self.corners.map(|corner| corner.point);
        [right - origin, below - origin]
    }
}

impl Solid {
    pub(crate) fn new(cuboid: &Cuboid, layer: Layer, transform: DAffine3) -> Solid {
        let inflation = layer.inflation(cuboid.part);
        let [x, y, z] = cuboid.position.map(f64::from);
        let [w, h, d] = cuboid.size.map(f64::from);
        let x = x - CENTER_X;
        Solid {
            min: [x, y, z].map(|least| least - inflation),
            max: [x + w, y + h, z + d].map(|greatest| greatest + inflation),
            transform,
        }
    }

    pub(crate) fn corners(&self) -> [DVec3; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|corner| self.corner(corner))
    }

    fn corner(&self, corner: BoxCorner) -> DVec3 {
        let far = |axis: usize| corner >> axis & 1 == 1;
        let [x, y, z] = [0, 1, 2].map(|axis| if far(axis) { self.max } else { self.min }[axis]);
        self.transform.transform_point3(DVec3::new(x, y, z))
    }

    /// The direction of an axis of the box, which is given as its bit.
    fn axis(&self, axis: BoxCorner) -> DVec3 {
        self.transform.matrix3.col(axis.trailing_zeros() as usize)
    }

    /// The outward normal of a face: along the axis on which its corners agree.
    fn normal(&self, [a, _, c, _]: [BoxCorner; 4]) -> DVec3 {
        // Opposite corners differ along both other axes.
        let axis = 7 ^ a ^ c;
        let direction = self.axis(axis);
        direction * if a & axis == 0 { -1.0 } else { 1.0 }
    }

    /// The corners of a face. Faces that share an edge share its line.
    fn outline(&self, corners: [BoxCorner; 4]) -> [Corner; 4] {
        let [a, b, c, d] = corners;
        [(a, b), (b, c), (c, d), (d, a)].map(|(corner, next)| {
            let along = corner ^ next;
            Corner {
                point: self.corner(corner),
                edge: Line::through(self.corner(corner & next), self.axis(along)),
            }
        })
    }
}

/// The corners of a face, from the top left one of its texture in the order right, bottom, left. The textures of the
/// sides follow one another around the box; those of top and bottom run from the back to the front.
fn corners_of(face: Face) -> [BoxCorner; 4] {
    match face {
        Face::Front => [4, 5, 7, 6],
        Face::Right => [0, 4, 6, 2],
        Face::Back => [1, 0, 2, 3],
        Face::Left => [5, 1, 3, 7],
        Face::Top => [0, 1, 5, 4],
        Face::Bottom => [2, 3, 7, 6],
    }
}
