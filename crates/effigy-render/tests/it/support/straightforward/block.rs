//! The blocks of a part: its box, or the two halves of a limb that bends.

use glam::{DVec2, DVec3};

use super::face::Face;
use super::figure::{Name, Part, turn};

/// A piece of a part's box from one height to another.
pub(super) struct Block {
    /// The heights of its ends while the part is straight.
    from: f64,
    to: f64,
    /// The first row of the part's texture on the sides.
    first: f64,
    /// The number of rows of the part's texture on the sides.
    rows: f64,
    /// The plane at which the upper end lies, unless that has a constant height.
    upper: Option<Slope>,
    /// The plane at which the lower end lies, unless that has a constant height.
    lower: Option<Slope>,
    /// `true` unless the upper end is within a joint.
    has_top: bool,
    /// `true` unless the lower end is within a joint.
    has_bottom: bool,
    /// The degrees by which it turns to the back about the middle of the part.
    bend: f64,
}

/// The height of a plane: `y = level + x across + z along`.
#[derive(Clone, Copy)]
struct Slope {
    level: f64,
    across: f64,
    along: f64,
}

impl Slope {
    fn height(self, x: f64, z: f64) -> f64 {
        self.level + self.across * x + self.along * z
    }
}

impl Block {
    /// The blocks of a part whose layer is this far off it.
    pub(super) fn of(part: &Part, off: DVec3) -> Vec<Block> {
        let from = part.corner.y - off.y;
        let to = part.corner.y + part.size.y + off.y;
        let whole = Block {
            from,
            to,
            first: 0.0,
            rows: part.size.y,
            upper: None,
            lower: None,
            has_top: true,
            has_bottom: true,
            bend: 0.0,
        };
        if part.name == Name::Torso && part.has_waist() {
            let lower = Some(hips(part, off.y));
            let on_hips = Block { lower, ..whole };
            if on_hips.has_sides(part, off) {
                return vec![on_hips];
            }
            return vec![whole];
        }
        if part.bend == 0.0 {
            return vec![whole];
        }
        let middle = f64::midpoint(from, to);
        let along = (part.bend / 2.0).to_radians().tan();
        // The middle of every limb has a depth of 0.
        let end_above = Slope {
            level: middle,
            across: 0.0,
            along,
        };
        let end_below = Slope {
            along: -along,
            ..end_above
        };
        let half = part.size.y / 2.0;
        vec![
            Block {
                to: middle,
                rows: half,
                lower: Some(end_above),
                has_bottom: false,
                ..whole
            },
            Block {
                from: middle,
                first: half,
                rows: half,
                upper: Some(end_below),
                has_top: false,
                bend: part.bend,
                ..whole
            },
        ]
    }

    /// Returns `true` if all upright edges down to the lower plane are from a tenth to 2.5 times as
    /// long as in a whole box.
    fn has_sides(&self, part: &Part, off: DVec3) -> bool {
        let Some(lower) = self.lower else {
            return true;
        };
        let [low, high] = [part.corner - off, part.corner + part.size + off];
        [
            [low.x, low.z],
            [low.x, high.z],
            [high.x, low.z],
            [high.x, high.z],
        ]
        .into_iter()
        .all(|[x, z]| {
            let share = (lower.height(x, z) - self.from) / (self.to - self.from);
            (0.1..2.5).contains(&share)
        })
    }

    /// Front, right, top, back, left and bottom of the block. On the skin the sides lie in the
    /// order right, front, left, back, as if wound round the box; above them lie the top and the
    /// bottom, both from the back to the front.
    pub(super) fn unfold(&self, part: &Part, texture: DVec2, off: DVec3) -> Vec<Face> {
        let [w, _, d] = part.size.to_array();
        let [x0, _, z0] = (part.corner - off).to_array();
        let [x1, _, z1] = (part.corner + part.size + off).to_array();
        let side = |from, to, u| self.side(part, from, to, texture + DVec2::new(u, d));
        let mut faces = vec![
            self.with_width(side([x0, z1], [x1, z1], d), w),
            self.with_width(side([x0, z0], [x0, z1], 0.0), d),
        ];
        if self.has_top {
            let corners = [[x0, z0], [x1, z0], [x0, z1]].map(|[x, z]| [x, self.from, z]);
            faces.push(self.end(part, corners, texture + DVec2::new(d, 0.0), 1.0));
        }
        faces.push(self.with_width(side([x1, z0], [x0, z0], d + w + d), w));
        faces.push(self.with_width(side([x1, z1], [x1, z0], d + w), d));
        if self.has_bottom {
            let height = |x, z| self.lower.map_or(self.to, |slope| slope.height(x, z));
            let corners = [[x0, z0], [x1, z0], [x0, z1]].map(|[x, z]| [x, height(x, z), z]);
            faces.push(self.end(part, corners, texture + DVec2::new(d + w, 0.0), -1.0));
        }
        faces
    }

