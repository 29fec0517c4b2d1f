//! The flat views as data: which parts of the figure they show, and where.

use crate::model::{BODY_PARTS, Part};

/// A flat view on a grid of cells. On a skin 64 texels wide a cell is one texel, on one twice as wide
/// it is 2 x 2 texels, and so on.
pub(crate) struct Layout {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) panes: &'static [Pane],
}

/// Parts of the figure, seen from the front.
pub(crate) struct Pane {
    /// The parts in painting order.
    pub(crate) parts: &'static [Part],
    /// The column of the figure that lies on `left`. The figure is 16 texels wide and begins at the
    /// top of the grid.
    pub(crate) from: u32,
    /// The column of cells where the pane begins.
    pub(crate) left: u32,
    /// The width and height of a texel in cells.
    pub(crate) cells: u32,
}

const FACE: Pane = Pane {
    parts: &[Part::Head],
    from: 4,
    left: 0,
    cells: 1,
};

const FIGURE: Pane = Pane {
    parts: &BODY_PARTS,
    from: 0,
    left: 0,
    cells: 1,
};

pub(crate) const HEAD: Layout = Layout {
    columns: 8,
    rows: 8,
    panes: &[FACE],
};

pub(crate) const BODY: Layout = Layout {
    columns: 16,
    rows: 32,
    panes: &[FIGURE],
};

/// The upper half of [`BODY`]: what lies below is cut off.
pub(crate) const BUST: Layout = Layout {
    columns: 16,
    rows: 16,
    panes: &[FIGURE],
};

/// The face, an empty column, and the figure.
pub(crate) const COMBO: Layout = Layout {
    columns: 49,
    rows: 32,
    panes: &[Pane { cells: 4, ..FACE }, Pane { left: 33, ..FIGURE }],
};
