//! Scenes as polygons, the furthest first.

use std::io::{self, Write};
use std::ops::Range;

use glam::DVec2;

use crate::flat::{Grid, Rectangle};
use crate::scene::bsp::Bsp;
use crate::scene::fragment::Fragment;
use crate::scene::geometry::Plane;
use crate::scene::light::{BRIGHTNESS_BITS, FULL};
use crate::scene::{Piece, Scene};
use crate::svg::fill;
use crate::svg::path::write_path;
use crate::svg::polygon::{Cover, FINE, MAX_PARTS, Polygon, below, is_large};

/// The width in pixels by which a polygon continues below the ones that are painted later, unless
/// texels are small. Renderers mix the colors of a pixel that two polygons share with the color
/// below; without an overlap, the background would shine through.
const OVERLAP: f64 = 0.5;

/// The greatest overlap as a share of a texel's width.
const MAX_OVERLAP_SHARE: f64 = 0.25;

/// Writes the polygons of a scene, in pixels.
pub(super) fn write(scene: &Scene<'_>, bsp: &Bsp, to: &mut impl Write) -> io::Result<()> {
    let [width, _] = scene.size;
    if scene.camera.is_mirrored() {
        writeln!(to, r#"<g transform="matrix(-1 0 0 1 {width} 0)">"#)?;
    } else {
        writeln!(to, "<g>")?;
    }
    let shapes = SceneShapes::new(scene, bsp);
    for number in 0..shapes.pieces.len() {
        shapes.write_piece(number, to)?;
    }
    writeln!(to, "</g>")
}

/// Returns polygons that together have the silhouette of a scene.
pub(super) fn silhouette(scene: &Scene<'_>, bsp: &Bsp) -> Vec<Polygon> {
    let shapes = SceneShapes::new(scene, bsp);
    let mut polygons = Vec::new();
    for (number, piece) in shapes.pieces.iter().enumerate() {
        let seen = piece.grid(|texel| if texel[3] > 0 { [255; 4] } else { [0; 4] });
        for rectangle in seen.into_rectangles() {
            let polygon = piece.clip(&rectangle);
            if !shapes.is_hidden(number, &polygon) {
                polygons.push(polygon);
            }
        }
    }
    if scene.camera.is_mirrored() {
        let width = f64::from(scene.size[0]);
        for point in polygons.iter_mut().flatten() {
            point.x = width - point.x;
        }
    }
    polygons
}

/// The pieces of a scene, from the back to the front.
struct SceneShapes<'a> {
    scene: &'a Scene<'a>,
    pieces: Vec<Piece<'a>>,
    /// The parts of the picture that each piece hides.
    covers: Vec<Cover>,
    /// The width by which polygons continue below others.
    overlap: f64,
}

/// The polygons of a piece, from the lowest ones to the uppermost ones.
#[derive(Clone, Copy)]
enum Sheet {
    /// Polygons of one color, which fill the gaps between the polygons of fine texels.
    Ground,
    /// Polygons that continue below their neighbors.
    Lower,
    /// Polygons that show the texels exactly.
    Upper,
}

