//! A figure, column by column from left to right: each column is filtered as soon as it is known.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use wide::i16x8;

#[cfg(feature = "lanczos3")]
use crate::Filter;
use crate::RenderError;
use crate::rasterizer::area::AreaFilter;
use crate::rasterizer::boundary::{Boundary, Rises, STEP_BITS};
use crate::rasterizer::columns;
use crate::rasterizer::coverage::CoverageBuffer;
use crate::rasterizer::face::{ProjectedFace, SimilarColumns};
use crate::rasterizer::filter::ColumnFilter;
#[cfg(feature = "lanczos3")]
use crate::rasterizer::lanczos::LanczosFilter;
use crate::rasterizer::line::FRACTION_BITS;
use crate::rasterizer::runs::{Crossing, Runs};
use crate::rasterizer::trapezoid::{Trapezoid, divide};
use crate::scene::Scene;
use crate::scene::bsp::Bsp;

/// A projected figure.
pub(crate) struct ProjectedFigure<'a> {
    scene: &'a Scene<'a>,
    /// The borders of the columns, in steps.
    borders: Vec<i64>,
    faces: Vec<ProjectedFace<'a>>,
    /// Nearest first.
    trapezoids: Vec<Trapezoid>,
}

impl<'a> ProjectedFigure<'a> {
    /// Projects a figure.
    pub(crate) fn new(scene: &'a Scene<'a>, bsp: &Bsp) -> Result<Self, RenderError> {
        let surfaces = bsp.surfaces.iter();
        let faces: Vec<ProjectedFace<'_>> = surfaces
            .map(|surface| ProjectedFace::new(surface, scene))
            .collect();
        let mut trapezoids = Vec::with_capacity(512);
        for piece in scene.pieces(bsp) {
            if piece.is_visible() {
                divide(&piece, &mut trapezoids);
            }
        }
        Ok(ProjectedFigure {
            scene,
            borders: columns::borders(scene, &trapezoids, &faces)?,
            faces,
            trapezoids,
        })
    }

    /// Draws some rows on blank pixels: straight RGBA.
    #[cfg_attr(
        not(feature = "lanczos3"),
        expect(
            unused_variables,
            clippy::ptr_arg,
            reason = "only Lanczos3 keeps columns in the memory"
        )
    )]
    pub(crate) fn draw(
        &self,
        memory: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        let size = self.scene.size.map(|side| side as usize);
        match self.scene.filter {
            #[cfg(feature = "lanczos3")]
            Filter::Lanczos3 => {
                let mut filter = LanczosFilter::new(size, rows, &self.borders, memory)?;
                self.draw_columns(&mut filter, pixels);
            }
            _ => self.draw_columns(&mut AreaFilter::new(self.scene, rows), pixels),
        }
        if self.scene.camera.is_mirrored() {
            for row in pixels.chunks_exact_mut(size[0]) {
                row.reverse();
            }
        }
        Ok(())
    }

    /// Filters the columns from left to right.
    fn draw_columns(&self, filter: &mut impl ColumnFilter, pixels: &mut [[u8; 4]]) {
        let rows = filter.rows();
        let trapezoids = self.trapezoids.iter().zip(0..);
        let waiting = trapezoids.map(|(trapezoid, index)| Reverse((trapezoid.left, index)));
        let mut scan = Scan {
            figure: self,
            waiting: waiting.collect(),
            active: Vec::new(),
            coverage: CoverageBuffer::default(),
            runs: Runs::default(),
            changes_at: i64::MIN,
        };
        for &[left, right] in self.borders.array_windows() {
            let x = (left + right) << (FRACTION_BITS - STEP_BITS - 1);
            scan.move_to(x);
            let rises = filter.start_column(left..right);
            if !scan.active.is_empty() {
                scan.coverage.reset(rows.clone());
                scan.composite(x, rises, filter);
            }
            filter.end_column(right, pixels);
        }
    }
}

