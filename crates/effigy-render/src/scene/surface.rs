//! Faces of solids, with the texture on them.

use crate::model::{Cuboid, Face, Layer, Part, Region};
use crate::scene::geometry::{Line, Plane, TOLERANCE, sides};
use crate::scene::solid::{BoxCorner, DEPTH, LENGTH, Section, Solid, WIDTH};
use glam::DVec3;

/// A corner of a polygon, and the line on which the edge to the next corner lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    pub(crate) point: DVec3,
    pub(crate) edge: Line,
}

/// A face of a solid.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) part: Part,
    /// `true` for the front, the back and the sides of a part.
    pub(crate) is_lateral: bool,
    /// `true` if the inner side of the face is not drawn.
    pub(crate) is_one_sided: bool,
    /// The region of the texture that covers the face.
    pub(crate) region: Region,
    /// The outward normal, of length 1.
    pub(crate) normal: DVec3,
    /// The top left corner, then the others in the order right, bottom, left.
    pub(crate) corners: [Corner; 4],
    /// The top left corner of the region.
    pub(crate) origin: DVec3,
    /// The upper and the left side of the region if its rows were evenly spaced.
    pub(crate) extents: [DVec3; 2],
    /// The distances between the rows, unless they are equal.
    pub(crate) spacing: Option<Spacing>,
    /// The center of the straight part, which decides between faces on one plane.
    pub(crate) center: DVec3,
}

/// The heights of the rows of a texture, as multiples of the usual height: one before a line
/// between rows, and another after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spacing {
    /// The number of the line.
    pub(crate) line: f64,
    pub(crate) before: f64,
    pub(crate) after: f64,
}

impl Spacing {
    /// Returns the spacing of a texture that has more rows by this factor.
    pub(crate) fn scaled(self, factor: f64) -> Spacing {
        Spacing {
            line: self.line * factor,
            ..self
        }
    }

    /// Returns the distance of a line from the origin, in rows of the usual height.
    #[inline(always)]
    pub(crate) fn place_of(self, line: f64) -> f64 {
        let further = line - self.line;
        self.line + further * self.height_of_rows(further)
    }

    /// Returns the line at a distance from the origin: the inverse of [`Spacing::place_of`].
    #[inline(always)]
    pub(crate) fn line_at(self, place: f64) -> f64 {
        let further = place - self.line;
        self.line + further / self.height_of_rows(further)
    }

    /// Returns the height of the rows that lie this far after the line, or before it.
    #[inline(always)]
    fn height_of_rows(self, further: f64) -> f64 {
        if further > 0.0 {
            self.after
        } else {
            self.before
        }
    }
}

impl Surface {
    /// The faces of a solid. Halves of a limb have no face at their joint.
    pub(crate) fn of_solid(
        cuboid: &Cuboid,
        layer: Layer,
        solid: &Solid,
        center: DVec3,
    ) -> Vec<Surface> {
        let inner_end = match solid.section {
            Section::Whole => None,
            Section::Upper => Some(Face::Bottom),
            Section::Lower => Some(Face::Top),
        };
        let faces = Face::ALL
            .into_iter()
            .filter(|face| Some(*face) != inner_end);
        let surface = |face| Surface::new(cuboid, layer, solid, center, face);
        faces.map(surface).collect()
    }

    fn new(cuboid: &Cuboid, layer: Layer, solid: &Solid, center: DVec3, face: Face) -> Surface {
        let around = corners_of(face);
        let [a, b, c, d] = around;
        let is_lateral = !matches!(face, Face::Top | Face::Bottom);
        let points = if is_lateral {
            &solid.level_corners
        } else {
            &solid.corners
        };
        let [origin, right, _, below] = around.map(|corner| points[corner]);
        let extents = [right - origin, below - origin];
        let region = region_of(cuboid, layer, solid.section, face);
        Surface {
            part: cuboid.part,
            is_lateral,
            is_one_sided: layer == Layer::Base && cuboid.part.is_opaque(),
            region,
            normal: outward_normal(solid, around),
            corners: [[a, b], [b, c], [c, d], [d, a]].map(|side| corner(solid, side)),
            origin,
            extents,
            spacing: if is_lateral {
                spacing(solid, around, region)
            } else {
                None
            },
            center,
        }
    }

    /// The plane of the face, in front of which its outer side is seen.
    pub(crate) fn plane(&self) -> Plane {
        Plane::through(self.corners[0].point, self.normal)
    }

    /// Returns `true` if this side of a part lies within a side of another part that looks at it.
    pub(crate) fn lies_within(&self, other: &Surface) -> bool {
        let are_sides = self.is_lateral && other.is_lateral;
        let look_at_each_other = self.normal.dot(other.normal) <= TOLERANCE - 1.0;
        if !are_sides || !look_at_each_other {
            return false;
        }
        let plane = other.plane();
        let is_beside_plane = |corner: &Corner| plane.height(corner.point) != 0.0;
        if self.corners.iter().any(is_beside_plane) {
            return false;
        }
        sides(&other.corners).all(|[from, to]| {
            let inwards = other.normal.cross(to.point - from.point).normalize();
            let border = Plane::through(from.point, inwards);
            self.corners
                .iter()
                .all(|corner| border.height(corner.point) >= 0.0)
        })
    }

