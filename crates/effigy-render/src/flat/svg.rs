//! Flat pictures to SVG files: rectangles of one color on the grid of texels.

use std::io::{self, Write};

use crate::flat::grid::Grid;
use crate::picture::frame::Frame;

/// Writes a grid as an SVG file that looks like the PNG at the picture's size, and can be scaled. Its
/// units are texels.
pub(crate) fn write(grid: &Grid, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
    let [width, height] = frame.outer;
    let texels = format!(
        r#"viewBox="0 0 {} {}" preserveAspectRatio="none""#,
        grid.columns, grid.rows
    );
    write!(
        to,
        r#"<svg xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges" width="{width}" height="{height}""#
    )?;
    if frame.is_tight() {
        writeln!(to, " {texels}>")?;
        write_rectangles(grid, to)?;
    } else {
        let [[left, _], [top, _]] = [frame.margins(0), frame.margins(1)];
        let [inner_width, inner_height] = frame.inner;
        writeln!(to, r#" viewBox="0 0 {width} {height}">"#)?;
        writeln!(
            to,
            r#"<svg x="{left}" y="{top}" width="{inner_width}" height="{inner_height}" {texels}>"#
        )?;
        write_rectangles(grid, to)?;
        writeln!(to, "</svg>")?;
    }
    writeln!(to, "</svg>")
}

/// Writes rectangles that cover the grid, one row of them at a time.
fn write_rectangles(grid: &Grid, to: &mut dyn Write) -> io::Result<()> {
    let mut covered = vec![false; grid.texels.len()];
    let mut lines = Vec::new();
    for y in 0..grid.rows {
        for x in 0..grid.columns {
            let Some(Rectangle { width, height }) = Rectangle::at([x, y], grid, &covered) else {
                continue;
            };
            for row in covered.chunks_exact_mut(grid.columns).skip(y).take(height) {
                row[x..][..width].fill(true);
            }
            write!(
                lines,
                r#"<rect x="{x}" y="{y}" width="{width}" height="{height}""#
            )?;
            write_fill(grid.texels[y * grid.columns + x], &mut lines)?;
            writeln!(lines, "/>")?;
        }
        to.write_all(&lines)?;
        lines.clear();
    }
    Ok(())
}

/// The size of a rectangle of texels of one color.
struct Rectangle {
    width: usize,
    height: usize,
}

impl Rectangle {
    /// Returns the rectangle with this texel in its upper left corner, first as wide and then as high as
    /// possible, or `None` if the texel is covered or transparent.
    fn at([x, y]: [usize; 2], grid: &Grid, covered: &[bool]) -> Option<Rectangle> {
        let color = grid.texels[y * grid.columns + x];
        let is_free = |x: usize, y: usize| {
            let at = y * grid.columns + x;
            !covered[at] && grid.texels[at] == color
        };
        if color[3] == 0 || !is_free(x, y) {
            return None;
        }
        let width = (x..grid.columns).take_while(|&x| is_free(x, y)).count();
        let is_free_row = |&y: &usize| (x..x + width).all(|x| is_free(x, y));
        let height = (y..grid.rows).take_while(is_free_row).count();
        Some(Rectangle { width, height })
    }
}

fn write_fill([r, g, b, alpha]: [u8; 4], to: &mut Vec<u8>) -> io::Result<()> {
    write!(to, r##" fill="#{r:02x}{g:02x}{b:02x}""##)?;
    if alpha < 255 {
        // Three decimals distinguish all values of alpha.
        let thousandths = (u32::from(alpha) * 1000 + 127) / 255;
        write!(to, r#" fill-opacity="0.{thousandths:03}""#)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The views have no half-transparent texels, since the base layer is opaque.
    #[test]
    fn opacities_distinguish_all_alphas() {
        for alpha in 1..=255 {
            let grid = Grid {
                columns: 1,
                rows: 1,
                texels: vec![[1, 20, 255, alpha]],
            };
            let mut lines = Vec::new();
            write_rectangles(&grid, &mut lines).expect("a vector takes every byte");
            let line = String::from_utf8(lines).expect("SVG files are text");
            assert!(line.contains(r##"fill="#0114ff""##), "{line}");
            let opacity = line
                .split_once(r#"fill-opacity=""#)
                .map(|(_, rest)| &rest[..5]);
            let opacity: f64 = opacity.map_or(1.0, |text| text.parse().expect("a number"));
            assert!(
                (opacity * 255.0 - f64::from(alpha)).abs() < 0.3,
                "{alpha}: {line}"
            );
        }
    }
}
