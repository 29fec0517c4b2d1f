//! A patch laid onto the canvas: which texels a column of canvas pixels crosses, from top to bottom.
//!
//! Upright edges of boxes are upright on the canvas too, so a column crosses an upright face in one
//! column of texels, and a level face in a staircase between the lines of its two axes. With
//! `h` = half the column's distance from the origin, the line `x` = k at height y meets the column at
//! `y + h - k`, and the line `z` = k at `y - h + k`, all in lattice units.

use std::ops::Range;

use crate::Skin;
use crate::projection::{PIXEL, Projection};
use crate::scene::{Axis, Patch, X, Y};

/// A run of canvas pixels of one colour, downwards from where the run before it ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) end: i64,
    /// Straight.
    pub(crate) color: [u8; 4],
}

/// A patch on the canvas.
pub(crate) struct Sheet {
    /// The canvas columns that the patch covers.
    pub(crate) columns: Range<i64>,
    /// Texture columns and rows along their axes.
    s: Ladder,
    t: Ladder,
    /// Where the whole texture begins on the skin.
    corner: [usize; 2],
    slope: Slope,
}

/// How a column of the canvas runs through the patch.
enum Slope {
    /// Down one column of texels. Borders of rows are `sign` times `h` below the ladder's.
    Upright { sign: i64 },
    /// Against the first axis and along the second, at this height on the screen.
    Level { height: i64 },
}

/// The borders of a face's texels along one axis, in lattice units.
struct Ladder {
    /// One more than there are texels.
    borders: Vec<i64>,
    /// Whether the texture runs against the axis.
    reversed: bool,
    /// The patch's share, and the texels that it touches, counted along the axis.
    bounds: Range<i64>,
    texels: Range<usize>,
}

/// The first canvas row or column whose centre lies beyond a border. A centre on the border still
/// belongs to what comes before it.
fn pixel(border: i64) -> i64 {
    (border + PIXEL / 2).div_euclid(PIXEL)
}

/// Which way borders that are not on the lattice are moved to it. Only skins that are 3, 5, 6, …
/// times as large as usual have such borders.
#[derive(Clone, Copy)]
enum Round {
    /// For borders that places are compared with, or that are subtracted.
    Up,
    /// For borders that become pixels.
    Down,
}

impl Ladder {
    /// The ladder of an axis along which a quarter of a texel is `unit` lattice units long, moved by
    /// `offset`.
    fn new(
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
    fn texel(&self, k: usize) -> usize {
        if self.reversed {
            self.borders.len() - 2 - k
        } else {
            k
        }
    }

    /// The texel whose first border lies at or before a place.
    fn before(&self, place: i64) -> usize {
        let inner = &self.borders[1..self.borders.len() - 1];
        inner.partition_point(|&border| border <= place)
    }
}

impl Sheet {
    pub(crate) fn new(patch: &Patch, skin: &Skin, projection: &Projection) -> Sheet {
        let orientation = patch.orientation;
        let region = patch.region;
        let (normal, _) = orientation.normal;
        let plane = i64::from(patch.bounds.min[normal]);
        let (left, top) = projection.point([0, 0, 0]);
        let (across, down) = (projection.across, projection.down);
        let [wide, high] = [region.width, region.height].map(|n| n * skin.scale());
        let corner = [region.x, region.y].map(|n| (n * skin.scale()).unsigned_abs() as usize);
        let columns = orientation.columns;
        let rows = orientation.rows;
        let (s, t, slope, columns) = match normal {
            Y => {
                let s = Ladder::new(patch, columns, wide, (across, 0), Round::Up);
                let t = Ladder::new(patch, rows, high, (across, 0), Round::Down);
                let columns =
                    left + s.bounds.start + t.bounds.start..left + s.bounds.end + t.bounds.end;
                let height = top + down * plane;
                (s, t, Slope::Level { height }, columns)
            }
            upright => {
                let sign = if upright == X { 1 } else { -1 };
                let left = left + across * plane;
                let top = top - sign * across * plane;
                let s = Ladder::new(patch, columns, wide, (across, left), Round::Up);
                let t = Ladder::new(patch, rows, high, (down, top), Round::Down);
                let columns = s.bounds.clone();
                (s, t, Slope::Upright { sign }, columns)
            }
        };
        Sheet {
            columns: pixel(columns.start)..pixel(columns.end),
            s,
            t,
            corner,
            slope,
        }
    }

    /// The canvas rows that the patch covers in the column sampled at `centre`, which lies 2 `h`
    /// from the origin.
    pub(crate) fn rows(&self, h: i64) -> Range<i64> {
        let (top, bottom) = match self.slope {
            Slope::Upright { sign } => {
                (self.t.bounds.start + sign * h, self.t.bounds.end + sign * h)
            }
            Slope::Level { height } => self.level(height + h, height - h),
        };
        pixel(top)..pixel(bottom)
    }

    /// The runs in that column, the first of which begins with the first of its rows.
    pub(crate) fn runs(&self, centre: i64, h: i64, skin: &Skin, runs: &mut Vec<Run>) {
        runs.clear();
        match self.slope {
            Slope::Upright { sign } => self.upright_runs(centre, sign * h, skin, runs),
            Slope::Level { height } => self.level_runs(height + h, height - h, skin, runs),
        }
    }

    fn color(&self, skin: &Skin, s: usize, t: usize) -> [u8; 4] {
        let [x, y] = self.corner;
        skin.texels()[(y + t) * skin.side() as usize + x + s]
    }

    fn upright_runs(&self, centre: i64, lower: i64, skin: &Skin, runs: &mut Vec<Run>) {
        let s = self.s.texel(self.s.before(centre));
        for k in self.t.texels.clone() {
            let end = self.t.borders[k + 1].min(self.t.bounds.end) + lower;
            push(runs, pixel(end), self.color(skin, s, self.t.texel(k)));
        }
    }

    /// Where a column enters and leaves a level patch, when it meets the lines 0 of the first axis
    /// at `against` and of the second at `along`.
    fn level(&self, against: i64, along: i64) -> (i64, i64) {
        let (s, t) = (&self.s.bounds, &self.t.bounds);
        let top = (against - s.end).max(along + t.start);
        let bottom = (against - s.start).min(along + t.end);
        (top, bottom.max(top))
    }

    fn level_runs(&self, against: i64, along: i64, skin: &Skin, runs: &mut Vec<Run>) {
        let (s, t) = (&self.s, &self.t);
        let (mut at, bottom) = self.level(against, along);
        // Just below the top: the column has not yet passed a border that it begins on.
        let mut i = s.before(against - at - 1);
        let mut j = t.before(at - along);
        while at < bottom {
            let (next_s, next_t) = (against - s.borders[i], along + t.borders[j + 1]);
            at = next_s.min(next_t).min(bottom);
            push(runs, pixel(at), self.color(skin, s.texel(i), t.texel(j)));
            // At the bottom there may be nothing beyond.
            i = i.saturating_sub(usize::from(at == next_s));
            j += usize::from(at == next_t);
        }
    }
}

/// Adds a run, or lengthens the last one where the colour goes on.
fn push(runs: &mut Vec<Run>, end: i64, color: [u8; 4]) {
    match runs.last_mut() {
        Some(last) if last.color == color || last.end == end => last.end = end,
        _ => runs.push(Run { end, color }),
    }
}
