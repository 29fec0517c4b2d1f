//! A figure, column by column from left to right: each column is filtered as soon as it is known.

use std::ops::Range;

use wide::{i16x8, i32x4};

use crate::rasterizer::columns;
use crate::rasterizer::coverage::CoverageBuffer;
use crate::rasterizer::face::{FAR, ProjectedFace};
use crate::rasterizer::lanczos::horizontal_filter::HorizontalFilter;
use crate::rasterizer::lanczos::kernel::{AREA, Kernel, LANCZOS3, STEP_BITS};
use crate::rasterizer::lanczos::vertical_filter::VerticalFilter;
use crate::rasterizer::line::{FRACTION_BITS, Slope, SlopedLine};
use crate::rasterizer::runs::Runs;
use crate::rasterizer::trapezoid::{Divider, Trapezoid};
use crate::scene::Scene;
use crate::scene::bsp::Bsp;
use crate::{Filter, RenderError};

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
    pub(crate) fn new(scene: &'a Scene<'a>, bsp: &Bsp) -> Self {
        let surfaces = bsp.surfaces.iter();
        let faces: Vec<ProjectedFace<'_>> = surfaces
            .map(|surface| ProjectedFace::new(surface, scene))
            .collect();
        let mut trapezoids = Vec::with_capacity(512);
        let mut divider = Divider::default();
        for piece in scene.pieces(bsp) {
            if piece.rows().flatten().any(|texel| texel[3] > 0) {
                divider.divide(&piece, &mut trapezoids);
            }
        }
        ProjectedFigure {
            scene,
            borders: columns::borders(scene.size[0], scene.filter, &trapezoids, &faces),
            faces,
            trapezoids,
        }
    }

    /// Draws some rows on blank pixels: straight RGBA.
    pub(crate) fn draw(
        &self,
        memory: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        match self.scene.filter {
            Filter::Lanczos3 => self.draw_with(&LANCZOS3, memory, rows, pixels)?,
            Filter::Area => self.draw_with(&AREA, memory, rows, pixels)?,
        }
        if self.scene.camera.is_mirrored() {
            let rows = pixels.chunks_exact_mut(self.scene.size[0] as usize);
            rows.for_each(<[_]>::reverse);
        }
        Ok(())
    }

    /// Filters the columns from left to right.
    fn draw_with<const ROWS: usize>(
        &self,
        kernel: &'static Kernel<ROWS>,
        memory: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        let [width, height] = self.scene.size.map(|pixels| pixels as usize);
        let vertical = VerticalFilter::new(kernel, height, rows.clone());
        let mut horizontal =
            HorizontalFilter::new(kernel, &self.borders, width, rows.len(), memory)?;
        let mut coverage = CoverageBuffer::default();
        let mut pair = [0, 1].map(|_| vertical.blank_column());
        let mut scan = Scan::new(self);
        let borders = self.borders.array_windows();
        for (column, &[left, right]) in borders.enumerate() {
            let filtered = &mut pair[column % 2];
            let x = (left + right) << (FRACTION_BITS - STEP_BITS - 1);
            scan.move_to(x);
            if !scan.active.is_empty() {
                coverage.reset(vertical.steps.clone());
                let touched = scan.composite(x, &mut coverage, |step, difference| {
                    vertical.add_edge(filtered, step, difference);
                });
                vertical.touch(filtered, touched);
            }
            if column % 2 == 1 {
                horizontal.push_pair(column / 2, &mut pair, &vertical, pixels);
            }
        }
        Ok(())
    }
}

/// A scan over the columns of the picture, from left to right.
struct Scan<'a> {
    figure: &'a ProjectedFigure<'a>,
    /// The trapezoids that lie further right, the next one last.
    waiting: Vec<usize>,
    /// The trapezoids that the column crosses, nearest first.
    active: Vec<Active>,
    /// The `x` at which something begins or ends.
    changes_at: i64,
}

/// A trapezoid that the column crosses.
struct Active {
    index: usize,
    /// Where columns enter and leave it. They are read for each column, so they are kept together.
    sides: [SlopedLine; 2],
    runs: Runs,
    /// The runs that neighboring columns share, if they do.
    shared: Option<Shared>,
}

#[derive(Clone, Copy)]
struct Shared {
    slope: Slope,
    /// The `x` for which the runs were computed, and the one up to which they hold.
    from: i64,
    until: i64,
}

impl<'a> Scan<'a> {
    fn new(figure: &'a ProjectedFigure<'a>) -> Scan<'a> {
        let mut waiting: Vec<usize> = (0..figure.trapezoids.len()).collect();
        waiting.sort_unstable_by_key(|&index| std::cmp::Reverse(figure.trapezoids[index].left));
        Scan {
            figure,
            waiting,
            active: Vec::new(),
            changes_at: i64::MIN,
        }
    }

    /// Finds the trapezoids that a column crosses, and the runs that it shares with the next ones.
    fn move_to(&mut self, x: i64) {
        if x < self.changes_at {
            return;
        }
        let trapezoids = &self.figure.trapezoids;
        let begins = |index: &mut usize| trapezoids[*index].left <= x;
        while let Some(index) = self.waiting.pop_if(begins) {
            let at = self.active.partition_point(|active| active.index < index);
            let active = Active {
                index,
                sides: trapezoids[index].sides,
                runs: Runs::default(),
                shared: None,
            };
            self.active.insert(at, active);
        }
        self.active
            .retain(|active| trapezoids[active.index].right > x);
        let next = self.waiting.last();
        self.changes_at = next.map_or(i64::MAX, |&index| trapezoids[index].left);
        for active in &mut self.active {
            let trapezoid = &trapezoids[active.index];
            if active.shared.is_none_or(|shared| shared.until <= x) {
                let face = &self.figure.faces[trapezoid.surface];
                active.shared = face.shared_until(x).map(|(slope, until)| {
                    face.walk(x, [-FAR, FAR], &trapezoid.cells, &mut active.runs);
                    active.runs.trim();
                    Shared {
                        slope,
                        from: x,
                        until,
                    }
                });
            }
            let until = active.shared.map_or(i64::MAX, |shared| shared.until);
            self.changes_at = self.changes_at.min(trapezoid.right).min(until);
        }
    }

    /// Composites the faces of a column, nearest first. Returns the first and the last step that may be an edge; there is
    /// none if they are in the wrong order.
    fn composite(
        &mut self,
        x: i64,
        coverage: &mut CoverageBuffer,
        mut add_edge: impl FnMut(i64, i32x4),
    ) -> [i64; 2] {
        let mut touched = [i64::MAX, i64::MIN];
        for active in &mut self.active {
            let (runs, shared) = (&mut active.runs, active.shared);
            let trapezoid = &self.figure.trapezoids[active.index];
            let crossing = active.sides.map(|side| side.at(x));
            let offset = shared.map_or(0, |shared| shared.slope.rise(x - shared.from));
            let steps = match shared {
                Some(_) => runs.steps(crossing, offset),
                None => Runs::steps_between(crossing),
            };
            let visible = coverage.visible(steps);
            if !visible.is_empty() {
                if shared.is_none() {
                    let face = &self.figure.faces[trapezoid.surface];
                    let within = [visible.start, visible.end]
                        .map(|step| step << (FRACTION_BITS - STEP_BITS));
                    face.walk(x, within, &trapezoid.cells, runs);
                }
                touched = [touched[0].min(visible.start), touched[1].max(visible.end)];
                coverage.composite(visible, runs, offset, &mut add_edge);
            }
        }
        touched
    }
}
