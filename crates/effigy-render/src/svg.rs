//! SVG files: pictures as shapes that can be scaled. They look like the PNG at the picture's size.

mod composition;
mod fill;
mod rectangles;
mod scene;

use std::io::{self, Write};

use crate::RenderError;
use crate::flat::grid::Grid;
use crate::picture::frame::Frame;
use crate::picture::{Drawing, Picture};
use crate::svg::fill::Fill;
use crate::svg::rectangles::Rectangle;

const NAMESPACE: &str = r#"xmlns="http://www.w3.org/2000/svg""#;

impl Picture<'_> {
    /// Writes the picture as an SVG file that looks like the PNG at the picture's size, and can be scaled.
    ///
    /// # Errors
    ///
    /// [`RenderError::Write`] with the writer's error.
    pub fn write_svg(&self, to: &mut dyn Write) -> Result<(), RenderError> {
        let [width, height] = self.frame.outer;
        write!(to, r#"<svg {NAMESPACE} width="{width}" height="{height}" "#)
            .and_then(|()| self.write_rest(to))
            .map_err(|source| RenderError::Write { source })
    }

    /// Writes the rest of an `svg` element whose place and size are written.
    fn write_rest(&self, to: &mut dyn Write) -> io::Result<()> {
        let Frame { outer, inner } = self.frame;
        if self.frame.is_tight() {
            self.drawing.write(inner, to)?;
        } else {
            let [left, top] = [0, 1].map(|axis| self.frame.margins(axis)[0]);
            let [width, height] = inner;
            writeln!(to, r#"viewBox="0 0 {} {}">"#, outer[0], outer[1])?;
            write!(
                to,
                r#"<svg x="{left}" y="{top}" width="{width}" height="{height}" "#
            )?;
            self.drawing.write(inner, to)?;
            writeln!(to, "</svg>")?;
        }
        writeln!(to, "</svg>")
    }
}

impl Drawing<'_> {
    /// Writes the view box of a drawing of this size, and the shapes in it.
    fn write(&self, [width, height]: [u32; 2], to: &mut dyn Write) -> io::Result<()> {
        match self {
            Drawing::Flat(grid) => write_grid(grid, to),
            Drawing::Scene(scene) => {
                writeln!(to, r#"viewBox="0 0 {width} {height}">"#)?;
                scene::write(scene, to)
            }
            Drawing::Composed(composition) => {
                writeln!(to, r#"viewBox="0 0 {width} {height}">"#)?;
                composition::write(composition, to)
            }
        }
    }
}

/// Writes a grid. Its units are texels.
fn write_grid(grid: &Grid, to: &mut dyn Write) -> io::Result<()> {
    let Grid { columns, rows, .. } = grid;
    writeln!(
        to,
        r#"viewBox="0 0 {columns} {rows}" preserveAspectRatio="none" shape-rendering="crispEdges">"#
    )?;
    for rectangle in grid.rectangles() {
        let Rectangle {
            x,
            y,
            width,
            height,
            color,
        } = rectangle;
        let fill = Fill(color);
        writeln!(
            to,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}"{fill}/>"#
        )?;
    }
    Ok(())
}
