//! Drawing, a few rows at a time.

use std::ops::Range;

use wide::i16x8;

use crate::flat::EnlargedGrid;
use crate::picture::composite::over;
use crate::picture::outline::OutlinedPainter;
use crate::picture::shadow::Shadow;
use crate::picture::{Drawing, Picture, Placed, shadows};
use crate::rasterizer::scan::ProjectedFigure;
use crate::scratch::{Scratch, divided, reserve};
use crate::{Decoration, RenderError};

/// The aimed number of pixels of a strip. A strip is drawn within some milliseconds, and its pixels
/// fit into a processor's cache.
const STRIP_PIXELS: usize = 1 << 19;

/// The least height of a strip. Every strip scans all columns of a scene.
const MIN_STRIP_ROWS: usize = 16;

/// The greatest height of a strip, for which the filtered columns of a scene fit into the cache as
/// well.
const MAX_STRIP_ROWS: usize = 1024;

impl Picture<'_> {
    /// Draws the whole picture, and converts its pixels, which are straight RGBA. Another function
    /// is called after each strip.
    pub(crate) fn pixels<T>(
        &self,
        scratch: &mut Scratch,
        mut convert: impl FnMut([u8; 4]) -> T,
        mut after_strip: impl FnMut() -> Result<(), RenderError>,
    ) -> Result<Vec<T>, RenderError> {
        let [width, height] = self.size.map(|side| side as usize);
        let mut pixels = Vec::new();
        reserve(&mut pixels, width, height)?;
        self.strips(scratch, |strip| {
            pixels.extend(strip.iter().map(|&pixel| convert(pixel)));
            after_strip()
        })?;
        Ok(pixels)
    }

    /// Draws the picture strip by strip. Each strip is a number of whole rows of straight RGBA,
    /// from the top. An empty one tells that a part of the next one is drawn.
    pub(crate) fn strips<E: From<RenderError>>(
        &self,
        scratch: &mut Scratch,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), E>,
    ) -> Result<(), E> {
        let [width, height] = self.size.map(|side| side as usize);
        let rows = strip_rows(width);
        let Scratch { strip, columns } = scratch;
        // First what takes the most memory, since the rest cannot be refused.
        reserve(strip, width, rows.min(height))?;
        let mut painter = Painter::new(self)?;
        for start in (0..height).step_by(rows) {
            let rows = start..height.min(start + rows);
            strip.clear();
            strip.resize(width * rows.len(), [0; 4]);
            painter.draw(columns, rows, strip, &mut || take(&[]))?;
            take(strip)?;
        }
        Ok(())
    }
}

/// A picture that is being drawn, from its first row to its last one.
pub(super) enum Painter<'p> {
    Flat(EnlargedGrid<'p>),
    Scene(Box<ProjectedFigure<'p>>),
    Outlined(Box<OutlinedPainter<'p>>),
    Composed(Composition<'p>),
}

impl<'p> Painter<'p> {
    /// Begins to draw a picture.
    pub(super) fn new(picture: &'p Picture<'_>) -> Result<Painter<'p>, RenderError> {
        Ok(match &picture.drawing {
            Drawing::Flat(grid) => Painter::Flat(grid.enlarge(picture.size)),
            Drawing::Scene(scene) => {
                let figure = ProjectedFigure::new(scene, &divided(scene))?;
                Painter::Scene(Box::new(figure))
            }
            Drawing::Outlined(line, player) => {
                let outlined = OutlinedPainter::new(picture.size, *line, player)?;
                Painter::Outlined(Box::new(outlined))
            }
            Drawing::Composed(decoration, views) => {
                Painter::Composed(Composition::new(picture.size, *decoration, views))
            }
        })
    }

    /// Draws some rows on blank pixels: straight RGBA. The memory is that of filtered columns.
    ///
    /// Of several views, another function is called after each: if it fails, drawing stops.
    pub(super) fn draw<E: From<RenderError>>(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
        after_view: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Painter::Flat(grid) => grid.draw(rows.start, pixels),
            Painter::Scene(figure) => figure.draw(columns, rows, pixels)?,
            Painter::Outlined(outlined) => outlined.draw::<E>(columns, rows, pixels)?,
            Painter::Composed(composition) => {
                composition.draw(columns, rows, pixels, after_view)?;
            }
        }
        Ok(())
    }
}

/// Several views in one picture, which are drawn one after another.
pub(super) struct Composition<'p> {
    size: [u32; 2],
    decoration: Decoration,
    shadows: Vec<Shadow>,
    views: Vec<ComposedView<'p>>,
    /// The rows of a view.
    drawn: Vec<[u8; 4]>,
}

