//! Points, lines and planes in space.

use glam::{DVec3, DVec4};

/// The distance up to which a point is on a plane, in texels. It is far above rounding errors and
/// far below what can be seen.
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
    (0..corners.len()).map(move |index| [corners[index], corners[next(index)]])
}

/// A straight line in space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// The point nearest to the origin.
    pub(crate) anchor: DVec3,
    /// One of the two opposite directions, of length 1.
    pub(crate) direction: DVec3,
}

/// An oriented plane: a normal of length 1, and its negative distance from the origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane(DVec4);

impl Line {
    /// The line through a point. All points of a line give the same line, except for rounding.
    pub(crate) fn through(point: DVec3, direction: DVec3) -> Line {
        Line {
            anchor: point - direction * point.dot(direction),
            direction,
        }
    }
}

impl Plane {
    /// The plane through a point with a normal of length 1.
    pub(crate) fn through(point: DVec3, normal: DVec3) -> Plane {
        Plane(normal.extend(-normal.dot(point)))
    }

    /// The signed distance of a point.
    pub(crate) fn distance(&self, point: DVec3) -> f64 {
        self.0.dot(point.extend(1.0))
    }

    /// The signed distance of a point, 0 if it is on the plane.
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        let height = self.distance(point);
        if height.abs() < TOLERANCE {
            0.0
        } else {
            height
        }
    }

    /// Returns the plane as seen from the other side.
    pub(crate) fn reversed(self) -> Plane {
        Plane(-self.0)
    }

    pub(crate) fn normal(self) -> DVec3 {
        self.0.truncate()
    }
}
