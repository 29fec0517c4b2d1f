//! Scenes as polygons, the furthest first.

use std::io::{self, Write};

use glam::DVec2;

use crate::flat::grid::Grid;
use crate::scene::bsp::Bsp;
use crate::scene::fragment::{Fragment, Plane};
use crate::scene::light::{BRIGHTNESS_BITS, FULL};
use crate::scene::{Piece, Scene};
use crate::svg::fill;
use crate::svg::rectangles::Rectangle;

/// The width of the outline in the fill's color, in pixels of the screen at any zoom. Where two polygons share a
/// pixel, one pixel is the least width with which one of them covers it wholly, so that no hairline is left.
const OUTLINE: u32 = 1;

/// Writes the polygons of a scene, in pixels.
pub(super) fn write(scene: &Scene<'_>, bsp: &Bsp, to: &mut impl Write) -> io::Result<()> {
    let [width, _] = scene.size;
    write!(to, r#"<g stroke-width="{OUTLINE}" stroke-linejoin="round""#)?;
    if scene.camera.is_mirrored() {
        write!(to, r#" transform="matrix(-1 0 0 1 {width} 0)""#)?;
    }
    writeln!(to, ">")?;
    for piece in scene.pieces(bsp).rev() {
        piece.write(to)?;
    }
    writeln!(to, "</g>")
}

impl Piece<'_> {
    /// Writes a path for each color.
    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut rectangles = self.grid().into_rectangles();
        rectangles.sort_by_key(|rectangle| rectangle.color);
        for rectangles in rectangles.chunk_by(|a, b| a.color == b.color) {
            let polygons = rectangles.iter().map(|rectangle| self.clip(rectangle));
            let polygons: Vec<_> = polygons.filter(|part| part.corners.len() > 2).collect();
            if polygons.is_empty() {
                continue;
            }
            let color @ [r, g, b, alpha] = rectangles[0].color;
            write!(to, "<path{}", fill(color))?;
            if alpha == 255 {
                write!(
                    to,
                    r##" stroke="#{r:02x}{g:02x}{b:02x}" vector-effect="non-scaling-stroke""##
                )?;
            }
            write!(to, r#" d=""#)?;
            polygons
                .iter()
                .try_for_each(|polygon| self.write_polygon(polygon, to))?;
            writeln!(to, r#""/>"#)?;
        }
        Ok(())
    }

    /// The lit colors of the texels that the fragment touches.
    fn grid(&self) -> Grid {
        let [columns, rows] = self.cells.each_ref().map(ExactSizeIterator::len);
        let brightness = self.scene.brightness(self.surface);
        let texels = self.rows().flatten().map(|&texel| lit(texel, brightness));
        Grid {
            columns,
            rows,
            texels: texels.collect(),
        }
    }

    /// Returns the part of the fragment in a rectangle.
    fn clip(&self, rectangle: &Rectangle) -> Fragment {
        let scale = self.scene.texels(self.surface.part).scale;
        let counts = self.surface.texels(scale);
        let extents = self.surface.extents();
        let mut part = self.fragment.clone();
        for axis in [0, 1] {
            let normal = extents[axis].normalize();
            let border = |texel: usize| {
                let place = extents[axis] * (texel as f64 / counts[axis] as f64);
                Plane::through(self.surface.corners[0].point + place, normal)
            };
            let start = self.cells[axis].start + rectangle.at[axis];
            let end = start + rectangle.size[axis];
            for plane in [border(start), border(end).reversed()] {
                part = part.in_front_of(plane, extents[1 - axis]);
            }
        }
        part
    }

    fn write_polygon(&self, polygon: &Fragment, to: &mut impl Write) -> io::Result<()> {
        for (number, corner) in polygon.corners.iter().enumerate() {
            let DVec2 { x, y } = self.scene.projection.point(corner.point);
            let command = if number == 0 { 'M' } else { 'L' };
            write!(to, "{command}{x:.2} {y:.2}")?;
        }
        write!(to, "Z")
    }
}

/// Returns a color in a light of this brightness.
fn lit([r, g, b, alpha]: [u8; 4], brightness: u16) -> [u8; 4] {
    let lit = |channel: u8| {
        let product = u32::from(channel) * u32::from(brightness) + u32::from(FULL / 2);
        u8::try_from(product >> BRIGHTNESS_BITS).unwrap_or(u8::MAX)
    };
    [lit(r), lit(g), lit(b), alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_multiplied() {
        assert_eq!(lit([255, 100, 1, 77], FULL), [255, 100, 1, 77]);
        assert_eq!(lit([255, 100, 1, 77], FULL / 2), [128, 50, 1, 77]);
    }
}