/// A view in a picture.
struct ComposedView<'p> {
    /// The position of its top left corner.
    at: [usize; 2],
    picture: &'p Picture<'p>,
    /// It exists from the view's first row to its last one.
    painter: Option<Painter<'p>>,
}

impl<'p> Composition<'p> {
    fn new(size: [u32; 2], decoration: Decoration, views: &'p [Placed<'_>]) -> Composition<'p> {
        let view = |(at, picture): &'p Placed<'_>| ComposedView {
            at: at.map(|pixels| pixels as usize),
            picture,
            painter: None,
        };
        Composition {
            size,
            decoration,
            shadows: shadows(views).collect(),
            views: views.iter().map(view).collect(),
            drawn: Vec::new(),
        }
    }

    /// See [`Painter::draw`].
    fn draw<E: From<RenderError>>(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
        after_view: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let width = self.size[0] as usize;
        pixels.fill(self.decoration.background.unwrap_or([0; 4]));
        for shadow in &self.shadows {
            shadow.draw(rows.clone(), width, pixels);
        }
        for view in &mut self.views {
            let shared = view.rows_within(&rows);
            if shared.is_empty() {
                continue;
            }
            view.draw::<E>(columns, shared.clone(), &mut self.drawn)?;
            let below = &mut pixels[(shared.start - rows.start) * width..];
            view.composite(&self.drawn, below, width);
            after_view()?;
        }
        self.decoration.shape.cut(self.size, rows, pixels);
        Ok(())
    }
}

impl ComposedView<'_> {
    /// Returns those of some rows of the whole picture in which the view lies.
    fn rows_within(&self, rows: &Range<usize>) -> Range<usize> {
        let [_, top] = self.at;
        let end = top + self.picture.size[1] as usize;
        rows.start.max(top)..rows.end.min(end)
    }

    /// Draws some rows of the whole picture, in which the view lies.
    fn draw<E: From<RenderError>>(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        drawn: &mut Vec<[u8; 4]>,
    ) -> Result<(), E> {
        let [_, top] = self.at;
        let [width, height] = self.picture.size.map(|side| side as usize);
        reserve(drawn, width, rows.len())?;
        drawn.resize(width * rows.len(), [0; 4]);
        let painter = match &mut self.painter {
            Some(painter) => painter,
            None => self.painter.insert(Painter::new(self.picture)?),
        };
        let own = rows.start - top..rows.end - top;
        let is_last = own.end == height;
        painter.draw::<E>(columns, own, drawn, &mut || Ok(()))?;
        if is_last {
            self.painter = None;
        }
        Ok(())
    }

    /// Composites rows of the view over those of the whole picture, which has this width.
    fn composite(&self, drawn: &[[u8; 4]], below: &mut [[u8; 4]], width: usize) {
        let [left, _] = self.at;
        let own_width = self.picture.size[0] as usize;
        let rows = below.chunks_exact_mut(width);
        for (row, own_row) in rows.zip(drawn.chunks_exact(own_width)) {
            for (pixel, &above) in row[left..].iter_mut().zip(own_row) {
                *pixel = over(above, *pixel);
            }
        }
    }
}

/// Returns the number of rows of a strip.
pub(super) fn strip_rows(width: usize) -> usize {
    (STRIP_PIXELS / width.max(1)).clamp(MIN_STRIP_ROWS, MAX_STRIP_ROWS)
}
