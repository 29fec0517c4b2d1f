//! Boxes in space, and their faces with the texture on them.

use crate::model::{Cuboid, Face, Layer, Part, Region};
use crate::scene::fragment::Plane;
use glam::{DAffine3, DVec3};

/// The distance up to which a point is on a plane, in texels. It is far above rounding errors and far
/// below what can be seen.
pub(crate) const TOLERANCE: f64 = 1e-7;

/// Returns the smallest and the greatest number.
pub(crate) fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::MAX, f64::MIN], |[min, max], number| {
        [min.min(number), max.max(number)]
    })
}

/// Returns the corners of a polygon, each with the next one.
pub(crate) fn sides<T: Copy>(corners: &[T]) -> impl Iterator<Item = [T; 2]> {
    let next = |index| (index + 1) % corners.len();
    (0..corners.len()).map(move |index| [index, next(index)].map(|index| corners[index]))
}

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

/// The middle of the figure in texels of the flat views, which count from the right arm.
const CENTER_X: f64 = 8.0;

/// A corner of a box: the axes along which it has the greater coordinate, as bits. `x` is the lowest one.
type BoxCorner = usize;

/// The corners of a part's box, inflated so far along each axis, moved from where they are when the player stands.
pub(crate) fn box_corners(cuboid: &Cuboid, inflation: DVec3, transform: DAffine3) -> [DVec3; 8] {
    let least = DVec3::from(cuboid.position.map(f64::from)) - DVec3::X * CENTER_X;
    let greatest = least + DVec3::from(cuboid.size.map(f64::from));
    let (min, max) = (least - inflation, greatest + inflation);
    [0, 1, 2, 3, 4, 5, 6, 7].map(|corner: BoxCorner| {
        let is_far = [0, 1, 2].map(|axis| corner >> axis & 1 == 1);
        transform.transform_point3(DVec3::select(is_far.into(), max, min))
    })
}

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
    pub(crate) fn of_part(
        cuboid: &Cuboid,
        layer: Layer,
        inflation: DVec3,
        transform: DAffine3,
    ) -> [Surface; 6] {
        let points = box_corners(cuboid, inflation, transform);
        let direction = |axis: BoxCorner| transform.matrix3.col(axis.trailing_zeros() as usize);
        // Faces that share an edge share its line.
        let corner = |[at, next]: [BoxCorner; 2]| Corner {
            point: points[at],
            edge: Line::through(points[at & next], direction(at ^ next)),
        };
        Face::ALL.map(|face| {
            let [a, b, c, d] = corners_of(face);
            // Opposite corners differ along both other axes.
            let axis = 7 ^ a ^ c;
            let outward = if a & axis == 0 { -1.0 } else { 1.0 };
            Surface {
                part: cuboid.part,
                is_one_sided: layer == Layer::Base && cuboid.part.is_opaque(),
                region: cuboid.region(layer, face),
                normal: direction(axis) * outward,
                corners: [[a, b], [b, c], [c, d], [d, a]].map(corner),
                center: (points[0] + points[7]) * 0.5,
            }
        })
    }

    /// The plane of the face, in front of which its outer side is seen.
    pub(crate) fn plane(&self) -> Plane {
        Plane::through(self.corners[0].point, self.normal)
    }

    /// Returns `true` if both faces have the same corners.
    pub(crate) fn covers(&self, other: &Surface) -> bool {
        let is_corner = |point: DVec3| {
            let mut corners = other.corners.iter();
            corners.any(|corner| (corner.point - point).length() < TOLERANCE)
        };
        self.corners.iter().all(|corner| is_corner(corner.point))
    }

    /// The directions of the texture's columns and rows, as long as the face.
    pub(crate) fn extents(&self) -> [DVec3; 2] {
        let [origin, right, _, below] = self.corners.map(|corner| corner.point);
        [right - origin, below - origin]
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
