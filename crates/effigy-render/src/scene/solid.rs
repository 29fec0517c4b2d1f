//! Convex pieces of parts: boxes, some of which have oblique ends.

use crate::model::Cuboid;
use crate::scene::geometry::Plane;
use glam::{DAffine3, DMat3, DVec3};

/// A convex piece of a part: a box whose lower or upper end may be oblique.
#[derive(Debug, Clone)]
pub(crate) struct Solid {
    pub(crate) section: Section,
    /// The corners.
    pub(crate) corners: [DVec3; 8],
    /// The corners if both ends were level. The rows of the texture lie between them.
    pub(crate) level_corners: [DVec3; 8],
    /// The directions of the edges if both ends were level, of length 1.
    axes: DMat3,
}

/// A part, or a half of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Whole,
    /// The half of a bent limb above its joint.
    Upper,
    /// The half of a bent limb below its joint.
    Lower,
}

/// A corner of a box: the sum of the axes along which it has the greater coordinate. Two corners
/// are the ends of an edge if they differ by one axis.
pub(crate) type BoxCorner = usize;

/// An axis of a box, as a bit of a corner.
pub(crate) type Axis = usize;

/// The axis from a part's right to its left, `x`.
pub(crate) const WIDTH: Axis = 1;

/// The axis along a part's length, `y`, from its upper end to its lower end.
pub(crate) const LENGTH: Axis = 2;

/// The axis from the back of a part to its front, `z`.
pub(crate) const DEPTH: Axis = 4;

impl Solid {
    /// The box of a part, inflated by this much along each axis, and moved from its place on a
    /// standing player.
    pub(crate) fn of_part(cuboid: &Cuboid, inflation: DVec3, transform: DAffine3) -> Solid {
        let [min, max] = bounds(cuboid, inflation);
        Solid::new(Section::Whole, min, max, transform)
    }

    /// The halves of a limb that bends in its middle, about an axis along its `x`. The lower half
    /// turns by `bend` in the limb's own coordinates. `tangent` is the tangent of half the angle,
    /// positive if the lower end moves to the front.
    ///
    /// The halves meet in the plane between them. The limb's coordinates have a depth of 0 in its
    /// middle.
    pub(crate) fn halves_of_limb(
        cuboid: &Cuboid,
        inflation: DVec3,
        transform: DAffine3,
        bend: DAffine3,
        tangent: f64,
    ) -> [Solid; 2] {
        let [min, max] = bounds(cuboid, inflation);
        let middle = f64::midpoint(min.y, max.y);
        let mut upper = Solid::new(Section::Upper, min, max.with_y(middle), transform);
        let mut lower = Solid::new(Section::Lower, min.with_y(middle), max, transform * bend);
        for corner in 0..8 {
            let side = corner_of_box(corner, min, max).with_y(middle);
            let joint = transform.transform_point3(side - DVec3::Y * (side.z * tangent));
            let end = if corner & LENGTH == 0 {
                &mut lower
            } else {
                &mut upper
            };
            end.corners[corner] = joint;
        }
        [upper, lower]
    }

    fn new(section: Section, min: DVec3, max: DVec3, transform: DAffine3) -> Solid {
        let corners = [0, 1, 2, 3, 4, 5, 6, 7]
            .map(|corner: BoxCorner| transform.transform_point3(corner_of_box(corner, min, max)));
        Solid {
            section,
            corners,
            level_corners: corners,
            axes: transform.matrix3,
        }
    }

    /// Returns the direction from a corner to the next one along an axis, of length 1.
    pub(crate) fn direction(&self, from: BoxCorner, axis: Axis) -> DVec3 {
        let to = from | axis;
        if self.is_level_at(from) && self.is_level_at(to) {
            return self.axis(axis);
        }
        (self.corners[to] - self.corners[from]).normalize()
    }

    /// Returns `true` if a corner is at its place in a box with level ends.
    pub(crate) fn is_level_at(&self, corner: BoxCorner) -> bool {
        self.corners[corner] == self.level_corners[corner]
    }

    /// Returns the direction of an axis of the box.
    pub(crate) fn axis(&self, axis: Axis) -> DVec3 {
        match axis {
            WIDTH => self.axes.x_axis,
            LENGTH => self.axes.y_axis,
            _ => self.axes.z_axis,
        }
    }

    /// Returns the solid with its lower end on a plane, unless its sides meet the plane too near to
    /// its upper end or too far away from it.
    pub(crate) fn ending_at(mut self, plane: Plane) -> Solid {
        /// The least and the greatest length of a side, as shares of its length with a level end.
        const SHARES: [f64; 2] = [0.1, 2.5];
        let mut corners = self.corners;
        for upper in (0..8).filter(|corner| corner & LENGTH == 0) {
            let lower = upper | LENGTH;
            let from = self.corners[upper];
            let to = self.corners[lower];
            let start = plane.distance(from);
            let end = plane.distance(to);
            let share = start / (start - end);
            if !(SHARES[0]..SHARES[1]).contains(&share) {
                return self;
            }
            corners[lower] = from + (to - from) * share;
        }
        self.corners = corners;
        self
    }

    /// Returns the solid after a movement.
    pub(crate) fn moved(mut self, transform: DAffine3) -> Solid {
        let moved = |point| transform.transform_point3(point);
        self.corners = self.corners.map(moved);
        self.level_corners = self.level_corners.map(moved);
        self.axes = transform.matrix3 * self.axes;
        self
    }
}

/// Returns the least and the greatest corner of a part's box, inflated by this much along each
/// axis.
fn bounds(cuboid: &Cuboid, inflation: DVec3) -> [DVec3; 2] {
    let [least, greatest] = cuboid.bounds();
    [least - inflation, greatest + inflation]
}

/// Returns a corner of the box between two points.
fn corner_of_box(corner: BoxCorner, min: DVec3, max: DVec3) -> DVec3 {
    let is_far = [WIDTH, LENGTH, DEPTH].map(|axis| corner & axis != 0);
    DVec3::select(is_far.into(), max, min)
}
