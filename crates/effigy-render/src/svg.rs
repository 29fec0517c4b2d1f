//! SVG files: pictures as shapes that can be scaled. They look like the PNG at the picture's size.

mod composition;
mod fill;
mod rectangles;
mod scene;

use std::io::{self, Write};

use crate::RenderError;
use crate::flat::grid::Grid;
use crate::picture::{Drawing, Picture};
use crate::scratch::Scratch;
use crate::svg::fill::Fill;
use crate::svg::rectangles::Rectangle;

const NAMESPACE: &str = r#"xmlns="http://www.w3.org/2000/svg""#;

/// The number of bytes after which a file is passed on.
const PART_BYTES: usize = 16 << 10;

/// Writes a picture as an SVG file that looks like the PNG at the picture's size, and can be scaled.
pub(crate) fn write_svg(
    picture: &Picture<'_>,
    scratch: &mut Scratch,
    to: &mut dyn Write,
) -> Result<(), RenderError> {
    let [width, height] = picture.size;
    let mut file = SvgWriter {
        to,
        scratch,
        part: Vec::with_capacity(PART_BYTES),
        left: Picture::MAX_SVG_BYTES,
        is_too_long: false,
    };
    let written = write!(
        file,
        r#"<svg {NAMESPACE} width="{width}" height="{height}" "#
    )
    .and_then(|()| picture.write_rest(&mut file))
    .and_then(|()| file.flush());
    match written {
        Err(_) if file.is_too_long => Err(RenderError::SvgTooLong {
            max: Picture::MAX_SVG_BYTES,
        }),
        written => written.map_err(|source| RenderError::Write { source }),
    }
}

impl Picture<'_> {
    /// The longest SVG file. Skins of up to 256 texels always have shorter ones, and usual skins of 512 texels.
    pub const MAX_SVG_BYTES: usize = 12 << 20;

    /// Writes the rest of an `svg` element whose place and size are written: its view box, and the shapes in it.
    fn write_rest(&self, to: &mut SvgWriter<'_>) -> io::Result<()> {
        let [width, height] = self.size;
        match &self.drawing {
            Drawing::Flat(grid) => write_grid(grid, to)?,
            Drawing::Scene(scene) => {
                writeln!(to, r#"viewBox="0 0 {width} {height}">"#)?;
                scene::write(scene, to)?;
            }
            Drawing::Composed(composition) => {
                writeln!(to, r#"viewBox="0 0 {width} {height}">"#)?;
                composition::write(self.size, composition, to)?;
            }
        }
        writeln!(to, "</svg>")
    }
}

/// A writer in parts that refuses what is too long.
struct SvgWriter<'a> {
    to: &'a mut dyn Write,
    scratch: &'a mut Scratch,
    part: Vec<u8>,
    left: usize,
    is_too_long: bool,
}

impl Write for SvgWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len()) else {
            self.is_too_long = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        self.left = left;
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.part)?;
        self.part.clear();
        self.to.flush()
    }
}

/// Writes a grid. Its units are texels.
fn write_grid(grid: &Grid, to: &mut SvgWriter<'_>) -> io::Result<()> {
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
