//! The isometric projection from model space to the working canvas, in integers.
//!
//! A texel is u = side / 8 canvas pixels long. A step of one texel moves a point on the canvas by
//! (0.9 u, -0.45 u) along `x`, by (0, u) along `y` and by (0.9 u, 0.45 u) along `z`. Every side is 60
//! times a power of two, so corners and texel edges fall on whole subpixels and nothing is rounded.

use crate::isometric::fragment::{Bounds, QUARTERS_PER_TEXEL};

/// The unit of canvas coordinates is 1/1024 pixel.
pub(crate) const SUBPIXELS_PER_PIXEL: i64 = 1024;

/// Maps points of the model to the working canvas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    /// Canvas width in pixels.
    pub(crate) width: u64,
    /// Canvas height in pixels.
    pub(crate) height: u64,
    /// Horizontal movement in subpixels for a quarter of a texel along `x` or `z`. The vertical
    /// movement is half of it.
    pub(crate) horizontal_step: i64,
    /// Vertical movement in subpixels for a quarter of a texel along `y`.
    pub(crate) vertical_step: i64,
    origin: [i64; 2],
}

/// The vertical line on which the pixels of a canvas column are sampled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleLine {
    pub(crate) x: i64,
    /// Half of the distance from the projection's origin, to the right.
    pub(crate) half_offset: i64,
}

impl Projection {
    /// Creates the projection for a canvas of this size and side, with the given boxes in its
    /// center.
    pub(crate) fn centered(
        [width, height]: [u64; 2],
        side: u64,
        boxes: impl Iterator<Item = Bounds>,
    ) -> Projection {
        let side = i64::try_from(side).expect("a side is at most 2^32");
        let vertical_step = side * SUBPIXELS_PER_PIXEL / (8 * i64::from(QUARTERS_PER_TEXEL));
        let mut projection = Projection {
            width,
            height,
            horizontal_step: vertical_step * 9 / 10,
            vertical_step,
            origin: [0, 0],
        };
        projection.center(boxes);
        projection
    }

    fn center(&mut self, boxes: impl Iterator<Item = Bounds>) {
        let corners = boxes.flat_map(Bounds::corners);
        let corners: Vec<[i64; 2]> = corners.map(|corner| self.project(corner)).collect();
        let center = |pixels: u64, axis: usize| {
            let length = i64::try_from(pixels).expect("a canvas is at most 5.1 sides long");
            let coordinates = || corners.iter().map(|corner| corner[axis]);
            let (min, max) = (coordinates().min(), coordinates().max());
            let (min, max) = min.zip(max).expect("a figure has at least one box");
            (length * SUBPIXELS_PER_PIXEL - min - max) / 2
        };
        self.origin = [center(self.width, 0), center(self.height, 1)];
    }

    /// Returns the canvas position of a point of the model in quarters of a texel.
    pub(crate) fn project(&self, [x, y, z]: [i32; 3]) -> [i64; 2] {
        let [x, y, z] = [x, y, z].map(i64::from);
        [
            self.origin[0] + self.horizontal_step * (x + z),
            self.origin[1] + self.vertical_step * y + self.horizontal_step * (z - x) / 2,
        ]
    }

    /// Returns the line on which a canvas column is sampled.
    ///
    /// It lies slightly left of the column's center, so that a center on an edge belongs to the
    /// texel on the left. Edges have even coordinates, so the smallest possible shift is enough.
    pub(crate) fn sample_line(&self, column: i64) -> SampleLine {
        let center = column * SUBPIXELS_PER_PIXEL + SUBPIXELS_PER_PIXEL / 2;
        let half_offset = (center - self.origin[0]) / 2 - 1;
        SampleLine {
            x: self.origin[0] + 2 * half_offset,
            half_offset,
        }
    }

    /// Returns the first column that is sampled at or to the right of a coordinate.
    pub(crate) fn first_column_from(&self, x: i64) -> i64 {
        let mut column = (x - SUBPIXELS_PER_PIXEL / 2).div_euclid(SUBPIXELS_PER_PIXEL);
        while self.sample_line(column).x < x {
            column += 1;
        }
        column
    }
}

/// Returns the first canvas row or column whose center lies beyond an edge. A center on the edge
/// belongs to what comes before the edge.
pub(crate) fn first_pixel_after(edge: i64) -> i64 {
    (edge + SUBPIXELS_PER_PIXEL / 2).div_euclid(SUBPIXELS_PER_PIXEL)
}
