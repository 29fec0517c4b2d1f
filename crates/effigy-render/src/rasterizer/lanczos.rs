//! The filter with Lanczos3: columns first down, then across.

mod horizontal_filter;
mod kernel;
mod vertical_filter;

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::RenderError;
use crate::rasterizer::boundary::{Boundary, Rises};
use crate::rasterizer::lanczos::horizontal_filter::HorizontalFilter;
use crate::rasterizer::lanczos::vertical_filter::{FilteredColumn, VerticalFilter};
use crate::rasterizer::scan::ColumnFilter;

/// The filter of some rows of a picture.
pub(crate) struct LanczosFilter<'a> {
    vertical: VerticalFilter,
    horizontal: HorizontalFilter<'a>,
    /// The one on the left in a pair, and the current column.
    pair: [FilteredColumn; 2],
    /// The number of columns before this one.
    column: usize,
}

impl<'a> LanczosFilter<'a> {
    /// Creates the filter for columns with these borders.
    pub(crate) fn new(
        [width, height]: [usize; 2],
        rows: Range<usize>,
        borders: &'a [i64],
        memory: &'a mut Vec<i16x8>,
    ) -> Result<LanczosFilter<'a>, RenderError> {
        let horizontal = HorizontalFilter::new(borders, width, rows.len(), memory)?;
        let vertical = VerticalFilter::new(height, rows);
        Ok(LanczosFilter {
            pair: [0, 1].map(|_| vertical.blank_column()),
            vertical,
            horizontal,
            column: 0,
        })
    }
}

impl ColumnFilter for LanczosFilter<'_> {
    fn rows(&self) -> Range<Boundary> {
        let steps = &self.vertical.steps;
        Boundary::level(steps.start)..Boundary::level(steps.end)
    }

    /// A column counts as if it were all like its middle.
    #[inline]
    fn start_column(&mut self, _: Range<i64>) -> Rises {
        Rises::NONE
    }

    #[inline(always)]
    fn add_edge(&mut self, boundary: Boundary, difference: i32x4) {
        let [_, column] = &mut self.pair;
        self.vertical.add_edge(column, boundary.step(), difference);
    }

    fn end_column(&mut self, _: i64, pixels: &mut [[u8; 4]]) {
        let [left, column] = &mut self.pair;
        if self.column % 2 == 1 {
            self.horizontal
                .push_pair(self.column / 2, &mut self.pair, &self.vertical, pixels);
        } else {
            std::mem::swap(left, column);
        }
        self.column += 1;
    }
}
