//! Faces on the canvas: the texels that each canvas column crosses, from top to bottom.
//!
//! Vertical edges of boxes are vertical on the canvas too. So a column crosses a vertical face in one
//! column of texels, and a horizontal face in a staircase between the lines of its two axes. With h =
//! half of the column's distance from the origin, the line `x` = k of a horizontal face meets the
//! column at y₀ + h - k, and the line `z` = k at y₀ - h + k, all in subpixels.

use std::ops::Range;

use crate::Skin;
use crate::isometric::fragment::{Axis, Fragment, X, Y};
use crate::isometric::projection::{Projection, SampleLine, first_pixel_after};
use crate::isometric::runs::Runs;
use crate::isometric::texel_edges::{AxisMap, Rounding, TexelEdges};

/// A fragment of a face on the canvas, textured with a skin.
pub(crate) struct ProjectedFace {
    /// The canvas columns that the fragment covers.
    pub(crate) columns: Range<i64>,
    u: TexelEdges,
    v: TexelEdges,
    /// The first texel of the face's texture on the skin.
    corner: [usize; 2],
    crossing: Crossing,
}

/// How a canvas column crosses the face.
enum Crossing {
    /// Down one column of texels. Edges of rows are `shear` times the half offset lower.
    Vertical { shear: i64 },
    /// Against the axis of the texture's columns and along that of its rows. The point where both
    /// are 0 has this canvas `y`.
    Horizontal { y: i64 },
}

impl ProjectedFace {
    pub(crate) fn new(fragment: &Fragment, skin: &Skin, projection: &Projection) -> ProjectedFace {
        match fragment.orientation.normal.axis {
            Y => ProjectedFace::horizontal(fragment, skin, projection),
            axis => ProjectedFace::vertical(fragment, axis, skin, projection),
        }
    }

    fn horizontal(fragment: &Fragment, skin: &Skin, projection: &Projection) -> ProjectedFace {
        let [left, top] = projection.project([0, fragment.bounds.min[Y], 0]);
        let map = AxisMap {
            scale: projection.horizontal_step,
            offset: 0,
        };
        let [u, v] = texel_edges(fragment, skin, [map, map]);
        let start = left + u.extent.start + v.extent.start;
        let end = left + u.extent.end + v.extent.end;
        ProjectedFace {
            columns: first_pixel_after(start)..first_pixel_after(end),
            u,
            v,
            corner: texture_corner(fragment, skin),
            crossing: Crossing::Horizontal { y: top },
        }
    }

    fn vertical(
        fragment: &Fragment,
        normal: Axis,
        skin: &Skin,
        projection: &Projection,
    ) -> ProjectedFace {
        let [left, top] = projection.project([0, 0, 0]);
        let depth = i64::from(fragment.bounds.min[normal]) * projection.horizontal_step;
        let shear = if normal == X { 1 } else { -1 };
        let columns = AxisMap {
            scale: projection.horizontal_step,
            offset: left + depth,
        };
        let rows = AxisMap {
            scale: projection.vertical_step,
            offset: top - shear * depth,
        };
        let [u, v] = texel_edges(fragment, skin, [columns, rows]);
        ProjectedFace {
            columns: first_pixel_after(u.extent.start)..first_pixel_after(u.extent.end),
            u,
            v,
            corner: texture_corner(fragment, skin),
            crossing: Crossing::Vertical { shear },
        }
    }

    /// Returns `true` if all texels of the fragment are transparent.
    pub(crate) fn is_transparent(&self, skin: &Skin) -> bool {
        let mut cells = self.u.cells.clone().flat_map(|u| {
            let rows = self.v.cells.clone();
            rows.map(move |v| (u, v))
        });
        cells.all(|(u, v)| self.color(skin, u, v)[3] == 0)
    }

    /// Prepares the runs for the columns sampled from `x` on, up to the returned coordinate. A
    /// horizontal face has other runs in every column, so it returns `None`; see
    /// [`ProjectedFace::update_runs`].
    pub(crate) fn shared_runs(&self, x: i64, skin: &Skin, runs: &mut Runs) -> Option<i64> {
        let Crossing::Vertical { .. } = self.crossing else {
            return None;
        };
        let u = self.u.cell_at(x);
        runs.restart(self.v.extent.start);
        for v in self.v.cells.clone() {
            let end = self.v.cell_end(v).min(self.v.extent.end);
            runs.push(end, self.color(skin, u, v));
        }
        runs.trim();
        Some(self.u.cell_end(u))
    }

