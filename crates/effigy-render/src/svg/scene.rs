//! Scenes as polygons, the furthest first.

use std::io::{self, Write};

use crate::flat::grid::Grid;
use crate::scene::Scene;
use crate::scene::fragment::{Cells, Fragment};
use crate::scene::light::{BRIGHTNESS_BITS, FULL};
use crate::scene::solid::Surface;
use crate::svg::fill::Fill;
use crate::svg::rectangles::Rectangle;
use crate::svg::writer::SvgWriter;

/// The width of the outline in the fill's color, in pixels of the screen at any zoom. Where two polygons share a
/// pixel, one pixel is the least width with which one of them covers it wholly, so that no hairline is left.
const OUTLINE: u32 = 1;

/// A point of a face in texels.
type Texel = [f64; 2];

/// A fragment of a face with its colors, in the face's own coordinates.
struct Piece<'a> {
    scene: &'a Scene<'a>,
    surface: &'a Surface,
    corners: Vec<Texel>,
    cells: Cells,
}

/// Writes the polygons of a scene, in pixels.
pub(super) fn write(scene: &Scene<'_>, to: &mut SvgWriter<'_>) -> io::Result<()> {
    let [width, _] = scene.size;
    write!(to, r#"<g stroke-width="{OUTLINE}" stroke-linejoin="round""#)?;
    if scene.camera.is_mirrored() {
        write!(to, r#" transform="matrix(-1 0 0 1 {width} 0)""#)?;
    }
    writeln!(to, ">")?;
    let bsp = to.scratch.divided(&scene.figure);
    let fragments = bsp.front_to_back(scene.projection.toward);
    for fragment in fragments.into_iter().rev() {
        let surface = &bsp.surfaces[fragment.surface];
        if scene.shows(surface) {
            Piece::new(scene, surface, fragment).write(to)?;
        }
    }
    writeln!(to, "</g>")
}

impl<'a> Piece<'a> {
    fn new(scene: &'a Scene<'a>, surface: &'a Surface, fragment: &Fragment) -> Piece<'a> {
        let scale = scene.texels(surface.part).scale;
        let corners = fragment.corners.iter();
        let corners = corners.map(|corner| surface.texel_at(corner.point, scale));
        Piece {
            scene,
            surface,
            corners: corners.collect(),
            cells: fragment.cells(surface, scale),
        }
    }

    /// Writes a path for each color.
    fn write(&self, to: &mut SvgWriter<'_>) -> io::Result<()> {
        let mut rectangles = self.grid().rectangles();
        rectangles.sort_by_key(|rectangle| rectangle.color);
        for rectangles in rectangles.chunk_by(|a, b| a.color == b.color) {
            let polygons = rectangles.iter().map(|rectangle| self.clip(rectangle));
            let polygons: Vec<_> = polygons.filter(|corners| corners.len() > 2).collect();
            if polygons.is_empty() {
                continue;
            }
            let fill = Fill(rectangles[0].color);
            write!(to, "<path{fill}")?;
            if fill.is_opaque() {
                let [r, g, b, _] = fill.0;
                write!(
                    to,
                    r##" stroke="#{r:02x}{g:02x}{b:02x}" vector-effect="non-scaling-stroke""##
                )?;
            }
            write!(to, r#" d=""#)?;
            polygons
                .iter()
                .try_for_each(|corners| self.write_polygon(corners, to))?;
            writeln!(to, r#""/>"#)?;
        }
        Ok(())
    }

    /// The lit colors of the texels that the fragment touches.
    fn grid(&self) -> Grid {
        let [columns, rows] = &self.cells;
        let texels = self.scene.texels(self.surface.part);
        let brightness = self.scene.brightness(self.surface);
        let cells = rows
            .clone()
            .flat_map(|row| columns.clone().map(move |column| [column, row]));
        let corner = self.surface.first_texel(texels.scale);
        Grid {
            columns: columns.len(),
            rows: rows.len(),
            texels: cells
                .map(|[x, y]| lit(texels.at([corner[0] + x, corner[1] + y]), brightness))
                .collect(),
        }
    }

    /// Returns the part of the fragment in a rectangle.
    fn clip(&self, rectangle: &Rectangle) -> Vec<Texel> {
        let Rectangle {
            x,
            y,
            width,
            height,
            ..
        } = *rectangle;
        let [left, top] = [self.cells[0].start + x, self.cells[1].start + y];
        let [right, bottom] = [left + width, top + height].map(|texel| texel as f64);
        let sides = [
            (0, left as f64, 1.0),
            (0, right, -1.0),
            (1, top as f64, 1.0),
            (1, bottom, -1.0),
        ];
        sides
            .into_iter()
            .fold(self.corners.clone(), |corners, (axis, border, inward)| {
                let inside = |corner: &Texel| (corner[axis] - border) * inward;
                let mut kept = Vec::with_capacity(corners.len() + 1);
                for (index, start) in corners.iter().enumerate() {
                    let end = &corners[(index + 1) % corners.len()];
                    let (from, to) = (inside(start), inside(end));
                    if from >= 0.0 {
                        kept.push(*start);
                    }
                    if from * to < 0.0 {
                        let share = from / (from - to);
                        kept.push(
                            [0, 1].map(|axis| start[axis] + (end[axis] - start[axis]) * share),
                        );
                    }
                }
                kept
            })
    }

    fn write_polygon(&self, corners: &[Texel], to: &mut SvgWriter<'_>) -> io::Result<()> {
        let counts = self
            .surface
            .texels(self.scene.texels(self.surface.part).scale);
        let [u, v] = self.surface.extents();
        for (number, [s, t]) in corners.iter().enumerate() {
            let point = self.surface.corners[0].point
                + u * (s / counts[0] as f64)
                + v * (t / counts[1] as f64);
            let [x, y] = self.scene.projection.point(point);
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
