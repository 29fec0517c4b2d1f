//! Faces on the picture: the texels that each column crosses, from top to bottom.
//!
//! Seen from far away, a face is a parallelogram and the borders between its texels are two
//! families of parallel lines at equal distances. A column crosses both families, from texel to
//! texel. If the lines of one family are upright, a column stays between two of them, and its
//! neighbors cross the same texels, only higher or lower.

use std::ops::Range;

use glam::DVec3;

use crate::rasterizer::line::{FRACTION_BITS, PIXEL, Slope, Steepness, round, slope, to_fixed};
use crate::rasterizer::runs::{Crossing, Runs};
use crate::scene::Scene;
use crate::scene::fragment::Cells;
use crate::scene::projection::Projection;
use crate::scene::surface::{Spacing, Surface};
use crate::skin::texels::Texels;

/// A face with its texture on the picture.
pub(crate) struct ProjectedFace<'a> {
    texels: &'a Texels,
    /// The first texel of the face.
    corner: [usize; 2],
    /// The least alpha of texels that are drawn.
    least_alpha: u8,
    brightness: u16,
    /// The borders of the texel columns, and of the rows.
    borders: [Borders; 2],
    /// The `x` of the corners.
    corners: [i64; 4],
}

/// The lines between a face's texel columns or rows, in the units of coordinates. They are a
/// pencil: the line at place `k` meets a column at
/// `y = (dividend + k dividend_step) / (divisor + k divisor_step)`. From far away they are
/// parallel, so that the divisor is 1 for every `k`. The place of a line is its distance from the
/// first one in usual cells, which is the number of the line unless there is a `spacing`.
#[derive(Clone, Copy)]
struct Borders {
    /// The distances between the lines, unless they are equal.
    spacing: Option<Spacing>,
    /// `true` if all lines are upright. Then they have an `x` instead of the `y`.
    are_upright: bool,
    /// The `x` of the column for which `dividend` and `dividend_step` are right.
    x: f64,
    dividend: f64,
    dividend_step: f64,
    /// The change of `dividend` with `x`. Divided by the divisor, it is the slope of a line.
    slope: f64,
    /// The change of `dividend_step` with `x`.
    slope_step: f64,
    divisor: f64,
    divisor_step: f64,
}

/// Neighboring columns that cross the same texels of a face.
pub(crate) struct SimilarColumns {
    /// The change of the borders' `y` with `x`.
    pub(crate) slope: Slope,
    /// The `x` at which columns begin to cross other texels.
    pub(crate) end: i64,
}

/// The way of a column from cell to cell of one family of borders, downwards.
struct Descent {
    /// The borders in the column.
    borders: Borders,
    cell: i32,
    last: i32,
    /// `true` if the numbers of the cells ascend on the way.
    ascending: bool,
    /// The divisor at the place at which the column begins. Borders whose divisor has another sign
    /// lie behind the vanishing point.
    first_divisor: f64,
    /// The place at which the current cell ends.
    end: Crossing,
}

