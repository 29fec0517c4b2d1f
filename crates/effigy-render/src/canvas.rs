//! The working canvas, which is never made: its columns are filtered as they are found.

use std::ops::Range;

use crate::Skin;
use crate::falls::{Column, Falls};
use crate::projection::Projection;
use crate::resample::Columns;
use crate::scene::Patch;
use crate::sheet::{Run, Sheet};
use crate::sight::Sight;

/// A figure on the working canvas.
pub(crate) struct Canvas<'a> {
    skin: &'a Skin,
    projection: &'a Projection,
    /// Nearest first.
    sheets: Vec<Sheet>,
}

impl<'a> Canvas<'a> {
    /// A canvas for patches in painting order.
    pub(crate) fn new(patches: &[Patch], skin: &'a Skin, projection: &'a Projection) -> Canvas<'a> {
        let sheets = patches
            .iter()
            .rev()
            .map(|patch| Sheet::new(patch, skin, projection))
            .collect();
        Canvas {
            skin,
            projection,
            sheets,
        }
    }

    /// Filters these pairs of columns of a strip. Beyond the last column nothing is drawn.
    pub(crate) fn filter(&self, falls: &Falls, pairs: &Range<usize>, columns: &mut Columns) {
        let mut sight = Sight::default();
        let mut runs = Vec::new();
        let mut pair = [0, 1].map(|_| Column::new(falls.height()));
        let mut drawn: Vec<&Sheet> = Vec::new();
        let mut until = i64::MIN;
        for (place, left) in pairs.clone().enumerate() {
            for (side, column) in (0..).zip(&mut pair) {
                let x = 2 * i64::try_from(left).unwrap_or(i64::MAX / 2) + side;
                if x >= until {
                    until = self.sheets_at(x, &mut drawn);
                }
                if !drawn.is_empty() {
                    self.look(x, &drawn, falls, &mut sight, &mut runs, column);
                }
            }
            columns.set(place, &mut pair, falls.height());
        }
    }

    /// Finds the sheets that cover a column. Returns the next column where others do.
    fn sheets_at<'s>(&'s self, x: i64, drawn: &mut Vec<&'s Sheet>) -> i64 {
        drawn.clear();
        drawn.extend(
            self.sheets
                .iter()
                .filter(|sheet| sheet.columns.contains(&x)),
        );
        let borders = self
            .sheets
            .iter()
            .flat_map(|s| [s.columns.start, s.columns.end]);
        borders
            .filter(|&border| border > x)
            .min()
            .unwrap_or(i64::MAX)
    }

    /// Looks down a column: what is seen of the sheets, nearest first.
    fn look(
        &self,
        x: i64,
        sheets: &[&Sheet],
        falls: &Falls,
        sight: &mut Sight,
        runs: &mut Vec<Run>,
        column: &mut Column,
    ) {
        let (centre, h) = self.projection.column(x);
        let mut edges = column.edges(falls);
        sight.clear(falls.rows.start, falls.rows.end);
        for sheet in sheets {
            let rows = sheet.rows(h);
            if sight.shows(&rows) {
                sheet.runs(centre, h, self.skin, runs);
                sight.lay(rows.start, runs, &mut edges);
            }
        }
    }
}
