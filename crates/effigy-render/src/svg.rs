//! SVG files: pictures as shapes that can be scaled. They look like the PNG at the picture's size.

mod fill;
mod rectangles;
mod scene;
mod writer;

use std::io::{self, Write};

use crate::RenderError;
use crate::flat::grid::Grid;
use crate::picture::shadow::OPACITIES;
use crate::picture::{Drawing, Picture, Placed};
use crate::scratch::Scratch;
use crate::svg::fill::Fill;
use crate::svg::writer::SvgWriter;

const NAMESPACE: &str = r#"xmlns="http://www.w3.org/2000/svg""#;

/// Writes a picture as an SVG file that looks like the PNG at the picture's size, and can be scaled.
pub(crate) fn write_svg(
    picture: &Picture<'_>,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let [width, height] = picture.size;
    let mut file = SvgWriter::new(to, scratch, Picture::MAX_SVG_BYTES);
    let written = write!(
        file,
        r#"<svg {NAMESPACE} width="{width}" height="{height}" "#
    )
    .and_then(|()| picture.write_shapes(&mut file))
    .and_then(|()| file.flush());
    match written {
        Err(_) if file.is_too_long => Err(RenderError::SvgTooLong {
            max: Picture::MAX_SVG_BYTES,
        }),
        written => Ok(written?),
    }
}

impl Picture<'_> {
    /// The longest SVG file. Skins of up to 256 texels always have shorter ones, and usual skins of 512 texels.
    pub const MAX_SVG_BYTES: usize = 12 << 20;

    /// Writes the rest of an `svg` element whose place and size are written: its view box, and the shapes in it.
    fn write_shapes(&self, to: &mut SvgWriter<'_>) -> io::Result<()> {
        match self.bare() {
            Some(view) => view.write_shapes(to),
            None => self.write_views(to),
        }
    }

    fn write_views(&self, to: &mut SvgWriter<'_>) -> io::Result<()> {
        let [width, height] = self.size;
        let radius = self.decoration.shape.radius(self.size);
        let rectangle = format!(r#"<rect width="{width}" height="{height}" rx="{radius}""#);
        writeln!(to, r#"viewBox="0 0 {width} {height}">"#)?;
        if radius > 0.0 {
            writeln!(
                to,
                r#"<clipPath id="shape">{rectangle}/></clipPath><g clip-path="url(#shape)">"#
            )?;
        }
        if let Some(color) = self.decoration.background {
            writeln!(to, "{rectangle}{}/>", Fill(color))?;
        }
        write_shadows(self, to)?;
        for view in &self.views {
            let ([x, y], [width, height]) = (view.at, view.size);
            write!(
                to,
                r#"<svg x="{x}" y="{y}" width="{width}" height="{height}" "#
            )?;
            view.write_shapes(to)?;
        }
        if radius > 0.0 {
            writeln!(to, "</g>")?;
        }
        writeln!(to, "</svg>")
    }
}

impl Placed<'_> {
    fn write_shapes(&self, to: &mut SvgWriter<'_>) -> io::Result<()> {
        let [width, height] = self.size;
        match &self.drawing {
            Drawing::Flat(grid) => write_grid(grid, to)?,
            Drawing::Scene(scene) => {
                writeln!(to, r#"viewBox="0 0 {width} {height}">"#)?;
                scene::write(scene, to)?;
            }
        }
        writeln!(to, "</svg>")
    }
}

/// Writes a grid. Its units are texels.
fn write_grid(grid: &Grid, to: &mut SvgWriter<'_>) -> io::Result<()> {
    let Grid { columns, rows, .. } = grid;
    writeln!(
        to,
        r#"viewBox="0 0 {columns} {rows}" preserveAspectRatio="none" shape-rendering="crispEdges">"#
    )?;
    for rectangle in grid.clone().into_rectangles() {
        let ([x, y], [width, height]) = (rectangle.at, rectangle.size);
        let fill = Fill(rectangle.color);
        writeln!(
            to,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}"{fill}/>"#
        )?;
    }
    Ok(())
}

fn write_shadows(picture: &Picture<'_>, to: &mut SvgWriter<'_>) -> io::Result<()> {
    let mut shadows = picture.shadows().peekable();
    if shadows.peek().is_some() {
        write!(to, r#"<radialGradient id="shadow">"#)?;
        for (number, opacity) in OPACITIES.into_iter().enumerate() {
            let offset = number as f64 / (OPACITIES.len() - 1) as f64;
            write!(
                to,
                r#"<stop offset="{offset:.3}" stop-opacity="{opacity}"/>"#
            )?;
        }
        writeln!(to, "</radialGradient>")?;
    }
    for shadow in shadows {
        let ([x, y], [rx, ry]) = (shadow.center, shadow.radii);
        writeln!(
            to,
            r#"<ellipse cx="{x:.2}" cy="{y:.2}" rx="{rx:.2}" ry="{ry:.2}" fill="url(#shadow)"/>"#
        )?;
    }
    Ok(())
}