/// A scan over the columns of the picture, from left to right.
struct Scan<'a> {
    figure: &'a ProjectedFigure<'a>,
    /// The left sides and the numbers of the trapezoids that lie further right. A heap, because it
    /// makes the module for browsers smaller than a sort.
    waiting: BinaryHeap<Reverse<(i64, usize)>>,
    /// The trapezoids that the column crosses, nearest first.
    active: Vec<Active<'a>>,
    coverage: CoverageBuffer,
    /// The runs of a trapezoid in this column alone.
    runs: Runs,
    /// The `x` at which something begins or ends.
    changes_at: i64,
}

/// A trapezoid that the column crosses.
struct Active<'a> {
    index: usize,
    trapezoid: &'a Trapezoid,
    /// The `x` up to which `shared` is right. Without shared runs, it is the right side of the
    /// trapezoid.
    until: i64,
    /// The runs that neighboring columns share, if they do: everywhere on a face or nowhere.
    shared: Option<Box<Runs>>,
}

impl<'a> Active<'a> {
    fn new(index: usize, trapezoid: &'a Trapezoid, x: i64) -> Active<'a> {
        Active {
            index,
            trapezoid,
            until: x,
            shared: None,
        }
    }

    /// Finds the runs that a column shares with the next ones.
    fn share_runs(&mut self, x: i64, face: &ProjectedFace<'_>) {
        let trapezoid = self.trapezoid;
        self.until = trapezoid.right;
        if let Some(SimilarColumns { slope, end }) = face.similar_columns(x) {
            let all = [-Crossing::FAR.y, Crossing::FAR.y];
            let runs = self.shared.get_or_insert_default();
            face.walk(x, all, &trapezoid.cells, runs);
            runs.trim();
            runs.slope = slope;
            runs.from = x;
            self.until = end.min(trapezoid.right);
        }
    }
}

impl Scan<'_> {
    /// Finds the trapezoids that a column crosses, and the runs that it shares with the next ones.
    fn move_to(&mut self, x: i64) {
        if x < self.changes_at {
            return;
        }
        self.active.retain(|active| active.trapezoid.right > x);
        self.enter_trapezoids(x);
        self.changes_at = match self.waiting.peek() {
            Some(&Reverse((left, _))) => left,
            None => i64::MAX,
        };
        for active in &mut self.active {
            if active.until <= x {
                let face = &self.figure.faces[active.trapezoid.surface];
                active.share_runs(x, face);
            }
            self.changes_at = self.changes_at.min(active.until);
        }
    }

    /// Adds the trapezoids that begin before a column and end after it.
    fn enter_trapezoids(&mut self, x: i64) {
        while let Some(&Reverse((left, index))) = self.waiting.peek()
            && left <= x
        {
            self.waiting.pop();
            let trapezoid = &self.figure.trapezoids[index];
            if trapezoid.right > x {
                let at = self.active.partition_point(|active| active.index < index);
                self.active.insert(at, Active::new(index, trapezoid, x));
            }
        }
    }

    /// Composites the faces of a column, nearest first.
    fn composite(&mut self, x: i64, rises: Rises, filter: &mut impl ColumnFilter) {
        let coverage = &mut self.coverage;
        for active in &self.active {
            let trapezoid = active.trapezoid;
            let sides = trapezoid.sides;
            let [top, bottom] =
                sides.map(|side| Boundary::new(side.at(x), side.steepness(), rises));
            let mut rows = top..bottom;
            if let Some(shared) = &active.shared {
                let covered = shared.range(x, rises);
                rows = top.max(covered.start)..bottom.min(covered.end);
            }
            let visible = coverage.visible(rows);
            if visible.is_empty() {
                continue;
            }
            let runs = if let Some(shared) = &active.shared {
                shared
            } else {
                let face = &self.figure.faces[trapezoid.surface];
                let within = [visible.start, visible.end].map(Boundary::coordinate);
                face.walk(x, within, &trapezoid.cells, &mut self.runs);
                &self.runs
            };
            coverage.composite(visible, runs.iter(x, rises), |at, difference| {
                filter.add_edge(at, difference);
            });
        }
    }
}
