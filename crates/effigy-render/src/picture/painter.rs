//! Drawing, a few rows at a time.

use std::ops::Range;

use crate::flat::grid::Grid;
use crate::picture::composition::{Composition, over};
use crate::picture::shadow::Shadow;
use crate::picture::{Drawing, Picture};
use crate::rasterizer::scan::ProjectedFigure;
use crate::{RenderError, Renderer};

/// A picture that is being drawn.
pub(crate) enum Painter<'p> {
    Flat(FlatPainter<'p>),
    Scene(ProjectedFigure<'p>),
    Composed(CompositionPainter<'p>),
}

/// A grid of texels with the texels of all columns and rows of pixels.
pub(crate) struct FlatPainter<'p> {
    grid: &'p Grid,
    columns: Vec<usize>,
    rows: usize,
}

/// A composition with those of its pictures that are being drawn.
pub(crate) struct CompositionPainter<'p> {
    composition: &'p Composition<'p>,
    shadows: Vec<Shadow>,
    painters: Vec<Option<Painter<'p>>>,
    /// Rows of one picture.
    pixels: Vec<[u8; 4]>,
}

impl<'p> Painter<'p> {
    pub(crate) fn new(picture: &'p Picture<'_>, renderer: &mut Renderer) -> Painter<'p> {
        match &picture.drawing {
            Drawing::Flat(grid) => {
                let [width, rows] = picture.size.map(|pixels| pixels as usize);
                Painter::Flat(FlatPainter {
                    grid,
                    columns: (0..width)
                        .map(|x| texel_under(x, width, grid.columns))
                        .collect(),
                    rows,
                })
            }
            Drawing::Scene(scene) => {
                let bsp = renderer.divided(&scene.figure);
                Painter::Scene(ProjectedFigure::new(scene, &bsp))
            }
            Drawing::Composed(composition) => Painter::Composed(CompositionPainter {
                composition,
                shadows: composition.shadows().collect(),
                painters: composition.pictures.iter().map(|_| None).collect(),
                pixels: Vec::new(),
            }),
        }
    }

    /// Draws rows that follow those that were drawn last on blank pixels: straight RGBA.
    pub(crate) fn draw(
        &mut self,
        renderer: &mut Renderer,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        match self {
            Painter::Flat(flat) => {
                flat.draw(rows, pixels);
                Ok(())
            }
            Painter::Scene(figure) => figure.draw(&mut renderer.columns, rows, pixels),
            Painter::Composed(composition) => composition.draw(renderer, rows, pixels),
        }
    }
}

impl FlatPainter<'_> {
    fn draw(&self, rows: Range<usize>, pixels: &mut [[u8; 4]]) {
        for (y, pixels) in rows.zip(pixels.chunks_exact_mut(self.columns.len())) {
            let texels = self.grid.row(texel_under(y, self.rows, self.grid.rows));
            for (pixel, &column) in pixels.iter_mut().zip(&self.columns) {
                *pixel = texels[column];
            }
        }
    }
}

impl CompositionPainter<'_> {
    fn draw(
        &mut self,
        renderer: &mut Renderer,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        let Composition {
            size,
            decoration,
            pictures,
        } = self.composition;
        let width = size[0] as usize;
        if let Some(background) = decoration.background {
            pixels.fill(background);
        }
        for shadow in &self.shadows {
            shadow.draw(rows.clone(), width, pixels);
        }
        for (placed, painter) in pictures.iter().zip(&mut self.painters) {
            let [part, height] = placed.picture.size.map(|pixels| pixels as usize);
            let [left, top] = placed.at.map(|pixels| pixels as usize);
            let shared = rows.start.max(top)..rows.end.min(top + height);
            if shared.is_empty() {
                continue;
            }
            let painting = painter.get_or_insert_with(|| Painter::new(&placed.picture, renderer));
            self.pixels.clear();
            self.pixels.resize(part * shared.len(), [0; 4]);
            painting.draw(
                renderer,
                shared.start - top..shared.end - top,
                &mut self.pixels,
            )?;
            if shared.end == top + height {
                *painter = None;
            }
            let below = pixels[(shared.start - rows.start) * width..].chunks_exact_mut(width);
            for (below, above) in below.zip(self.pixels.chunks_exact(part)) {
                for (below, &above) in below[left..].iter_mut().zip(above) {
                    *below = over(above, *below);
                }
            }
        }
        decoration.shape.cut(*size, rows, pixels);
        Ok(())
    }
}

/// Returns the texel under the center of a pixel.
fn texel_under(pixel: usize, pixels: usize, texels: usize) -> usize {
    (2 * pixel + 1) * texels / (2 * pixels)
}