impl<'a> SceneShapes<'a> {
    fn new(scene: &'a Scene<'a>, bsp: &'a Bsp) -> SceneShapes<'a> {
        let pieces: Vec<Piece<'_>> = scene.pieces(bsp).rev().collect();
        SceneShapes {
            scene,
            covers: pieces.iter().map(Piece::cover).collect(),
            pieces,
            overlap: OVERLAP.min(MAX_OVERLAP_SHARE * scene.projection.right.length()),
        }
    }

    fn write_piece(&self, number: usize, to: &mut impl Write) -> io::Result<()> {
        let piece = &self.pieces[number];
        let brightness = self.scene.brightness(piece.surface);
        if piece.is_fine() {
            let ground = piece.ground_grid(brightness);
            self.write_sheet(Sheet::Ground, number, ground, to)?;
        }
        let lower = piece.lower_grid(brightness);
        self.write_sheet(Sheet::Lower, number, lower, to)?;
        let upper = piece.grid(|texel| lit(texel, brightness));
        self.write_sheet(Sheet::Upper, number, upper, to)
    }

    /// Writes a path for each color of a grid.
    fn write_sheet(
        &self,
        sheet: Sheet,
        number: usize,
        grid: Grid,
        to: &mut impl Write,
    ) -> io::Result<()> {
        let piece = &self.pieces[number];
        let mut rectangles = grid.into_rectangles();
        rectangles.sort_by_key(|rectangle| rectangle.color);
        for same in rectangles.chunk_by(|a, b| a.color == b.color) {
            let mut polygons = Vec::new();
            for rectangle in same {
                let part = piece.clip(rectangle);
                if !self.is_hidden(number, &part) {
                    polygons.push(self.overlapping(sheet, number, part));
                }
            }
            write_path(&fill(same[0].color), polygons, to)?;
        }
        Ok(())
    }

    /// Returns a polygon of a sheet, which continues below its neighbors unless the sheet is the
    /// uppermost one.
    fn overlapping(&self, sheet: Sheet, number: usize, part: Polygon) -> Polygon {
        let inset = match sheet {
            Sheet::Upper => return part,
            Sheet::Lower => self.overlap,
            // A large ground reaches the edge, because fine texels leave gaps there. A small one
            // stays inside: ground and texels together would make the half-covered pixels of the
            // edge too opaque.
            Sheet::Ground if is_large(&part) => 0.0,
            Sheet::Ground => self.overlap,
        };
        below(&part, self.overlap, inset, |point| {
            self.is_covered(number, point)
        })
    }

    /// Returns `true` if a piece in front of the piece of this number hides a polygon.
    fn is_hidden(&self, number: usize, polygon: &Polygon) -> bool {
        let in_front = &self.covers[number + 1..];
        in_front.iter().any(|cover| cover.hides(polygon))
    }

    /// Returns `true` if the piece of this number, or one in front of it, hides a point.
    fn is_covered(&self, number: usize, point: DVec2) -> bool {
        let covers = &self.covers[number..];
        covers.iter().any(|cover| cover.hides(&[point]))
    }
}

impl Piece<'_> {
    fn cover(&self) -> Cover {
        // All opaque texels have one color, so that the rectangles are as large as possible.
        let opaque = self.grid(|texel| if texel[3] == 255 { [255; 4] } else { [0; 4] });
        let mut parts = opaque.into_rectangles();
        parts.truncate(MAX_PARTS);
        let corners = self.fragment.corners.iter().map(|corner| corner.point);
        Cover {
            bounds: self.scene.projection.bounds(&corners.collect::<Vec<_>>()),
            outline: self.polygon(self.fragment),
            parts: parts.iter().map(|part| self.clip(part)).collect(),
        }
    }

    /// The number of texels per texel of a texture that is 64 wide.
    fn scale(&self) -> usize {
        self.scene.texels(self.surface.part).scale as usize
    }

    /// Returns `true` if texels are too small to overlap: several of them in one pixel would leave
    /// a part of it unpainted.
    fn is_fine(&self) -> bool {
        let width = self.scene.projection.right.length() / self.scale() as f64;
        self.scale() > 1 && width < FINE
    }

    /// Returns the opaque texels that the fragment touches. Fine ones have the mean color of their
    /// block.
    fn lower_grid(&self, brightness: u16) -> Grid {
        let mut grid = self.opaque_grid(brightness);
        if !self.is_fine() {
            return grid;
        }
        let [columns, rows] = &self.cells;
        for across in blocks(columns.start, columns.len(), self.scale()) {
            for down in blocks(rows.start, rows.len(), self.scale()) {
                level(&mut grid, [across.clone(), down]);
            }
        }
        grid
    }

