//! The working canvas, which is never made: its columns are filtered as they are found.

use crate::Skin;
use crate::isometric::bsp::Patch;
use crate::isometric::coverage::Sight;
use crate::isometric::face::Sheet;
use crate::isometric::projection::Projection;
use crate::isometric::runs::Strand;
use crate::isometric::vertical_filter::{Column, Falls};

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
            .filter(|sheet| !sheet.is_clear(skin))
            .collect();
        Canvas {
            skin,
            projection,
            sheets,
        }
    }

    /// Filters the columns of a strip, pair by pair. Beyond the last column nothing is drawn.
    pub(crate) fn filter(&self, falls: &Falls, mut take: impl FnMut(usize, &mut [Column; 2])) {
        let mut sight = Sight::default();
        let mut pair = [0, 1].map(|_| Column::new(falls.height()));
        let mut walk = Walk::over(&self.sheets);
        for (place, left) in (0..self.projection.width).step_by(2).enumerate() {
            let left = i64::try_from(left).unwrap_or(i64::MAX);
            for (x, column) in (left..).zip(&mut pair) {
                if x >= walk.until {
                    walk.enter(x, self);
                }
                if !walk.drawn.is_empty() {
                    walk.look(x, self, falls, &mut sight, column);
                }
            }
            take(place, &mut pair);
        }
    }
}

/// A walk over the columns of the canvas, from left to right.
struct Walk {
    /// What each of the sheets shows, and the place up to which it does.
    strands: Vec<(Strand, Option<i64>)>,
    /// The sheets of which something may be seen, nearest first.
    drawn: Vec<usize>,
    /// The column where these are others, or show other texels.
    until: i64,
}

impl Walk {
    fn over(sheets: &[Sheet]) -> Walk {
        Walk {
            strands: sheets.iter().map(|_| (Strand::default(), None)).collect(),
            drawn: Vec::new(),
            until: i64::MIN,
        }
    }

    /// Finds what the columns from `x` on show.
    fn enter(&mut self, x: i64, canvas: &Canvas<'_>) {
        let (centre, _) = canvas.projection.column(x);
        self.drawn.clear();
        self.until = i64::MAX;
        for (place, sheet) in canvas.sheets.iter().enumerate() {
            if x < sheet.columns.start {
                self.until = self.until.min(sheet.columns.start);
            } else if x < sheet.columns.end {
                let (strand, until) = &mut self.strands[place];
                if until.is_none_or(|until| until <= centre) {
                    *until = sheet.enter(centre, canvas.skin, strand);
                }
                let column = until.map(|until| canvas.projection.first_column(until));
                let end = sheet.columns.end;
                self.until = self.until.min(column.map_or(end, |column| end.min(column)));
                // Of a level patch every column shows something else.
                if column.is_none() || !strand.is_clear() {
                    self.drawn.push(place);
                }
            }
        }
    }

    /// Looks down a column: what is seen of the sheets, nearest first.
    fn look(
        &mut self,
        x: i64,
        canvas: &Canvas<'_>,
        falls: &Falls,
        sight: &mut Sight,
        column: &mut Column,
    ) {
        let (_, h) = canvas.projection.column(x);
        let mut edges = column.edges(falls);
        sight.clear(falls.rows.start, falls.rows.end);
        for &place in &self.drawn {
            let (sheet, (strand, _)) = (&canvas.sheets[place], &mut self.strands[place]);
            if sight.shows(sheet.rows(h, strand)) {
                let lower = sheet.cross(h, canvas.skin, strand);
                sight.lay(strand, lower, &mut edges);
            }
        }
    }
}
