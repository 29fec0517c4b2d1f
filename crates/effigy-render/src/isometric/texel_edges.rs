//! Where the borders of a face's texels lie on the canvas, along one axis.

use std::ops::Range;

use crate::isometric::bsp::{Axis, Patch};
use crate::isometric::projection::PIXEL;

/// The borders of a face's texels along one axis, in lattice units.
pub(crate) struct Ladder {
    /// One more than there are texels.
    pub(crate) borders: Vec<i64>,
    /// Whether the texture runs against the axis.
    reversed: bool,
    /// The patch's share, and the texels that it touches, counted along the axis.
    pub(crate) bounds: Range<i64>,
    pub(crate) texels: Range<usize>,
}

/// The first canvas row or column whose centre lies beyond a border. A centre on the border still
/// belongs to what comes before it.
pub(crate) fn pixel(border: i64) -> i64 {
    (border + PIXEL / 2).div_euclid(PIXEL)
}

/// Which way borders that are not on the lattice are moved to it. Only skins that are 3, 5, 6, …
/// times as large as usual have such borders.
#[derive(Clone, Copy)]
pub(crate) enum Round {
    /// For borders that places are compared with, or that are subtracted.
    Up,
    /// For borders that become pixels.
    Down,
}

impl Ladder {
    /// The ladder of an axis along which a quarter of a texel is `unit` lattice units long, moved by
    /// `offset`.
    pub(crate) fn new(
        patch: &Patch,
        (axis, reversed): (Axis, bool),
        texels: i32,
        (unit, offset): (i64, i64),
        round: Round,
    ) -> Ladder {
        let place = |quarters: i32| i64::from(quarters) * unit + offset;
        let (first, last) = (place(patch.solid.min[axis]), place(patch.solid.max[axis]));
        let (length, count) = (last - first, i64::from(texels));
        let up = match round {
            Round::Up => count - 1,
            Round::Down => 0,
        };
        let borders = (0..=count).map(|k| first + (length * k + up) / count);
        let mut ladder = Ladder {
            borders: borders.collect(),
            reversed,
            bounds: place(patch.bounds.min[axis])..place(patch.bounds.max[axis]),
            texels: 0..0,
        };
        let bounds = &ladder.bounds;
        ladder.texels = ladder.before(bounds.start)..ladder.before(bounds.end - 1) + 1;
        ladder
    }

    /// The texture's own index of the texel between borders k and k + 1.
    pub(crate) fn texel(&self, k: usize) -> usize {
        if self.reversed {
            self.borders.len() - 2 - k
        } else {
            k
        }
    }

    /// The texel whose first border lies at or before a place.
    pub(crate) fn before(&self, place: i64) -> usize {
        let inner = &self.borders[1..self.borders.len() - 1];
        inner.partition_point(|&border| border <= place)
    }
}
