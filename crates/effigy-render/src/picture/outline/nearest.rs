//! The nearest pixels of the silhouette.

/// An offset to a pixel that is too far away to matter.
pub(super) const FAR: i8 = i8::MAX;

/// The columns whose pixels of the silhouette are the nearest ones to the pixels of a row.
#[derive(Default)]
pub(super) struct NearestInRow {
    /// From left to right.
    pub(super) sites: Vec<Site>,
}

/// A column with the pixel of the silhouette that is nearest to some pixels of a row.
pub(super) struct Site {
    pub(super) column: usize,
    /// The first of these pixels.
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
            let start = loop {
                let Some(last) = self.sites.last() else {
                    break 0;
                };
                let start = first_nearer(last.column, column, offsets);
                if start > last.start {
                    break start;
                }
                self.sites.pop();
            };
            if start < offsets.len() {
                self.sites.push(Site { column, start });
            }
        }
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
    // Where both are as far away: twice the place times the distance of the columns is the
    // difference of the squares.
    let difference = square(second) - square(first);
    let distance = 2 * (second - first) as i64;
    let last_not_nearer = difference.div_euclid(distance);
    usize::try_from(last_not_nearer + 1).unwrap_or(0)
}