    /// A top or a bottom, from three of its corners.
    fn end(&self, part: &Part, corners: [[f64; 3]; 3], texel: DVec2, outwards: f64) -> Face {
        let [corner, right, below] = corners.map(|point| self.moved(part, point.into()));
        let columns = right - corner;
        let rows = below - corner;
        Face {
            corner,
            columns,
            rows,
            texel,
            count: DVec2::new(part.size.x, part.size.z),
            bend: [0.0; 2],
            limit: None,
            normal: columns.cross(rows) * outwards,
            center: part.moved(part.corner + part.size / 2.0),
            part: part.name,
            is_lateral: false,
            one_sided: false,
        }
    }

    fn with_width(&self, face: Face, width: f64) -> Face {
        Face {
            count: DVec2::new(width, self.rows),
            ..face
        }
    }

    /// A side between two upright edges. The row at a sloped end reaches the farthest point of that
    /// end's plane.
    fn side(&self, part: &Part, from: [f64; 2], to: [f64; 2], texel: DVec2) -> Face {
        let row = (self.to - self.from) / self.rows;
        let heights = |slope: Slope| [from, to].map(|[x, z]| slope.height(x, z));
        let top = self.upper.map_or(self.from, |slope| {
            heights(slope).into_iter().fold(self.from, f64::min)
        });
        let bottom = self.lower.map_or(self.to, |slope| {
            heights(slope).into_iter().fold(self.to, f64::max)
        });
        let place = |height: f64| (height - top) / (bottom - top);
        let (edge, rows) = if self.upper.is_some() {
            (place(self.from + row), 1.0 / self.rows)
        } else {
            (place(self.to - row), 1.0 - 1.0 / self.rows)
        };
        let point = |[x, z]: [f64; 2], y| self.moved(part, DVec3::new(x, y, z));
        let corner = point(from, top);
        let columns = point(to, top) - corner;
        let below = point(from, bottom) - corner;
        Face {
            corner,
            columns,
            rows: below,
            texel: texel + DVec2::Y * self.first,
            count: DVec2::ZERO,
            bend: [edge, rows],
            limit: self.limit(part),
            normal: columns.cross(below),
            center: part.moved(part.corner + part.size / 2.0),
            part: part.name,
            is_lateral: true,
            one_sided: false,
        }
    }

    /// The plane of the sloped end, from which the block is in front.
    fn limit(&self, part: &Part) -> Option<(DVec3, f64)> {
        let slope = self.upper.or(self.lower)?;
        let [middle, right, front] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
            .map(|[x, z]| self.moved(part, DVec3::new(x, slope.height(x, z), z)));
        // Upwards.
        let normal = (right - middle).cross(front - middle) * -1.0;
        let above = self.moved(part, DVec3::Y * (slope.level - 1.0)) - middle;
        let upwards = normal * normal.dot(above).signum();
        let inwards = if self.upper.is_some() {
            -upwards
        } else {
            upwards
        };
        Some((inwards, inwards.dot(middle)))
    }

    /// Moves a point of the straight part to its place in the pose.
    fn moved(&self, part: &Part, point: DVec3) -> DVec3 {
        let hinge = DVec3::Y * (part.corner.y + part.size.y / 2.0);
        let bent = turn(point - hinge, DVec3::X * self.bend) + hinge;
        part.moved(bent)
    }
}

/// The height of the hips below the torso, where its layer is this far off: in the coordinates of a
/// torso that leans.
fn hips(part: &Part, off: f64) -> Slope {
    let height = |point: DVec3| part.moved_in_body(point).y;
    let origin = height(DVec3::ZERO);
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| height(axis) - origin);
    Slope {
        level: (part.hips + off - origin) / y,
        across: -x / y,
        along: -z / y,
    }
}
