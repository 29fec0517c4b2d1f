//! The interface of the filters, through which a scan hands them its columns.

use std::ops::Range;

use wide::i32x4;

use crate::rasterizer::boundary::{Boundary, Rises};

/// A filter that turns columns into some rows of output pixels.
pub(super) trait ColumnFilter {
    /// The part of a column on which the rows depend.
    fn rows(&self) -> Range<Boundary>;

    /// Begins a column between two borders in steps, and returns how lines rise in it.
    fn start_column(&mut self, column: Range<i64>) -> Rises;

    /// Adds an edge of the column: the color below it less the one above it.
    fn add_edge(&mut self, boundary: Boundary, difference: i32x4);

    /// Ends a column at its right border, and writes the pixels that depend on no further one:
    /// straight RGBA.
    fn end_column(&mut self, end: i64, pixels: &mut [[u8; 4]]);
}

/// No rows, to which any can be added.
pub(super) const NOTHING: Range<usize> = Range {
    start: usize::MAX,
    end: 0,
};
