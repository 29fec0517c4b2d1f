//! Polygons on a picture.

use glam::DVec2;

use crate::scene::geometry::sides;

/// The corners of a convex polygon on the picture.
pub(super) type Polygon = Vec<DVec2>;

/// The width in pixels below which the texels of a large skin leave parts of pixels unpainted,
/// since they have no room to overlap.
pub(super) const FINE: f64 = 2.0;

/// The most opaque parts of a piece that count. Noise has many, and hides hardly anything.
pub(super) const MAX_PARTS: usize = 64;

/// The part of the picture that an opaque part of a piece hides.
pub(super) struct Cover {
    /// The least and the greatest places.
    pub(super) bounds: [DVec2; 2],
    /// The sides of the piece.
    pub(super) outline: Polygon,
    pub(super) parts: Vec<Polygon>,
}

impl Cover {
    /// Returns `true` if all points lie in one part.
    pub(super) fn hides(&self, points: &[DVec2]) -> bool {
        if let Some(&first) = points.first()
            && !self.may_hide(first)
        {
            return false;
        }
        let hides = |part| points.iter().all(|point| contains(part, *point));
        self.parts.iter().any(hides)
    }

    /// Returns `true` if a point lies in the piece, which is quickly found out.
    fn may_hide(&self, point: DVec2) -> bool {
        let [min, max] = self.bounds;
        let is_near = point.cmpge(min).all() && point.cmple(max).all();
        is_near && contains(&self.outline, point)
    }
}

/// Returns `true` if a point lies in a polygon.
fn contains(polygon: &Polygon, point: DVec2) -> bool {
    let mut least = 0.0_f64;
    let mut most = 0.0_f64;
    for [start, end] in sides(polygon) {
        let turn = (end - start).perp_dot(point - start);
        least = least.min(turn);
        most = most.max(turn);
        // Most points are outside of one of the first sides.
        if least * most < 0.0 {
            return false;
        }
    }
    least < most
}

/// Returns `true` if all sides of a polygon are longer than the texels that need a ground.
pub(super) fn is_large(polygon: &Polygon) -> bool {
    sides(polygon).all(|[start, end]| start.distance(end) > FINE)
}

/// A side of a polygon.
struct Side {
    start: DVec2,
    /// The way out of the polygon.
    outwards: DVec2,
    /// The ends of the side after it is moved outwards, if the polygon may continue to there.
    beyond: Option<[DVec2; 2]>,
}

/// Returns a polygon that lies below an opaque one. Where other polygons cover its surroundings, it
/// continues by `overlap` beyond its sides. Elsewhere it ends `inset` inside of them.
pub(super) fn below(
    polygon: &Polygon,
    overlap: f64,
    inset: f64,
    is_covered: impl Fn(DVec2) -> bool,
) -> Polygon {
    let middle = polygon.iter().sum::<DVec2>() / polygon.len() as f64;
    let mut all_sides = Vec::new();
    for [start, end] in sides(polygon) {
        all_sides.push(side(start, end, middle, overlap, &is_covered));
    }
    let outer = outer_corners(&all_sides);
    let are_all_passed = all_sides.iter().all(|side| side.beyond.is_some());
    if are_all_passed && outer.iter().all(|corner| is_covered(*corner)) {
        return outer;
    }
    let mut corners = Polygon::new();
    for side in all_sides {
        corners.push(side.start.move_towards(middle, inset));
        if let Some(beyond) = side.beyond {
            corners.extend(beyond);
        }
    }
    corners
}

/// Returns a side of a polygon with this middle.
fn side(
    start: DVec2,
    end: DVec2,
    middle: DVec2,
    overlap: f64,
    is_covered: impl Fn(DVec2) -> bool,
) -> Side {
    let along = (end - start).normalize_or_zero() * overlap;
    let outwards = along.perp() * along.perp().dot(start - middle).signum();
    let beyond = [start + along + outwards, end - along + outwards];
    // The ends may be covered and places between them not, or far places and near ones not.
    let between = [0.5, 0.25, 0.75].map(|share| beyond[0].lerp(beyond[1], share));
    let near = between.map(|place| place - outwards / 2.0);
    let mut places = beyond.into_iter().chain(between).chain(near);
    let is_passed = start.distance(end) > 2.0 * overlap && places.all(is_covered);
    Side {
        start,
        outwards,
        beyond: if is_passed { Some(beyond) } else { None },
    }
}

/// Returns the corners of a polygon, each moved outwards by both of its sides. At a right angle,
/// that is the corner of the moved sides; at a blunt one it lies a little beyond, and at a sharp
/// one a little within. It only has to lie outside of the polygon, below another one.
fn outer_corners(sides: &[Side]) -> Polygon {
    let mut corners = Polygon::new();
    for (number, side) in sides.iter().enumerate() {
        let before = number.checked_sub(1).unwrap_or(sides.len() - 1);
        corners.push(side.start + side.outwards + sides[before].outwards);
    }
    corners
}
