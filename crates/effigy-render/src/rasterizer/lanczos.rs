//! The filter with Lanczos3: columns first down, then across.

mod horizontal_filter;
mod kernel;
mod vertical_filter;

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::RenderError;
use crate::rasterizer::boundary::Boundary;
use crate::rasterizer::lanczos::horizontal_filter::HorizontalFilter;
use crate::rasterizer::lanczos::vertical_filter::{FilteredColumn, VerticalFilter};
use crate::rasterizer::scan::ColumnFilter;

/// The filter of some rows of a picture.
pub(crate) struct LanczosFilter<'a> {
    vertical: VerticalFilter,
    horizontal: HorizontalFilter<'a>,
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
    fn steps(&self) -> Range<i64> {
        self.vertical.steps.clone()
    }

    /// A column counts as if it were all like its middle.
    fn start_column(&mut self, _: Range<i64>) -> i64 {
        0
    }

    #[inline(always)]
    fn add_edge(&mut self, boundary: Boundary, difference: i32x4) {
        let column = &mut self.pair[self.column % 2];
        self.vertical.add_edge(column, boundary.step(), difference);
    }

    fn end_column(&mut self, touched: [Boundary; 2], pixels: &mut [[u8; 4]]) {
        let touched = touched.map(Boundary::step);
        self.vertical
            .touch(&mut self.pair[self.column % 2], touched);
        if self.column % 2 == 1 {
            self.horizontal
                .push_pair(self.column / 2, &mut self.pair, &self.vertical, pixels);
        }
        self.column += 1;
    }
}
