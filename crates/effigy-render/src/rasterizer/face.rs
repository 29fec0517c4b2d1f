//! Faces on the picture: the texels that each column crosses, from top to bottom.
//!
//! Seen from far away, a face is a parallelogram and the borders between its texels are two families of
//! parallel lines at equal distances. A column crosses both families, from texel to texel. Where the lines
//! of one family are upright, a column stays between two of them, and its neighbors cross the same
//! texels, only higher or lower.

use std::ops::Range;

use glam::DVec2;

use crate::rasterizer::line::{PIXEL, Slope, round, slope};
use crate::rasterizer::runs::Runs;
use crate::scene::Scene;
use crate::scene::fragment::Cells;
use crate::scene::solid::Surface;
use crate::skin::texels::Texels;

/// A face with its texture on the picture.
pub(crate) struct ProjectedFace<'a> {
    texels: &'a Texels,
    /// The first texel of the face.
    corner: [usize; 2],
    brightness: u16,
    columns: Borders,
    rows: Borders,
}

/// The lines between a face's texel columns or rows, in the units of coordinates.
#[derive(Clone, Copy)]
struct Borders {
    /// A point on the first line.
    anchor: [f64; 2],
    /// `None` for upright lines. Every column crosses the others.
    slope: Option<f64>,
    /// The distance of the next line: downwards, or of upright ones to the right.
    step: f64,
    /// Its inverse.
    lines: f64,
}

/// The way of a column from cell to cell of one family of borders, downwards.
struct Descent {
    cell: i32,
    last: i32,
    ascending: bool,
    first: f64,
    step: f64,
    /// The `y` at which the current cell ends.
    end: i64,
}

/// Further down than any picture reaches, and still far from overflow.
pub(crate) const FAR: i64 = 1 << 61;

impl<'a> ProjectedFace<'a> {
    pub(crate) fn new(surface: &Surface, scene: &Scene<'a>) -> ProjectedFace<'a> {
        let texels = scene.texels(surface.part);
        let [columns, rows] = surface.texels(texels.scale);
        let scaled = |pixels: DVec2| (pixels * PIXEL as f64).to_array();
        let anchor = scaled(scene.projection.point(surface.corners[0].point));
        let extents = surface.extents();
        let [u, v] = extents.map(|extent| scaled(scene.projection.direction(extent)));
        ProjectedFace {
            texels,
            corner: surface.first_texel(texels.scale),
            brightness: scene.brightness(surface),
            columns: Borders::new(anchor, u, v, columns),
            rows: Borders::new(anchor, v, u, rows),
        }
    }

    /// Returns the change of the borders' `y` with `x` if neighboring columns cross the same texels, and
    /// the `x` at which they begin to cross others.
    pub(crate) fn shared_until(&self, x: i64) -> Option<(Slope, i64)> {
        let (upright, slope) = match (self.columns.slope, self.rows.slope) {
            (None, Some(slope)) => (self.columns, slope),
            (Some(slope), None) => (self.rows, slope),
            _ => return None,
        };
        let passed = ((x as f64 - upright.anchor[0]) / upright.step).floor();
        let next = if upright.step > 0.0 {
            passed + 1.0
        } else {
            passed
        };
        Some((Slope::new(slope), upright.place(next)))
    }

    /// Returns the `x` of the upright borders between these texels, if there are any.
    pub(crate) fn upright_borders(&self, cells: &Cells) -> impl Iterator<Item = i64> {
        let families = [self.columns, self.rows].into_iter().zip(cells);
        let upright = families.filter(|(borders, _)| borders.slope.is_none());
        upright.flat_map(|(borders, cells)| {
            (cells.start + 1..cells.end).map(move |cell| borders.place(cell as f64))
        })
    }

    /// Follows a column from top to bottom through these texels.
    pub(crate) fn walk(&self, x: i64, [top, bottom]: [i64; 2], cells: &Cells, runs: &mut Runs) {
        let at = [x as f64, top as f64];
        let mut column = self.columns.descend(at, cells[0].clone());
        let mut row = self.rows.descend(at, cells[1].clone());
        runs.restart(top, self.brightness);
        loop {
            let color = self.texels.all[self.index(column.cell as usize, row.cell as usize)];
            let y = column.end.min(row.end);
            let stays = (y < column.end || column.advance()) && (y < row.end || row.advance());
            if y >= bottom || !stays {
                runs.push(bottom, color);
                return;
            }
            runs.push(y, color);
        }
    }

    /// The place of a texel of the face in its texture.
    fn index(&self, column: usize, row: usize) -> usize {
        let [x, y] = self.corner;
        (y + row) * self.texels.width() + x + column
    }
}

impl Borders {
    /// The borders of cells that follow one another `along` a face, where its lines run `across` it.
    fn new(anchor: [f64; 2], along: [f64; 2], across: [f64; 2], cells: usize) -> Borders {
        let cells = cells as f64;
        let slope = slope(across);
        let length = slope.map_or(along[0], |slope| along[1] - along[0] * slope);
        Borders {
            anchor,
            slope,
            step: length / cells,
            lines: cells / length,
        }
    }

    /// Returns the `x` of an upright line.
    fn place(self, line: f64) -> i64 {
        round(self.anchor[0] + line * self.step)
    }

    /// Enters the cells of a range at a point.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the range")]
    fn descend(self, [x, y]: [f64; 2], range: Range<usize>) -> Descent {
        let [start, end] = [range.start as i32, range.end as i32 - 1];
        let Borders { anchor, step, .. } = self;
        let ascending = step > 0.0;
        let (first, cell) = match self.slope {
            // Upright lines are never crossed.
            None => (f64::INFINITY, ((x - anchor[0]) / step) as i32),
            Some(slope) => {
                let first = anchor[1] + (x - anchor[0]) * slope;
                let passed = (y - first) * self.lines;
                // Upwards, a border at the very top is passed, and the cell before it is entered.
                let border = passed as i32;
                let is_border = !ascending && f64::from(border) == passed;
                (first, border.saturating_sub(i32::from(is_border)))
            }
        };
        let mut descent = Descent {
            cell: cell.clamp(start, end),
            last: if ascending { end } else { start },
            ascending,
            first,
            step,
            end: 0,
        };
        descent.end = descent.next_border();
        descent
    }
}

impl Descent {
    /// Goes on to the next cell, unless there is none.
    fn advance(&mut self) -> bool {
        if self.cell == self.last {
            return false;
        }
        self.cell += if self.ascending { 1 } else { -1 };
        self.end = self.next_border();
        true
    }

    #[expect(clippy::cast_possible_truncation, reason = "saturates off the picture")]
    fn next_border(&self) -> i64 {
        let border = self.cell + i32::from(self.ascending);
        (self.first + f64::from(border) * self.step) as i64
    }
}
