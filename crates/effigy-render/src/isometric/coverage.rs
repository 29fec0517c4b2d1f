//! What is seen in one column of the canvas: patches are laid behind one another, nearest first, and
//! each shows only through the gaps that those before it left.

use wide::{f32x4, i32x4};

use crate::isometric::runs::{Paint, Strand};

/// A stretch of the column through which what lies behind is still seen.
#[derive(Debug, Clone, Copy)]
struct Gap {
    start: i64,
    end: i64,
    /// How much of what lies behind comes through, of 1.
    light: f32,
}

/// The gaps left in a column.
#[derive(Debug, Default)]
pub(crate) struct Sight {
    gaps: Vec<Gap>,
    spare: Vec<Gap>,
}

/// Takes the places where a column's colour changes, and by how much: premultiplied, of 255, with
/// [`COLOR_BITS`](crate::isometric::runs::COLOR_BITS) fractional bits. Changes add up and come in no order.
pub(crate) trait Edges {
    fn change(&mut self, row: i64, by: i32x4);
}

/// Beyond all rows: where the gaps end.
const LAST: Gap = Gap {
    start: i64::MAX,
    end: i64::MAX,
    light: 0.0,
};

impl Sight {
    /// Nothing has been laid on these rows.
    pub(crate) fn clear(&mut self, start: i64, end: i64) {
        let light = 1.0;
        self.gaps.clear();
        self.gaps.extend([Gap { start, end, light }, LAST]);
    }

    /// Whether anything of what lies behind is seen between two rows.
    #[inline]
    pub(crate) fn shows(&self, (start, end): (i64, i64)) -> bool {
        let next = self.gaps.iter().find(|gap| gap.end > start);
        next.is_some_and(|gap| gap.start < end)
    }

    /// Lays a strand, so much lower than it says, behind all that was laid before.
    #[inline]
    pub(crate) fn lay(&mut self, strand: &Strand, lower: i64, edges: &mut impl Edges) {
        let mut pen = Pen {
            edges,
            row: i64::MIN,
            color: i32x4::ZERO,
        };
        self.spare.clear();
        let mut gaps = self.gaps.iter();
        let mut gap = gaps.next().copied().unwrap_or(LAST);
        let (mut end, _) = strand.rows(lower);
        for (until, paint) in strand.bands(lower) {
            let start = std::mem::replace(&mut end, until);
            if paint.share == 0.0 {
                continue;
            }
            while gap.start < end {
                let (top, bottom) = (start.max(gap.start), end.min(gap.end));
                if top < bottom {
                    keep(&mut self.spare, gap.start, top, gap.light);
                    if paint.share == 1.0 && gap.light == 1.0 {
                        pen.draw(top, bottom, paint.color);
                    } else {
                        let seen = gap.light * paint.share;
                        pen.draw(top, bottom, paint.seen(seen));
                        keep(&mut self.spare, top, bottom, gap.light - seen);
                    }
                    gap.start = bottom;
                }
                if gap.end > end {
                    break;
                }
                keep(&mut self.spare, gap.start, gap.end, gap.light);
                gap = gaps.next().copied().unwrap_or(LAST);
            }
        }
        pen.lift();
        self.spare.push(gap);
        self.spare.extend(gaps);
        std::mem::swap(&mut self.gaps, &mut self.spare);
    }
}

#[inline]
fn keep(gaps: &mut Vec<Gap>, start: i64, end: i64, light: f32) {
    if start < end && light > 0.0 {
        gaps.push(Gap { start, end, light });
    }
}

impl Paint {
    /// The colour when so much of it is seen, of 1.
    fn seen(&self, share: f32) -> i32x4 {
        (self.color.round_float() * f32x4::splat(share)).round_int()
    }
}

/// Draws stretches of one colour as changes of it. Those that meet change it once.
struct Pen<'a, E> {
    edges: &'a mut E,
    /// Where the last one ends, and its colour.
    row: i64,
    color: i32x4,
}

impl<E: Edges> Pen<'_, E> {
    #[inline(always)]
    fn draw(&mut self, start: i64, end: i64, color: i32x4) {
        if start != self.row {
            self.lift();
        }
        self.edges.change(start, color - self.color);
        (self.row, self.color) = (end, color);
    }

    #[inline]
    fn lift(&mut self) {
        if self.row != i64::MIN {
            self.edges.change(self.row, -self.color);
            self.color = i32x4::ZERO;
        }
    }
}