impl<'a> ProjectedFace<'a> {
    pub(crate) fn new(surface: &Surface, scene: &Scene<'a>) -> ProjectedFace<'a> {
        let texels = scene.texels(surface.part);
        let [corner, cells] = surface.region.scaled(texels.scale);
        let borders = |axis| {
            let spacing = surface.spacing_along(axis);
            let spacing = spacing.map(|spacing| spacing.scaled(f64::from(texels.scale)));
            Borders::new(surface, axis, cells[axis], spacing, &scene.projection)
        };
        ProjectedFace {
            texels,
            corner,
            least_alpha: scene.least_alpha(surface.part),
            brightness: scene.brightness(surface),
            borders: [0, 1].map(borders),
            corners: surface
                .corners
                .map(|end| to_fixed(scene.projection.point(end.point).x)),
        }
    }

    /// Returns `true` if a corner has this `x`.
    pub(crate) fn has_corner_at(&self, x: i64) -> bool {
        /// A point that is computed in another way is less than this away.
        const NEAR: u64 = 1 << (FRACTION_BITS - 20);
        self.corners.iter().any(|corner| corner.abs_diff(x) < NEAR)
    }

    /// Returns the columns from `x` on that cross the same texels, if they are several.
    pub(crate) fn similar_columns(&self, x: i64) -> Option<SimilarColumns> {
        let [columns, rows] = self.borders;
        if columns.are_upright == rows.are_upright {
            return None;
        }
        let [upright, crossed] = if columns.are_upright {
            [columns, rows]
        } else {
            [rows, columns]
        };
        if !upright.are_parallel() || !crossed.are_parallel() {
            return None;
        }
        let passed = upright.line_of(upright.place_at(x as f64)).floor();
        let next = if upright.dividend_step > 0.0 {
            passed + 1.0
        } else {
            passed
        };
        Some(SimilarColumns {
            slope: Slope::new(crossed.slope),
            end: upright.x_of_upright(next),
        })
    }

    /// Returns the `x` of the upright borders between these texels, if there are any.
    pub(crate) fn upright_borders(&self, cells: &Cells) -> impl Iterator<Item = i64> {
        let families = self.borders.into_iter().zip(cells);
        let upright = families.filter(|(borders, _)| borders.are_upright);
        upright.flat_map(|(borders, range)| {
            (range.start + 1..range.end).map(move |cell| borders.x_of_upright(cell as f64))
        })
    }

    /// Follows a column from top to bottom through these texels.
    pub(crate) fn walk(&self, x: i64, [top, bottom]: [i64; 2], cells: &Cells, runs: &mut Runs) {
        let at = [x as f64, top as f64];
        let mut column = self.borders[0].descend(at, cells[0].clone());
        let mut row = self.borders[1].descend(at, cells[1].clone());
        runs.restart(Crossing::level(top));
        let [left, upper] = self.corner;
        let width = self.texels.width();
        loop {
            let place = (upper + row.cell as usize) * width + left + column.cell as usize;
            let mut color = self.texels.all[place];
            if color[3] < self.least_alpha {
                color = [0; 4];
            }
            let end = if column.end.y < row.end.y {
                column.end
            } else {
                row.end
            };
            let leaves_column = column.end.y == end.y;
            let leaves_row = row.end.y == end.y;
            let leaves_face = (leaves_column && column.is_in_last_cell())
                || (leaves_row && row.is_in_last_cell());
            if leaves_face || end.y >= bottom {
                // The sides of the trapezoid cut the last run.
                runs.push(Crossing::FAR, color, self.brightness);
                return;
            }
            runs.push(end, color, self.brightness);
            if leaves_column {
                column.advance();
            }
            if leaves_row {
                row.advance();
            }
        }
    }
}

impl Borders {
    /// The borders of cells that follow one another along an axis of a face.
    fn new(
        surface: &Surface,
        axis: usize,
        cells: usize,
        spacing: Option<Spacing>,
        projection: &Projection,
    ) -> Borders {
        let [first_line, line_step] = homogeneous_lines(surface, axis, cells, projection);
        let last_line = first_line + line_step * cells as f64;
        // The line `a x + b y + c = 0` runs in the direction `(b, -a)`.
        let is_upright = |line: DVec3| slope([line.y, -line.x]).is_none();
        let are_upright = is_upright(first_line) && is_upright(last_line);
        // It has `y = (-a x - c) / b`, or `x = -c / a` if it is upright.
        let divisor_of = |line: DVec3| if are_upright { line.x } else { line.y };
        let slope_of = |line: DVec3| if are_upright { 0.0 } else { -line.x };
        // A single line of a pencil can be upright. Its divisor is 0, so the greater one of the
        // first and the last line becomes 1.
        let first_divisor = divisor_of(first_line);
        let last_divisor = divisor_of(last_line);
        let unit = if first_divisor.abs() < last_divisor.abs() {
            last_divisor
        } else {
            first_divisor
        };
        let first = first_line / unit;
        let step = line_step / unit;
        let divisor = divisor_of(first);
        let divisor_step = divisor_of(step);
        let corner = projection.point(surface.origin) * PIXEL as f64;
        let shift = if are_upright { corner.x } else { corner.y };
        // The origin of the lines is the corner of the face. Shifted to its place on the picture, a
        // line has `y = (corner.y b - a (x - corner.x) - c) / b`, or `x = (corner.x a - c) / a`.
        Borders {
            spacing,
            are_upright,
            x: corner.x,
            dividend: shift * divisor - first.z,
            dividend_step: shift * divisor_step - step.z,
            slope: slope_of(first),
            slope_step: slope_of(step),
            divisor,
            divisor_step,
        }
    }

    /// Returns `true` if the lines are parallel, at equal distances.
    fn are_parallel(self) -> bool {
        self.divisor_step == 0.0 && self.slope_step == 0.0
    }

    /// Returns the `x` of an upright line.
    fn x_of_upright(self, line: f64) -> i64 {
        let place = self.place_of(line);
        round((self.dividend + place * self.dividend_step) / self.divisor_at(place))
    }

