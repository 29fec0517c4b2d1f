//! The working canvas, which exists only column by column: each is filtered as soon as it is known.

use wide::i32x4;

use crate::Skin;
use crate::isometric::coverage::CoverageBuffer;
use crate::isometric::face::ProjectedFace;
use crate::isometric::fragment::Fragment;
use crate::isometric::projection::Projection;
use crate::isometric::runs::Runs;
use crate::isometric::vertical_filter::{FilteredColumn, VerticalFilter};

/// A figure on the working canvas.
pub(crate) struct Canvas<'a> {
    skin: &'a Skin,
    projection: &'a Projection,
    /// Nearest first.
    faces: Vec<ProjectedFace>,
}

impl<'a> Canvas<'a> {
    /// Projects fragments, which come nearest first.
    pub(crate) fn new(
        fragments: &[Fragment],
        skin: &'a Skin,
        projection: &'a Projection,
    ) -> Canvas<'a> {
        let faces = fragments
            .iter()
            .map(|fragment| ProjectedFace::new(fragment, skin, projection))
            .filter(|face| !face.is_transparent(skin))
            .collect();
        Canvas {
            skin,
            projection,
            faces,
        }
    }

    /// Filters the columns from left to right and gives them to `take` in pairs, with the number of
    /// the pair. A last odd column is paired with a blank one.
    pub(crate) fn filter_columns(
        &self,
        filter: &VerticalFilter,
        mut take: impl FnMut(usize, &mut [FilteredColumn; 2]),
    ) {
        let mut coverage = CoverageBuffer::default();
        let mut pair = [0, 1].map(|_| FilteredColumn::new(filter.height()));
        let mut scan = Scan::new(&self.faces);
        for (number, column) in (0..self.projection.width).step_by(2).enumerate() {
            let left = i64::try_from(column).expect("a canvas is at most 2.5 sides wide");
            for (column, filtered) in (left..).zip(&mut pair) {
                if column >= scan.valid_until {
                    scan.update(column, self);
                }
                if !scan.visible.is_empty() {
                    coverage.reset(filter.rows.clone());
                    scan.composite(column, self, &mut coverage, |row, difference| {
                        filtered.add_edge(filter, row, difference);
                    });
                }
            }
            take(number, &mut pair);
        }
    }
}

/// A scan over the columns of the canvas, from left to right.
struct Scan {
    /// The runs of each of the canvas's faces.
    runs: Vec<FaceRuns>,
    /// Indices of the faces that the current column crosses, nearest first.
    visible: Vec<usize>,
    /// The first column that needs an update.
    valid_until: i64,
}

#[derive(Default)]
struct FaceRuns {
    runs: Runs,
    /// The coordinate up to which columns share the runs, unless every column has its own.
    shared_until: Option<i64>,
}

impl Scan {
    fn new(faces: &[ProjectedFace]) -> Scan {
        Scan {
            runs: faces.iter().map(|_| FaceRuns::default()).collect(),
            visible: Vec::new(),
            valid_until: i64::MIN,
        }
    }

    /// Finds the visible faces and their runs from a column on.
    fn update(&mut self, column: i64, canvas: &Canvas<'_>) {
        let x = canvas.projection.sample_line(column).x;
        self.visible.clear();
        self.valid_until = i64::MAX;
        for (index, face) in canvas.faces.iter().enumerate() {
            if column < face.columns.start {
                self.valid_until = self.valid_until.min(face.columns.start);
            } else if column < face.columns.end {
                let FaceRuns { runs, shared_until } = &mut self.runs[index];
                if shared_until.is_none_or(|end| end <= x) {
                    *shared_until = face.shared_runs(x, canvas.skin, runs);
                }
                let changed = shared_until.map(|end| canvas.projection.first_column_from(end));
                let changed = changed.unwrap_or(i64::MAX).min(face.columns.end);
                self.valid_until = self.valid_until.min(changed);
                // Runs that are not shared are computed when the column is composited.
                if shared_until.is_none() || !runs.is_transparent() {
                    self.visible.push(index);
                }
            }
        }
    }

    /// Composites the visible faces of a column, nearest first.
    fn composite(
        &mut self,
        column: i64,
        canvas: &Canvas<'_>,
        coverage: &mut CoverageBuffer,
        mut add_edge: impl FnMut(i64, i32x4),
    ) {
        let line = canvas.projection.sample_line(column);
        for &index in &self.visible {
            let (face, runs) = (&canvas.faces[index], &mut self.runs[index].runs);
            if coverage.is_visible(face.rows(line, runs)) {
                let offset = face.update_runs(line, canvas.skin, runs);
                coverage.composite(runs, offset, &mut add_edge);
            }
        }
    }
}
