//! A patch laid onto the canvas: which texels a column of canvas pixels crosses, from top to bottom.
//!
//! Upright edges of boxes are upright on the canvas too, so a column crosses an upright face in one
//! column of texels, and a level face in a staircase between the lines of its two axes. With
//! `h` = half the column's distance from the origin, the line `x` = k at height y meets the column at
//! `y + h - k`, and the line `z` = k at `y - h + k`, all in lattice units.

use std::ops::Range;

use crate::Skin;
use crate::isometric::bsp::{Patch, X, Y};
use crate::isometric::projection::Projection;
use crate::isometric::runs::Strand;
use crate::isometric::texel_edges::{Ladder, Round, pixel};

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

    /// Finds the texels that the columns from the one sampled at `centre` on cross, and the place up
    /// to which it is these. Every column crosses others of a level patch; see [`Sheet::cross`].
    pub(crate) fn enter(&self, centre: i64, skin: &Skin, strand: &mut Strand) -> Option<i64> {
        let Slope::Upright { .. } = self.slope else {
            return None;
        };
        let place = self.s.before(centre);
        let s = self.s.texel(place);
        strand.begin(self.t.bounds.start);
        for k in self.t.texels.clone() {
            let end = self.t.borders[k + 1].min(self.t.bounds.end);
            strand.push(end, self.color(skin, s, self.t.texel(k)));
        }
        strand.trim();
        Some(self.s.borders[place + 1])
    }

    /// Whether there is nothing to be seen of the patch.
    pub(crate) fn is_clear(&self, skin: &Skin) -> bool {
        let mut texels = self.s.texels.clone().flat_map(|s| {
            let s = self.s.texel(s);
            let rows = self.t.texels.clone();
            rows.map(move |t| self.color(skin, s, self.t.texel(t)))
        });
        texels.all(|[.., alpha]| alpha == 0)
    }

    /// The first canvas row that the patch covers in the column that lies 2 `h` from the origin, and
    /// the row after the last one.
    #[inline]
    pub(crate) fn rows(&self, h: i64, strand: &Strand) -> (i64, i64) {
        match self.slope {
            Slope::Upright { sign } => strand.rows(sign * h),
            Slope::Level { height } => {
                let (top, bottom) = self.level(height + h, height - h);
                (pixel(top), pixel(bottom))
            }
        }
    }

    /// Makes the strand that of the column. Returns how much lower it lies than it says.
    #[inline]
    pub(crate) fn cross(&self, h: i64, skin: &Skin, strand: &mut Strand) -> i64 {
        match self.slope {
            Slope::Upright { sign } => sign * h,
            Slope::Level { height } => {
                self.descend(height + h, height - h, skin, strand);
                0
            }
        }
    }

    fn color(&self, skin: &Skin, s: usize, t: usize) -> [u8; 4] {
        let [x, y] = self.corner;
        skin.texels()[(y + t) * skin.side() as usize + x + s]
    }

    /// Where a column enters and leaves a level patch, when it meets the lines 0 of the first axis
    /// at `against` and of the second at `along`.
    fn level(&self, against: i64, along: i64) -> (i64, i64) {
        let (s, t) = (&self.s.bounds, &self.t.bounds);
        let top = (against - s.end).max(along + t.start);
        let bottom = (against - s.start).min(along + t.end);
        (top, bottom.max(top))
    }

    /// Goes down a level patch as a column does.
    fn descend(&self, against: i64, along: i64, skin: &Skin, strand: &mut Strand) {
        let (s, t) = (&self.s, &self.t);
        let (mut at, bottom) = self.level(against, along);
        strand.begin(at);
        // Just below the top: the column has not yet passed a border that it begins on.
        let mut i = s.before(against - at - 1);
        let mut j = t.before(at - along);
        while at < bottom {
            let (next_s, next_t) = (against - s.borders[i], along + t.borders[j + 1]);
            at = next_s.min(next_t).min(bottom);
            strand.push(at, self.color(skin, s.texel(i), t.texel(j)));
            // At the bottom there may be nothing beyond.
            i = i.saturating_sub(usize::from(at == next_s));
            j += usize::from(at == next_t);
        }
    }
}