    /// Enters the cells of a range at a point.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the range")]
    fn descend(mut self, [x, y]: [f64; 2], range: Range<usize>) -> Descent {
        let first_cell = range.start as i32;
        let last_cell = range.end as i32 - 1;
        if self.are_upright {
            let cell = self.line_of(self.place_at(x)) as i32;
            return Descent {
                borders: self,
                cell: cell.clamp(first_cell, last_cell),
                last: last_cell,
                ascending: true,
                first_divisor: 0.0,
                // Upright lines are never crossed.
                end: Crossing::FAR,
            };
        }
        let distance = x - self.x;
        self.dividend += distance * self.slope;
        self.dividend_step += distance * self.slope_step;
        let place = self.place_at(y);
        let passed = self.line_of(place);
        // The derivative of `y` with respect to the place has this sign.
        let ascending = self.dividend_step * self.divisor > self.dividend * self.divisor_step;
        // If the numbers of cells fall, a border at the very top is already passed, and the cell
        // before it is entered.
        let border = passed as i32;
        let is_border = !ascending && f64::from(border) == passed;
        let cell = border.saturating_sub(i32::from(is_border));
        let mut descent = Descent {
            borders: self,
            cell: cell.clamp(first_cell, last_cell),
            last: if ascending { last_cell } else { first_cell },
            ascending,
            first_divisor: self.divisor_at(place),
            end: Crossing::FAR,
        };
        descent.end = descent.next_border();
        descent
    }

    #[inline(always)]
    fn divisor_at(self, place: f64) -> f64 {
        self.divisor + place * self.divisor_step
    }

    /// Returns the place of a line.
    #[inline(always)]
    fn place_of(&self, line: f64) -> f64 {
        match &self.spacing {
            None => line,
            Some(spacing) => spacing.place_of(line),
        }
    }

    /// Returns the line at a place.
    #[inline(always)]
    fn line_of(&self, place: f64) -> f64 {
        match &self.spacing {
            None => place,
            Some(spacing) => spacing.line_at(place),
        }
    }

    /// Returns the place of the line that goes through a coordinate.
    #[inline(always)]
    fn place_at(self, coordinate: f64) -> f64 {
        let dividend = coordinate * self.divisor - self.dividend;
        dividend / (self.dividend_step - coordinate * self.divisor_step)
    }
}

/// Returns the first border of cells, and the step from each border to the next one. Border `k` is
/// the line `first + k step`. A line `(a, b, c)` consists of the points for which
/// `a x + b y + c = 0`, in coordinates whose origin is the corner of the face.
fn homogeneous_lines(
    surface: &Surface,
    axis: usize,
    cells: usize,
    projection: &Projection,
) -> [DVec3; 2] {
    let corner = surface.origin;
    // Homogeneous coordinates `(x w, y w, w)` of a point have its pixels `(x, y)` from the corner and
    // its weight `w`. Those of the point `corner + vector` are `origin + homogeneous(vector)`.
    let homogeneous = |vector: DVec3| {
        let weighted = projection.direction(corner, vector);
        (weighted * PIXEL as f64).extend(projection.drift(vector))
    };
    let along = homogeneous(surface.extents[axis]);
    let across = homogeneous(surface.extents[1 - axis]);
    let origin = DVec3::Z * projection.weight(corner);
    // Border `k` goes through `origin + along * k / cells`, in the direction of `across`. The line
    // through homogeneous points is their cross product.
    [origin.cross(across), along.cross(across) / cells as f64]
}

impl Descent {
    fn is_in_last_cell(&self) -> bool {
        self.cell == self.last
    }

    /// Goes on to the next cell.
    fn advance(&mut self) {
        self.cell += if self.ascending { 1 } else { -1 };
        self.end = self.next_border();
    }

    /// Returns the place at which the current cell ends.
    #[expect(clippy::cast_possible_truncation, reason = "saturates off the picture")]
    #[inline(always)]
    fn next_border(&self) -> Crossing {
        let borders = &self.borders;
        let border = f64::from(self.cell + i32::from(self.ascending));
        let place = borders.place_of(border);
        let divisor = borders.divisor_at(place);
        if self.first_divisor * divisor <= 0.0 {
            return Crossing::FAR;
        }
        // From far away the divisor is 1, which spares the time of a division.
        let factor = if borders.divisor_step == 0.0 {
            1.0
        } else {
            1.0 / divisor
        };
        let dividend = borders.dividend + place * borders.dividend_step;
        let slope = borders.slope + place * borders.slope_step;
        Crossing {
            y: (dividend * factor) as i64,
            steepness: Steepness::new(slope * factor),
        }
    }
}
