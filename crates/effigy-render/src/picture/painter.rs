//! Drawing, a few rows at a time.

use std::ops::Range;

use wide::i16x8;

use crate::flat::EnlargedGrid;
use crate::picture::composite::over;
use crate::picture::outline::OutlinedPainter;
use crate::picture::shadow::Shadow;
use crate::picture::{Drawing, Picture, PlacedPicture, shadows};
use crate::rasterizer::scan::ProjectedFigure;
use crate::scene::figure_cache::FigureCache;
use crate::scratch::{Scratch, reserve};
use crate::{Decoration, RenderError};

/// The aimed number of pixels of a strip. A strip is drawn within some milliseconds, and its pixels
/// fit into a processor's cache.
const STRIP_PIXELS: usize = 1 << 19;

/// The least height of a strip. Every strip scans all columns of a scene.
const MIN_STRIP_ROWS: usize = 16;

/// The greatest height of a strip. The filtered columns of a scene have to fit into the cache as
/// well.
const MAX_STRIP_ROWS: usize = 1024;

/// A step of a drawing.
pub(crate) enum Progress<'a> {
    /// One of several players in the next strip is drawn.
    Player,
    /// A strip is drawn: whole rows of straight RGBA, below the rows of the last strip.
    Strip(&'a [[u8; 4]]),
}

impl Picture<'_> {
    /// Draws the whole picture, and converts its pixels, which are straight RGBA. A checkpoint that
    /// fails stops the drawing.
    pub(crate) fn pixels<T>(
        &self,
        scratch: &mut Scratch,
        mut convert: impl FnMut([u8; 4]) -> T,
        mut checkpoint: impl FnMut() -> Result<(), RenderError>,
    ) -> Result<Vec<T>, RenderError> {
        let [width, height] = self.size.map(|side| side as usize);
        let mut pixels = Vec::new();
        reserve(&mut pixels, width, height)?;
        self.draw(scratch, |progress| {
            if let Progress::Strip(strip) = progress {
                pixels.extend(strip.iter().map(|&pixel| convert(pixel)));
            }
            checkpoint()
        })?;
        Ok(pixels)
    }

    /// Draws the picture strip by strip. An error of `take` stops the drawing.
    pub(crate) fn draw<E: From<RenderError>>(
        &self,
        scratch: &mut Scratch,
        mut take: impl FnMut(Progress<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let [width, height] = self.size.map(|side| side as usize);
        let strip_height = strip_rows(width);
        let Scratch {
            strip,
            columns,
            figures,
        } = scratch;
        // The strip takes the most memory, and comes first, because smaller requests cannot fail
        // gracefully.
        reserve(strip, width, strip_height.min(height))?;
        let mut painter = Painter::new(self, figures)?;
        for start in (0..height).step_by(strip_height) {
            let rows = start..height.min(start + strip_height);
            strip.clear();
            strip.resize(width * rows.len(), [0; 4]);
            painter.draw_players(columns, rows, strip, &mut || take(Progress::Player))?;
            take(Progress::Strip(strip))?;
        }
        Ok(())
    }
}

/// Draws a picture from its first row to its last one.
pub(super) enum Painter<'p> {
    Flat(EnlargedGrid<'p>),
    Scene(Box<ProjectedFigure<'p>>),
    Outlined(Box<OutlinedPainter<'p>>),
    Composed(CompositionPainter<'p>),
}

impl<'p> Painter<'p> {
    pub(super) fn new(
        picture: &'p Picture<'_>,
        figures: &FigureCache,
    ) -> Result<Painter<'p>, RenderError> {
        Ok(match &picture.drawing {
            Drawing::Flat(grid) => Painter::Flat(grid.enlarge(picture.size)),
            Drawing::Scene(scene) => {
                let figure = ProjectedFigure::new(scene, &figures.bsp(scene))?;
                Painter::Scene(Box::new(figure))
            }
            Drawing::Outlined(stroke, player) => {
                let outlined = OutlinedPainter::new(picture.size, *stroke, player, figures)?;
                Painter::Outlined(Box::new(outlined))
            }
            Drawing::Composed(decoration, views) => Painter::Composed(CompositionPainter::new(
                picture.size,
                *decoration,
                views,
                figures,
            )),
        })
    }

    /// Draws some rows on blank pixels: straight RGBA. The filtered columns use the memory of
    /// `columns`.
    pub(super) fn draw(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        self.draw_players(columns, rows, pixels, &mut || Ok(()))
    }

    /// Draws some rows like [`Painter::draw`]. If there are several players, `after_player` is
    /// called after each. An error of it stops the drawing.
    fn draw_players<E: From<RenderError>>(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
        after_player: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Painter::Flat(grid) => grid.draw(rows.start, pixels),
            Painter::Scene(figure) => figure.draw(columns, rows, pixels)?,
            Painter::Outlined(outlined) => outlined.draw(columns, rows, pixels)?,
            Painter::Composed(composition) => {
                composition.draw(columns, rows, pixels, after_player)?;
            }
        }
        Ok(())
    }
}

/// Draws several views in one picture, one after another.
pub(super) struct CompositionPainter<'p> {
    size: [u32; 2],
    decoration: Decoration,
    shadows: Vec<Shadow>,
    views: Vec<ViewPainter<'p>>,
    /// The rows of a view before they are composited.
    view_rows: Vec<[u8; 4]>,
}