    /// Returns the number of the line between columns (axis 0) or rows (axis 1) that goes through a
    /// point, in texels of a 64 x 64 skin.
    pub(crate) fn line_at(&self, axis: usize, point: DVec3) -> f64 {
        let across_lines = self.across_lines(axis);
        let share = (point - self.origin).dot(across_lines) / self.extents[axis].dot(across_lines);
        let place = share * f64::from(self.region.size[axis]);
        match self.spacing_along(axis) {
            None => place,
            Some(spacing) => spacing.line_at(place),
        }
    }

    /// Returns a point of the line of this number between columns or rows: the inverse of
    /// [`Surface::line_at`].
    pub(crate) fn point_on_line(&self, axis: usize, line: f64) -> DVec3 {
        let place = match self.spacing_along(axis) {
            None => line,
            Some(spacing) => spacing.place_of(line),
        };
        self.origin + self.extents[axis] * (place / f64::from(self.region.size[axis]))
    }

    /// Returns the direction within the face at right angles to the lines between columns or rows.
    /// An oblique end is a parallelogram, whose sides have other directions.
    pub(crate) fn across_lines(&self, axis: usize) -> DVec3 {
        let extent = self.extents[axis];
        let along_lines = self.extents[1 - axis];
        extent - extent.project_onto(along_lines)
    }

    /// Returns the distances between columns or rows, unless they are equal. Distances between
    /// columns always are.
    pub(crate) fn spacing_along(&self, axis: usize) -> Option<Spacing> {
        if axis == 0 { None } else { self.spacing }
    }
}

/// Returns a corner of a face and the edge to the next one. Faces that share an edge share its
/// line.
fn corner(solid: &Solid, [at, next]: [BoxCorner; 2]) -> Corner {
    // Both faces find the same end, the one with the lesser coordinate.
    let first = at & next;
    let axis = at ^ next;
    let direction = solid.direction(first, axis);
    Corner {
        point: solid.corners[at],
        edge: Line::through(solid.corners[first], direction),
    }
}

/// Returns the outward normal of a face with these corners.
fn outward_normal(solid: &Solid, [a, b, c, d]: [BoxCorner; 4]) -> DVec3 {
    let axes_within_face = a ^ c;
    let axis = (WIDTH | LENGTH | DEPTH) ^ axes_within_face;
    let is_far = a & axis != 0;
    let outward = solid.axis(axis) * if is_far { 1.0 } else { -1.0 };
    let is_level = [a, b, c, d].iter().all(|&end| solid.is_level_at(end));
    if axis != LENGTH || is_level {
        return outward;
    }
    // An oblique end.
    let corners = &solid.corners;
    let normal = (corners[b] - corners[a])
        .cross(corners[d] - corners[a])
        .normalize();
    if normal.dot(outward) < 0.0 {
        -normal
    } else {
        normal
    }
}

/// Returns the region of the skin that covers a face. A half of a limb has half of the rows.
fn region_of(cuboid: &Cuboid, layer: Layer, section: Section, face: Face) -> Region {
    let mut region = cuboid.region(layer, face);
    if section == Section::Whole || matches!(face, Face::Top | Face::Bottom) {
        return region;
    }
    region.size[1] /= 2;
    if section == Section::Lower {
        region.at[1] += region.size[1];
    }
    region
}

/// Returns the spacing of the rows of a face along a solid's length. If an oblique end reaches
/// beyond the level end, the row next to it is higher, so that it reaches the farthest point.
fn spacing(solid: &Solid, [a, b, c, d]: [BoxCorner; 4], region: Region) -> Option<Spacing> {
    let level = &solid.level_corners;
    let down = level[d] - level[a];
    let rows = f64::from(region.size[1]);
    // The distance from the level end, in rows.
    let beyond = |corner: BoxCorner| {
        (solid.corners[corner] - level[corner]).dot(down) / down.length_squared() * rows
    };
    let highest = beyond(a).min(beyond(b));
    let lowest = beyond(c).max(beyond(d));
    if highest < -TOLERANCE {
        return Some(Spacing {
            line: 1.0,
            before: 1.0 - highest,
            after: 1.0,
        });
    }
    if lowest > TOLERANCE {
        return Some(Spacing {
            line: rows - 1.0,
            before: 1.0,
            after: 1.0 + lowest,
        });
    }
    None
}

/// The corners of a face, from the top left one of its texture in the order right, bottom, left.
/// The textures of the sides follow one another around the box; the textures of top and bottom run
/// from the back to the front.
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
