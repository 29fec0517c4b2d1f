//! SVG files: pictures as shapes that can be scaled. They look like the PNG at the picture's size.

mod outline;
mod path;
mod polygon;
mod scene;

use std::io::{self, BufWriter, Write};

use crate::flat::Grid;
use crate::picture::shadow::OPACITIES;
use crate::picture::{Drawing, Picture, PlacedPicture, shadows};
use crate::scene::figure_cache::FigureCache;
use crate::{Decoration, RenderError};

/// The number of bytes after which a file is passed on.
const PART_BYTES: usize = 16 << 10;

const NAMESPACE: &str = r#"xmlns="http://www.w3.org/2000/svg""#;

/// Writes a picture as an SVG file that looks like the PNG at the picture's size, and can be
/// scaled.
pub(crate) fn write_svg(
    picture: &Picture<'_>,
    figures: &FigureCache,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let left = Picture::MAX_SVG_BYTES;
    let mut file = BufWriter::with_capacity(PART_BYTES, BoundedWriter { to, left });
    let written = picture.write_document(figures, &mut file);
    // Dropping the buffer would write again after an error.
    let _ = file.into_parts();
    written.map_err(|error| error.downcast().unwrap_or_else(RenderError::write))
}

impl Picture<'_> {
    /// The longest SVG file. Skins of up to 256 texels always have shorter ones, and usual skins of
    /// 512 texels.
    pub const MAX_SVG_BYTES: usize = 12 << 20;

    fn write_document(&self, figures: &FigureCache, to: &mut impl Write) -> io::Result<()> {
        let [width, height] = self.size;
        write!(to, r#"<svg {NAMESPACE} width="{width}" height="{height}" "#)?;
        self.write_shapes(figures, to)?;
        to.flush()
    }

    /// Writes the rest of an `svg` element whose place and size are written: its view box, and the
    /// shapes in it.
    fn write_shapes(&self, figures: &FigureCache, to: &mut impl Write) -> io::Result<()> {
        let [width, height] = self.size;
        let view_box = format!(r#"viewBox="0 0 {width} {height}">"#);
        match &self.drawing {
            Drawing::Flat(grid) => write_grid(grid, to)?,
            Drawing::Scene(scene) => {
                writeln!(to, "{view_box}")?;
                scene::write(scene, &figures.bsp(scene), to)?;
            }
            Drawing::Outlined(stroke, player) => {
                writeln!(to, "{view_box}")?;
                outline::write(*stroke, player, figures, to)?;
                write_view(player, figures, to)?;
            }
            Drawing::Composed(decoration, views) => {
                writeln!(to, "{view_box}")?;
                write_views(self.size, decoration, views, figures, to)?;
            }
        }
        writeln!(to, "</svg>")
    }
}

fn write_views(
    [width, height]: [u32; 2],
    decoration: &Decoration,
    views: &[PlacedPicture<'_>],
    figures: &FigureCache,
    to: &mut impl Write,
) -> io::Result<()> {
    let radius = decoration.shape.radius([width, height].map(f64::from));
    let rectangle = format!(r#"<rect width="{width}" height="{height}" rx="{radius}""#);
    // Documents with several pictures find a shape by its identifier, which therefore names all of
    // it.
    let id = format!("effigy-shape-{width}-{height}-{radius}");
    if radius > 0.0 {
        writeln!(
            to,
            r#"<clipPath id="{id}">{rectangle}/></clipPath><g clip-path="url(#{id})">"#
        )?;
    }
    if let Some(color) = decoration.background {
        writeln!(to, "{rectangle}{}/>", fill(color))?;
    }
    write_shadows(views, to)?;
    for view in views {
        write_view(view, figures, to)?;
    }
    if radius > 0.0 {
        writeln!(to, "</g>")?;
    }
    Ok(())
}

fn write_view(
    view: &PlacedPicture<'_>,
    figures: &FigureCache,
    to: &mut impl Write,
) -> io::Result<()> {
    let [x, y] = view.at;
    let [width, height] = view.picture.size;
    write!(
        to,
        r#"<svg x="{x}" y="{y}" width="{width}" height="{height}" "#
    )?;
    view.picture.write_shapes(figures, to)
}

/// Writes a grid. Its units are texels.
fn write_grid(grid: &Grid, to: &mut impl Write) -> io::Result<()> {
    let Grid { columns, rows, .. } = grid;
    writeln!(
        to,
        r#"viewBox="0 0 {columns} {rows}" preserveAspectRatio="none" shape-rendering="crispEdges">"#
    )?;
    for rectangle in grid.clone().into_rectangles() {
        let [x, y] = rectangle.at;
        let [width, height] = rectangle.size;
        let fill = fill(rectangle.color);
        writeln!(
            to,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}"{fill}/>"#
        )?;
    }
    Ok(())
}

fn write_shadows(views: &[PlacedPicture<'_>], to: &mut impl Write) -> io::Result<()> {
    let shadows = shadows(views);
    if shadows.is_empty() {
        return Ok(());
    }
    write!(to, r#"<radialGradient id="effigy-shadow">"#)?;
    for (number, opacity) in OPACITIES.into_iter().enumerate() {
        let offset = number as f64 / (OPACITIES.len() - 1) as f64;
        write!(
            to,
            r#"<stop offset="{offset:.3}" stop-opacity="{opacity}"/>"#
        )?;
    }
    writeln!(to, "</radialGradient>")?;
    for shadow in shadows {
        let [x, y] = shadow.center;
        let [rx, ry] = shadow.radii;
        write!(
            to,
            r#"<ellipse cx="{x:.2}" cy="{y:.2}" rx="{rx:.2}" ry="{ry:.2}""#
        )?;
        writeln!(to, r#" fill="url(#effigy-shadow)"/>"#)?;
    }
    Ok(())
}

/// Returns a straight color as the attributes of a shape that is filled with it.
fn fill([r, g, b, alpha]: [u8; 4]) -> String {
    let color = format!(r##" fill="#{r:02x}{g:02x}{b:02x}""##);
    if alpha == 255 {
        return color;
    }
    // Three decimals distinguish all values of alpha.
    let thousandths = (u32::from(alpha) * 1000 + 127) / 255;
    format!(r#"{color} fill-opacity="0.{thousandths:03}""#)
}

/// A writer that refuses a file that is too long, with [`RenderError::SvgTooLong`] as the cause.
struct BoundedWriter<'a> {
    to: &'a mut dyn Write,
    /// The number of bytes that may still be written.
    left: usize,
}

impl Write for BoundedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.checked_sub(bytes.len());
        self.left = left.ok_or_else(|| io::Error::other(RenderError::SvgTooLong))?;
        self.to.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opacities_distinguish_all_alphas() {
        for alpha in 1..=255 {
            let fill = fill([1, 20, 255, alpha]);
            assert!(fill.starts_with(r##" fill="#0114ff""##), "{fill}");
            let opacity = fill
                .split_once(r#"fill-opacity=""#)
                .map(|(_, rest)| &rest[..5]);
            let opacity: f64 = opacity.map_or(1.0, |text| text.parse().expect("a number"));
            assert!(
                (opacity * 255.0 - f64::from(alpha)).abs() < 0.3,
                "{alpha}: {fill}"
            );
        }
    }
}
