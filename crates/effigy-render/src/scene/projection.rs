//! From the model to the picture.

use crate::scene::solid::Line;
use crate::scene::vec3::{Vec3, range};

/// Fractional bits of coordinates of a picture, which are integers so that sums are exact.
pub(crate) const FRACTION_BITS: u32 = 32;

/// A pixel.
pub(crate) const PIXEL: i64 = 1 << FRACTION_BITS;

/// Maps points of the model to a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    right: Vec3,
    down: Vec3,
    /// The direction of the viewer, of length 1.
    pub(crate) toward: Vec3,
    origin: [f64; 2],
}

/// A straight line on the picture.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProjectedLine {
    /// All its points have this `x`.
    Upright(i64),
    Sloped(SlopedLine),
}

/// A line that meets every column once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlopedLine {
    /// `y` where `x` is 0. It may overflow, as [`SlopedLine::at`] does: what is added up to less than
    /// 2^63 is right.
    start: i64,
    slope: Slope,
}

/// The change of `y` with `x`, with as many fractional bits as coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slope(i64);

/// Lines that are steeper count as upright.
const STEEPEST: f64 = (1 << 30) as f64;

impl Projection {
    /// Creates a projection in which a step along the model's axes moves a point to the right and down by
    /// these numbers of pixels.
    pub(crate) fn new(right: Vec3, down: Vec3) -> Projection {
        Projection {
            right,
            down,
            toward: right.cross(down).normalized(),
            origin: [0.0; 2],
        }
    }

    /// Moves the middle of the points to the middle of a picture of this width and height.
    pub(crate) fn centered(self, points: &[Vec3], picture: [f64; 2]) -> Projection {
        let middle = |axis: usize| {
            let [min, max] = self.range(axis, points);
            (picture[axis] - min - max) / 2.0
        };
        self.moved([middle(0), middle(1)])
    }

    /// Moves points along an axis of a picture of this width and height, as little as puts them inside.
    pub(crate) fn moved_inside(
        self,
        axis: usize,
        points: &[Vec3],
        picture: [f64; 2],
    ) -> Projection {
        let [min, max] = self.range(axis, points);
        let mut distance = [0.0; 2];
        distance[axis] = (picture[axis] - max).min(0.0) + (-min).max(0.0);
        self.moved(distance)
    }

    /// Moves all points by these pixels.
    pub(crate) fn moved(self, distance: [f64; 2]) -> Projection {
        Projection {
            origin: [0, 1].map(|axis| self.origin[axis] + distance[axis]),
            ..self
        }
    }

    /// Returns the share of their size, at most 1, at which points fit into a picture of this width and height.
    pub(crate) fn share_that_fits(&self, points: &[Vec3], picture: [f64; 2]) -> f64 {
        [0, 1].into_iter().fold(1.0, |share, axis| {
            let [min, max] = self.range(axis, points);
            share.min(picture[axis] / (max - min))
        })
    }

    /// Returns the least and the greatest position of points along an axis of the picture.
    pub(crate) fn range(&self, axis: usize, points: &[Vec3]) -> [f64; 2] {
        range(points.iter().map(|&point| self.point(point)[axis]))
    }

    /// Moves a point to a position in pixels.
    pub(crate) fn with_point_at(self, point: Vec3, position: [f64; 2]) -> Projection {
        let at = self.point(point);
        self.moved([0, 1].map(|axis| position[axis] - at[axis]))
    }

    /// Returns the position of a point in pixels.
    pub(crate) fn point(&self, point: Vec3) -> [f64; 2] {
        let [x, y] = self.direction(point);
        [x + self.origin[0], y + self.origin[1]]
    }

    /// Returns the movement on the picture for one in the model.
    pub(crate) fn direction(&self, direction: Vec3) -> [f64; 2] {
        [self.right.dot(direction), self.down.dot(direction)]
    }

    pub(crate) fn line(&self, line: Line) -> ProjectedLine {
        let [x, y] = self.point(line.anchor).map(to_fixed);
        match slope(self.direction(line.direction)) {
            None => ProjectedLine::Upright(x),
            Some(slope) => {
                let slope = Slope::new(slope);
                ProjectedLine::Sloped(SlopedLine {
                    start: y.wrapping_sub(slope.rise(x)),
                    slope,
                })
            }
        }
    }
}

impl SlopedLine {
    #[inline]
    pub(crate) fn at(self, x: i64) -> i64 {
        self.start.wrapping_add(self.slope.rise(x))
    }

    /// The change of `y` with `x`, upwards or downwards.
    pub(crate) fn steepness(self) -> f64 {
        to_pixels(self.slope.0).abs()
    }
}

impl Slope {
    pub(crate) fn new(slope: f64) -> Slope {
        Slope(to_fixed(slope))
    }

    /// The change of `y` over a distance.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "see `SlopedLine::start`")]
    pub(crate) fn rise(self, distance: i64) -> i64 {
        ((i128::from(self.0) * i128::from(distance)) >> FRACTION_BITS) as i64
    }
}

/// Returns the slope of a direction on the picture unless it is upright.
pub(crate) fn slope([x, y]: [f64; 2]) -> Option<f64> {
    (x.abs() * STEEPEST > y.abs()).then(|| y / x)
}

/// Converts pixels to a coordinate.
#[expect(
    clippy::cast_possible_truncation,
    reason = "what is out of range is not on a picture"
)]
pub(crate) fn to_fixed(pixels: f64) -> i64 {
    let scaled = pixels * PIXEL as f64;
    (scaled + 0.5_f64.copysign(scaled)) as i64
}

/// Converts a coordinate to pixels.
pub(crate) fn to_pixels(coordinate: i64) -> f64 {
    coordinate as f64 / PIXEL as f64
}
