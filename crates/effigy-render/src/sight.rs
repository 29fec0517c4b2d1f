//! What is seen in one column of the canvas: patches are laid behind one another, nearest first, and
//! each shows only through the gaps that those before it left.

use std::ops::Range;

use wide::{f32x4, i32x4};

use crate::sheet::Run;

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

/// Fractional bits of a colour.
pub(crate) const COLOR_BITS: u32 = 4;

/// Takes the places where a column's colour changes, and by how much: premultiplied, of 255, with
/// [`COLOR_BITS`] fractional bits. Changes add up and come in no order.
pub(crate) trait Edges {
    fn change(&mut self, row: i64, by: i32x4);
}

/// Draws runs as changes of colour; runs that meet change it once.
struct Pen<'a, E> {
    edges: &'a mut E,
    /// Where the last run ends, and its colour.
    down: Option<(i64, i32x4)>,
}

impl Sight {
    /// Nothing has been laid on these rows.
    pub(crate) fn clear(&mut self, start: i64, end: i64) {
        self.gaps.clear();
        self.gaps.push(Gap {
            start,
            end,
            light: 1.0,
        });
    }

    /// Whether anything of what lies behind is seen between two rows.
    pub(crate) fn shows(&self, rows: &Range<i64>) -> bool {
        let next = self.gaps.iter().find(|gap| gap.end > rows.start);
        next.is_some_and(|gap| gap.start < rows.end)
    }

    /// Lays runs behind all that was laid before. The first one begins at `start`.
    pub(crate) fn lay(&mut self, start: i64, runs: &[Run], edges: &mut impl Edges) {
        let Some(end) = runs.last().map(|run| run.end) else {
            return;
        };
        let first = self.gaps.partition_point(|gap| gap.end <= start);
        let last = first + self.gaps[first..].partition_point(|gap| gap.start < end);
        if first == last {
            return;
        }
        let mut pen = Pen { edges, down: None };
        self.spare.clear();
        self.spare.extend_from_slice(&self.gaps[..first]);
        let mut runs = Stretches { start, runs };
        for gap in &self.gaps[first..last] {
            runs.show_through(*gap, &mut pen, &mut self.spare);
        }
        pen.lift();
        self.spare.extend_from_slice(&self.gaps[last..]);
        std::mem::swap(&mut self.gaps, &mut self.spare);
    }
}

/// The runs that are still to be shown.
struct Stretches<'a> {
    start: i64,
    runs: &'a [Run],
}

impl Stretches<'_> {
    /// Draws what is seen of the runs through a gap, and keeps the gaps that remain.
    fn show_through<E: Edges>(&mut self, gap: Gap, pen: &mut Pen<'_, E>, left: &mut Vec<Gap>) {
        let mut open = gap.start;
        while let Some((run, rest)) = self.runs.split_first() {
            let (start, end) = (self.start.max(gap.start), run.end.min(gap.end));
            if start < end && run.color[3] != 0 {
                let seen = match run.color[3] {
                    u8::MAX => gap.light,
                    alpha => gap.light * f32::from(alpha) / 255.0,
                };
                keep(left, open, start, gap.light);
                pen.draw(start, end, run.color, seen);
                keep(left, start, end, gap.light - seen);
                open = end;
            }
            if run.end > gap.end {
                break;
            }
            self.start = run.end;
            self.runs = rest;
        }
        keep(left, open, gap.end, gap.light);
    }
}

fn keep(gaps: &mut Vec<Gap>, start: i64, end: i64, light: f32) {
    if start < end && light > 0.0 {
        gaps.push(Gap { start, end, light });
    }
}

impl<E: Edges> Pen<'_, E> {
    /// Draws a straight colour of which so much is seen, of 1.
    fn draw(&mut self, start: i64, end: i64, [r, g, b, _]: [u8; 4], seen: f32) {
        let color = i32x4::new([i32::from(r), i32::from(g), i32::from(b), 255]);
        let color = if seen >= 1.0 {
            color << COLOR_BITS
        } else {
            let share = f32x4::splat(seen * f32::from(1u8 << COLOR_BITS));
            (color.round_float() * share).round_int()
        };
        match self.down {
            Some((row, last)) if row == start => self.edges.change(row, color - last),
            _ => {
                self.lift();
                self.edges.change(start, color);
            }
        }
        self.down = Some((end, color));
    }

    fn lift(&mut self) {
        if let Some((row, color)) = self.down.take() {
            self.edges.change(row, -color);
        }
    }
}