/// Draws a view of a composition.
struct ViewPainter<'p> {
    /// The place of its top left corner in the composition.
    at: [usize; 2],
    picture: &'p Picture<'p>,
    figures: FigureCache,
    /// Exists only from the view's first row to its last one, to save memory.
    painter: Option<Painter<'p>>,
}

impl<'p> CompositionPainter<'p> {
    fn new(
        size: [u32; 2],
        decoration: Decoration,
        views: &'p [PlacedPicture<'_>],
        figures: &FigureCache,
    ) -> CompositionPainter<'p> {
        let painter_of = |view: &'p PlacedPicture<'_>| ViewPainter {
            at: view.at.map(|pixels| pixels as usize),
            picture: &view.picture,
            figures: figures.clone(),
            painter: None,
        };
        CompositionPainter {
            size,
            decoration,
            shadows: shadows(views),
            views: views.iter().map(painter_of).collect(),
            view_rows: Vec::new(),
        }
    }

    /// See [`Painter::draw_players`].
    fn draw<E: From<RenderError>>(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
        after_player: &mut dyn FnMut() -> Result<(), E>,
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
            view.draw(columns, shared.clone(), &mut self.view_rows)?;
            let below = &mut pixels[(shared.start - rows.start) * width..];
            view.composite(&self.view_rows, below, width);
            after_player()?;
        }
        self.decoration.shape.cut(self.size, rows, pixels);
        Ok(())
    }
}

impl ViewPainter<'_> {
    /// Returns the part of some rows of the composition in which the view lies.
    fn rows_within(&self, rows: &Range<usize>) -> Range<usize> {
        let [_, top] = self.at;
        let end = top + self.picture.size[1] as usize;
        rows.start.max(top)..rows.end.min(end)
    }

    /// Draws some rows of the composition, in which the view lies.
    fn draw(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        view_rows: &mut Vec<[u8; 4]>,
    ) -> Result<(), RenderError> {
        let [_, top] = self.at;
        let [width, height] = self.picture.size.map(|side| side as usize);
        reserve(view_rows, width, rows.len())?;
        view_rows.resize(width * rows.len(), [0; 4]);
        let painter = match &mut self.painter {
            Some(painter) => painter,
            None => self
                .painter
                .insert(Painter::new(self.picture, &self.figures)?),
        };
        let own_rows = rows.start - top..rows.end - top;
        let is_last = own_rows.end == height;
        painter.draw(columns, own_rows, view_rows)?;
        if is_last {
            self.painter = None;
        }
        Ok(())
    }

    /// Composites rows of the view over rows of the composition, which has this width.
    fn composite(&self, view_rows: &[[u8; 4]], below: &mut [[u8; 4]], width: usize) {
        let [left, _] = self.at;
        let own_width = self.picture.size[0] as usize;
        let rows = below.chunks_exact_mut(width);
        for (row, own_row) in rows.zip(view_rows.chunks_exact(own_width)) {
            for (pixel, &above) in row[left..].iter_mut().zip(own_row) {
                *pixel = over(above, *pixel);
            }
        }
    }
}

/// Returns the number of rows of a strip.
pub(crate) fn strip_rows(width: usize) -> usize {
    (STRIP_PIXELS / width.max(1)).clamp(MIN_STRIP_ROWS, MAX_STRIP_ROWS)
}