    /// Returns the opaque texels that the fragment touches, all in their mean color.
    fn ground_grid(&self, brightness: u16) -> Grid {
        let mut grid = self.opaque_grid(brightness);
        let all = [0..grid.columns, 0..grid.rows];
        level(&mut grid, all);
        grid
    }

    /// Returns the opaque texels that the fragment touches. The background can't shine through
    /// between transparent ones, which therefore need nothing below them.
    fn opaque_grid(&self, brightness: u16) -> Grid {
        self.grid(|texel| {
            if texel[3] == 255 {
                lit(texel, brightness)
            } else {
                [0; 4]
            }
        })
    }

    /// Returns the texels that the fragment touches, in the colors that a function gives them.
    fn grid(&self, color: impl Fn([u8; 4]) -> [u8; 4]) -> Grid {
        let [columns, rows] = self.cells.each_ref().map(ExactSizeIterator::len);
        let texels = self.texels().map(color);
        Grid {
            columns,
            rows,
            texels: texels.collect(),
        }
    }

    /// Returns the part of the fragment in a rectangle.
    fn clip(&self, rectangle: &Rectangle) -> Polygon {
        let scale = self.scale() as f64;
        let mut part = self.fragment.clone();
        for axis in [0, 1] {
            let normal = self.surface.across_lines(axis).normalize();
            let plane_at = |texel: usize| {
                let point = self.surface.point_on_line(axis, texel as f64 / scale);
                Plane::through(point, normal)
            };
            let first = self.cells[axis].start + rectangle.at[axis];
            let end = first + rectangle.size[axis];
            part = part.in_front_of(plane_at(first), self.surface.normal);
            part = part.in_front_of(plane_at(end).reversed(), self.surface.normal);
        }
        self.polygon(&part)
    }

    fn polygon(&self, fragment: &Fragment) -> Polygon {
        let corners = fragment.corners.iter();
        let places = corners.map(|corner| self.scene.projection.point(corner.point));
        places.collect()
    }
}

/// Divides `count` texels from `start` on into blocks as large as a texel of a texture that is 64
/// wide. The ranges of the blocks count from `start`.
fn blocks(start: usize, count: usize, scale: usize) -> impl Iterator<Item = Range<usize>> {
    let first = start / scale;
    let end = (start + count).div_ceil(scale);
    (first..end).map(move |block| {
        let from = (block * scale).max(start);
        let to = ((block + 1) * scale).min(start + count);
        from - start..to - start
    })
}

/// Gives all opaque texels of a block their mean color.
fn level(grid: &mut Grid, [across, down]: [Range<usize>; 2]) {
    let mut sums = [0_usize; 3];
    let mut places = Vec::new();
    for y in down {
        for x in across.clone() {
            let place = y * grid.columns + x;
            let texel = grid.texels[place];
            if texel[3] == 255 {
                for (sum, channel) in sums.iter_mut().zip(texel) {
                    *sum += usize::from(channel);
                }
                places.push(place);
            }
        }
    }
    let mean = |sum: usize| u8::try_from(sum / places.len().max(1)).unwrap_or(u8::MAX);
    let [r, g, b] = sums.map(mean);
    for place in places {
        grid.texels[place] = [r, g, b, 255];
    }
}

/// Returns a color multiplied by a brightness.
fn lit([r, g, b, alpha]: [u8; 4], brightness: u16) -> [u8; 4] {
    let multiplied = |channel: u8| {
        let product = u32::from(channel) * u32::from(brightness) + u32::from(FULL / 2);
        u8::try_from(product >> BRIGHTNESS_BITS).unwrap_or(u8::MAX)
    };
    [multiplied(r), multiplied(g), multiplied(b), alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_multiplies_colors_and_keeps_alpha() {
        assert_eq!(lit([255, 100, 1, 77], FULL), [255, 100, 1, 77]);
        assert_eq!(lit([255, 100, 1, 77], FULL / 2), [128, 50, 1, 77]);
    }
}
