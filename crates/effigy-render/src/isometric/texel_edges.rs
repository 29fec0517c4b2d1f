//! Positions of a face's texel edges along one axis of the canvas.

use std::ops::Range;

use crate::isometric::fragment::{Direction, Fragment};

/// The edges between the texels of a face along one axis of its texture, in subpixels.
///
/// Cells are the face's texels counted along the axis. A reversed texture counts against it.
pub(crate) struct TexelEdges {
    /// In ascending order, one more than there are texels.
    positions: Vec<i64>,
    reversed: bool,
    /// The extent of the fragment.
    pub(crate) extent: Range<i64>,
    /// The cells that the fragment overlaps.
    pub(crate) cells: Range<usize>,
}

/// Maps quarters of a texel to subpixels.
#[derive(Clone, Copy)]
pub(crate) struct AxisMap {
    pub(crate) scale: i64,
    pub(crate) offset: i64,
}

/// The direction in which an edge between two subpixels is moved. Only skins whose width is not 64
/// times a power of two have such edges. The right direction passes over no sample.
#[derive(Clone, Copy)]
pub(crate) enum Rounding {
    /// For edges that are compared with sample positions or subtracted.
    Up,
    /// For edges that are converted to pixels.
    Down,
}

impl TexelEdges {
    /// Places `texels` texels along a direction of the fragment's face.
    pub(crate) fn new(
        fragment: &Fragment,
        direction: Direction,
        texels: i32,
        map: AxisMap,
        rounding: Rounding,
    ) -> TexelEdges {
        let axis = direction.axis;
        let (solid, bounds) = (&fragment.solid, &fragment.bounds);
        let (first, last) = (map.apply(solid.min[axis]), map.apply(solid.max[axis]));
        let (length, count) = (last - first, i64::from(texels));
        let round = match rounding {
            Rounding::Up => count - 1,
            Rounding::Down => 0,
        };
        let positions = (0..=count).map(|k| first + (length * k + round) / count);
        let mut edges = TexelEdges {
            positions: positions.collect(),
            reversed: direction.negative,
            extent: map.apply(bounds.min[axis])..map.apply(bounds.max[axis]),
            cells: 0..0,
        };
        let Range { start, end } = edges.extent;
        edges.cells = edges.cell_at(start)..edges.cell_at(end - 1) + 1;
        edges
    }

    /// Returns the cell that contains a position, or the nearest one.
    pub(crate) fn cell_at(&self, position: i64) -> usize {
        let inner = &self.positions[1..self.positions.len() - 1];
        inner.partition_point(|&edge| edge <= position)
    }

    /// Returns the texture's own index of a cell.
    pub(crate) fn texel(&self, cell: usize) -> usize {
        if self.reversed {
            self.positions.len() - 2 - cell
        } else {
            cell
        }
    }

    pub(crate) fn cell_start(&self, cell: usize) -> i64 {
        self.positions[cell]
    }

    pub(crate) fn cell_end(&self, cell: usize) -> i64 {
        self.positions[cell + 1]
    }
}

impl AxisMap {
    fn apply(self, quarters: i32) -> i64 {
        i64::from(quarters) * self.scale + self.offset
    }
}