    /// Returns the canvas rows that the face covers on a line.
    #[inline]
    pub(crate) fn rows(&self, line: SampleLine, runs: &Runs) -> Range<i64> {
        match self.crossing {
            Crossing::Vertical { shear } => runs.rows(shear * line.half_offset),
            Crossing::Horizontal { y } => {
                let Range { start, end } = self.intersect(StaircaseLine::new(y, line));
                first_pixel_after(start)..first_pixel_after(end)
            }
        }
    }

    /// Updates the runs to those on a line, and returns the offset by which they are moved down.
    #[inline]
    pub(crate) fn update_runs(&self, line: SampleLine, skin: &Skin, runs: &mut Runs) -> i64 {
        match self.crossing {
            Crossing::Vertical { shear } => shear * line.half_offset,
            Crossing::Horizontal { y } => {
                self.walk_staircase(StaircaseLine::new(y, line), skin, runs);
                0
            }
        }
    }

    /// Follows a column from top to bottom through a horizontal face.
    fn walk_staircase(&self, line: StaircaseLine, skin: &Skin, runs: &mut Runs) {
        let Range { start, end } = self.intersect(line);
        runs.restart(start);
        // The cells just below the top, where the column has not crossed the edge that it starts on.
        let mut u = self.u.cell_at(line.u_zero - start - 1);
        let mut v = self.v.cell_at(start - line.v_zero);
        let mut y = start;
        while y < end {
            let u_edge = line.u_zero - self.u.cell_start(u);
            let v_edge = line.v_zero + self.v.cell_end(v);
            y = u_edge.min(v_edge).min(end);
            runs.push(y, self.color(skin, u, v));
            // At the bottom there may be no further cell.
            u = u.saturating_sub(usize::from(y == u_edge));
            v += usize::from(y == v_edge);
        }
    }

    /// Returns where a column enters and leaves a horizontal face. The end is never before the
    /// start.
    fn intersect(&self, line: StaircaseLine) -> Range<i64> {
        let (u, v) = (&self.u.extent, &self.v.extent);
        let start = (line.u_zero - u.end).max(line.v_zero + v.start);
        let end = (line.u_zero - u.start).min(line.v_zero + v.end);
        start..end.max(start)
    }

    /// Returns the color of a cell.
    fn color(&self, skin: &Skin, u: usize, v: usize) -> [u8; 4] {
        let [x, y] = self.corner;
        let (x, y) = (x + self.u.texel(u), y + self.v.texel(v));
        skin.texels()[y * skin.side() as usize + x]
    }
}

/// A canvas column on the plane of a horizontal face.
#[derive(Clone, Copy)]
struct StaircaseLine {
    /// Canvas `y` at which the column meets the line where the axis of texture columns is 0.
    u_zero: i64,
    /// The same for the axis of texture rows.
    v_zero: i64,
}

impl StaircaseLine {
    fn new(y: i64, line: SampleLine) -> StaircaseLine {
        StaircaseLine {
            u_zero: y + line.half_offset,
            v_zero: y - line.half_offset,
        }
    }
}

/// Returns the edges of texture columns and rows. A column position is compared with samples or
/// subtracted; a row position is converted to a canvas row.
fn texel_edges(
    fragment: &Fragment,
    skin: &Skin,
    [column_map, row_map]: [AxisMap; 2],
) -> [TexelEdges; 2] {
    let (orientation, region) = (fragment.orientation, fragment.region);
    let [width, height] = [region.width, region.height].map(|texels| texels * skin.scale());
    [
        TexelEdges::new(fragment, orientation.u, width, column_map, Rounding::Up),
        TexelEdges::new(fragment, orientation.v, height, row_map, Rounding::Down),
    ]
}

fn texture_corner(fragment: &Fragment, skin: &Skin) -> [usize; 2] {
    let region = fragment.region;
    [region.x, region.y].map(|texels| (texels * skin.scale()).unsigned_abs() as usize)
}
