//! The nearest pixels of the silhouette.

/// An offset to a pixel that is too far away to matter.
pub(super) const FAR: i8 = i8::MAX;

/// The columns whose pixels of the silhouette are the nearest ones to the pixels of a row.
#[derive(Default)]
pub(super) struct NearestInRow {
    /// From left to right.
    pub(super) sites: Vec<Site>,
}

/// A column whose pixel of the silhouette is the nearest one to some pixels of a row.
pub(super) struct Site {
    pub(super) column: usize,
    /// The first pixel of the row to which it is nearest.
    pub(super) start: usize,
}

impl NearestInRow {
    /// Finds the columns for a row, given the offsets to the nearest pixels in each column.
    pub(super) fn find(&mut self, offsets: &[i8]) {
        self.sites.clear();
        for (column, &offset) in offsets.iter().enumerate() {
            // Pixels of the silhouette between others are never the nearest to one outside.
            let is_inner = column > 0 && offsets.get(column - 1..column + 2) == Some(&[0; 3]);
            if offset == FAR || is_inner {
                continue;
            }
            let start = self.start_of(column, offsets);
            if start < offsets.len() {
                self.sites.push(Site { column, start });
            }
        }
    }

    /// Returns the first pixel to which a column is nearer than all sites, and removes the sites
    /// that are nowhere the nearest.
    fn start_of(&mut self, column: usize, offsets: &[i8]) -> usize {
        while let Some(last) = self.sites.last() {
            let start = first_nearer(last.column, column, offsets);
            if start > last.start {
                return start;
            }
            self.sites.pop();
        }
        0
    }
}

/// Returns the first pixel of a row to which the pixel of the silhouette in the second column is
/// nearer than the one in the first column, which lies further left.
fn first_nearer(first: usize, second: usize, offsets: &[i8]) -> usize {
    let square = |column: usize| {
        let column_squared = column as i64 * column as i64;
        let offset = i64::from(offsets[column]);
        column_squared + offset * offset
    };
    // At the place that is equally far from both, twice the place times the distance of the columns
    // is the difference of the squares.
    let difference = square(second) - square(first);
    let distance = 2 * (second - first) as i64;
    let last_not_nearer = difference.div_euclid(distance);
    usize::try_from(last_not_nearer + 1).unwrap_or(0)
}
