//! The isometric projection: model space to the working canvas, in whole numbers.
//!
//! With a unit `u` = side / 8 per texel the screen moves by (0.9 u, -0.45 u) along `x`, by
//! (0.9 u, 0.45 u) along `z` and by (0, u) along `y`. Sides are 60 doubled again and again, so every
//! corner and every border of a texel lies on a lattice of 1/1024 pixel, and nothing is rounded.

use crate::Model;
use crate::isometric::bsp::{self, Bounds, QUARTERS};
use crate::isometric::figure::Figure;
use crate::model::Part;

/// Lattice units in a canvas pixel.
pub(crate) const PIXEL: i64 = 1024;

/// Maps points of the model to a working canvas on which the whole figure is centred.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    /// Canvas size in pixels.
    pub(crate) width: u64,
    pub(crate) height: u64,
    /// Screen steps for a quarter of a texel, in lattice units: sideways along `x` and `z`, and
    /// downwards along `y`.
    pub(crate) across: i64,
    pub(crate) down: i64,
    origin: [i64; 2],
}

impl Projection {
    /// The projection of a figure onto a canvas of `side` pixels per head, a multiple of 60.
    pub(crate) fn new(figure: &Figure, side: u64) -> Projection {
        let [width, height] = figure.canvas.map(|thousandths| thousandths * side / 1000);
        let unit = i64::try_from(side).expect("a side is at most twice the widest picture");
        let down = unit * PIXEL / (8 * i64::from(QUARTERS));
        let across = down * 9 / 10;
        let mut projection = Projection {
            width,
            height,
            across,
            down,
            origin: [0, 0],
        };
        projection.centre(figure.parts);
        projection
    }

    /// Moves the figure, its overlays included, to the middle of the canvas.
    fn centre(&mut self, parts: &[Part]) {
        let boxes = || bsp::bounds(parts, Model::Classic);
        let left = boxes().map(|b| self.point(b.min).0).min();
        let right = boxes().map(|b| self.point(b.max).0).max();
        let top = boxes().map(|b| self.point(highest(b)).1).min();
        let bottom = boxes().map(|b| self.point(lowest(b)).1).max();
        let middle = |canvas: u64, least: Option<i64>, most: Option<i64>| {
            let canvas = i64::try_from(canvas).expect("a canvas is at most 5.1 sides");
            (canvas * PIXEL - least.unwrap_or(0) - most.unwrap_or(0)) / 2
        };
        self.origin = [
            middle(self.width, left, right),
            middle(self.height, top, bottom),
        ];
    }

    /// Where a column of canvas pixels is sampled, and half that place's distance from the origin.
    ///
    /// The place is a hair left of the centre, so that a centre on a border belongs to what is left
    /// of it. Borders lie on even lattice places, so a hair of one step is as good as none.
    pub(crate) fn column(&self, x: i64) -> (i64, i64) {
        const HAIR: i64 = 1;
        let centre = x * PIXEL + PIXEL / 2;
        let h = (centre - self.origin[0]) / 2 - HAIR;
        (2 * h + self.origin[0], h)
    }

    /// The first column that is sampled at a place or to the right of it.
    pub(crate) fn first_column(&self, place: i64) -> i64 {
        let near = (place - PIXEL / 2).div_euclid(PIXEL);
        let before = (near..).take_while(|&x| self.column(x).0 < place).count();
        near + i64::try_from(before).unwrap_or(0)
    }

    /// Where a point of the model, in quarters of a texel, lies on the canvas, in lattice units.
    pub(crate) fn point(&self, [x, y, z]: [i32; 3]) -> (i64, i64) {
        let [x, y, z] = [x, y, z].map(i64::from);
        (
            self.origin[0] + self.across * (x + z),
            self.origin[1] + self.down * y + self.across * (z - x) / 2,
        )
    }
}

/// The corner of a box that is seen highest.
fn highest(b: Bounds) -> [i32; 3] {
    [b.max[0], b.min[1], b.min[2]]
}

/// The corner of a box that is seen lowest.
fn lowest(b: Bounds) -> [i32; 3] {
    [b.min[0], b.max[1], b.max[2]]
}
