//! Scenes as polygons, the furthest first.

use std::io::{self, Write};
use std::ops::Range;

use glam::DVec2;

use crate::flat::{Grid, Rectangle};
use crate::scene::bsp::Bsp;
use crate::scene::fragment::Fragment;
use crate::scene::geometry::{Plane, sides};
use crate::scene::light::{BRIGHTNESS_BITS, FULL};
use crate::scene::{Piece, Scene};
use crate::svg::fill;

/// The width in pixels by which a polygon continues below those that are painted later, unless
/// texels are small. Renderers mix the colors of a pixel that two polygons share with what is
/// painted already; without this, the background would shine through.
const OVERLAP: f64 = 0.5;

/// The most of a texel's width that it is.
const MAX_SHARE: f64 = 0.25;

/// The width in pixels below which the texels of a large skin leave parts of pixels unpainted,
/// since they have no room to overlap.
const FINE: f64 = 2.0;

/// Writes the polygons of a scene, in pixels.
pub(super) fn write(scene: &Scene<'_>, bsp: &Bsp, to: &mut impl Write) -> io::Result<()> {
    let [width, _] = scene.size;
    if scene.camera.is_mirrored() {
        writeln!(to, r#"<g transform="matrix(-1 0 0 1 {width} 0)">"#)?;
    } else {
        writeln!(to, "<g>")?;
    }
    let pieces: Vec<Piece<'_>> = scene.pieces(bsp).rev().collect();
    let overlap = OVERLAP.min(MAX_SHARE * scene.projection.right.length());
    let covers: Vec<Cover> = pieces.iter().map(Piece::cover).collect();
    for (number, piece) in pieces.iter().enumerate() {
        let hidden =
            |above: &[Cover], points: &[DVec2]| above.iter().any(|cover| cover.hides(points));
        let is_visible = |polygon: &Polygon| !hidden(&covers[number + 1..], polygon);
        let is_covered = |point: DVec2| hidden(&covers[number..], &[point]);
        let brightness = scene.brightness(piece.surface);
        if piece.is_fine() {
            let ground = |part: Polygon| {
                let inset = if is_large(&part) { 0.0 } else { overlap };
                is_visible(&part).then(|| below(&part, [overlap, inset], is_covered))
            };
            piece.write(piece.ground_grid(brightness), ground, to)?;
        }
        let lower = |part| is_visible(&part).then(|| below(&part, [overlap, overlap], is_covered));
        piece.write(piece.lower_grid(brightness), lower, to)?;
        let upper = |part| is_visible(&part).then_some(part);
        piece.write(piece.grid(|texel| lit(texel, brightness)), upper, to)?;
    }
    writeln!(to, "</g>")
}

/// Returns polygons that cover all that is seen of a scene, and nothing else.
pub(super) fn silhouette(scene: &Scene<'_>, bsp: &Bsp) -> Vec<Polygon> {
    let pieces: Vec<Piece<'_>> = scene.pieces(bsp).rev().collect();
    let covers: Vec<Cover> = pieces.iter().map(Piece::cover).collect();
    let mut polygons = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let above = &covers[number + 1..];
        let seen = piece.grid(|texel| if texel[3] > 0 { [255; 4] } else { [0; 4] });
        for rectangle in seen.into_rectangles() {
            let polygon = piece.clip(&rectangle);
            if !above.iter().any(|cover| cover.hides(&polygon)) {
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

/// The corners of a convex polygon on the picture.
pub(super) type Polygon = Vec<DVec2>;

/// Returns `true` if a point lies in a polygon.
fn contains(polygon: &Polygon, point: DVec2) -> bool {
    let mut turns = sides(polygon).map(|[start, end]| (end - start).perp_dot(point - start));
    // Most points are outside of one of the first sides.
    let both = turns.try_fold([0.0_f64; 2], |[least, most], turn| {
        let range = [least.min(turn), most.max(turn)];
        (range[0] * range[1] >= 0.0).then_some(range)
    });
    both.is_some_and(|[least, most]| least < most)
}

/// The part of the picture that an opaque part of a piece hides.
struct Cover {
    /// The least and the greatest places.
    bounds: [DVec2; 2],
    /// The sides of the piece.
    outline: Polygon,
    parts: Vec<Polygon>,
}

/// The most opaque parts of a piece that count. Noise has many, and hides nothing else.
const MAX_PARTS: usize = 64;

impl Cover {
    /// Returns `true` if all points lie in one part.
    fn hides(&self, points: &[DVec2]) -> bool {
        let hides = |part| points.iter().all(|point| contains(part, *point));
        let [min, max] = self.bounds;
        let is_near = |point: DVec2| point.cmpge(min).all() && point.cmple(max).all();
        let first = points.first();
        first.is_none_or(|&point| is_near(point) && contains(&self.outline, point))
            && self.parts.iter().any(hides)
    }
}

/// Returns `true` if all sides of a polygon are longer than the texels that need a ground.
fn is_large(polygon: &Polygon) -> bool {
    sides(polygon).all(|[start, end]| start.distance(end) > FINE)
}

/// Returns a polygon that lies below an opaque one: inside of its sides by one distance, but beyond
/// those where there are others, by another.
fn below(
    polygon: &Polygon,
    [overlap, inset]: [f64; 2],
    is_covered: impl Fn(DVec2) -> bool,
) -> Polygon {
    let middle = polygon.iter().sum::<DVec2>() / polygon.len() as f64;
    // Each side with the way along it and out of it, and whether it may be passed.
    let sides = sides(polygon).map(|[start, end]| {
        let along = (end - start).normalize_or_zero() * overlap;
        let outwards = along.perp() * along.perp().dot(start - middle).signum();
        let beyond = [start + along + outwards, end - along + outwards];
        // It may be covered at its ends and not between them, and farther away but not near.
        let between = [0.5, 0.25, 0.75].map(|share| beyond[0].lerp(beyond[1], share));
        let near = between.map(|place| place - outwards / 2.0);
        let mut places = beyond.into_iter().chain(between).chain(near);
        let is_passed = start.distance(end) > 2.0 * overlap && places.all(&is_covered);
        (start, outwards, is_passed.then_some(beyond))
    });
    let sides: Vec<_> = sides.collect();
    let before = sides.iter().cycle().skip(sides.len().saturating_sub(1));
    let mut outer = Polygon::new();
    for ((start, out, _), (_, out_before, _)) in sides.iter().zip(before) {
        outer.push(*start + *out + *out_before);
    }
    if sides.iter().all(|(.., beyond)| beyond.is_some())
        && outer.iter().all(|corner| is_covered(*corner))
    {
        return outer;
    }
    let mut corners = Polygon::new();
    for (start, _, beyond) in sides {
        corners.push(start.move_towards(middle, inset));
        corners.extend(beyond.into_iter().flatten());
    }
    corners
}

impl Piece<'_> {
    fn cover(&self) -> Cover {
        let opaque = self.grid(|texel| [texel[3] / 255; 4]);
        let mut parts = opaque.into_rectangles();
        parts.truncate(MAX_PARTS);
        let corners = self.fragment.corners.iter().map(|corner| corner.point);
        Cover {
            bounds: self.scene.projection.bounds(&corners.collect::<Vec<_>>()),
            outline: self.polygon(self.fragment),
            parts: parts.iter().map(|part| self.clip(part)).collect(),
        }
    }

    /// Writes a path for each color, of what is shown of its rectangles.
    fn write(
        &self,
        grid: Grid,
        shown: impl Fn(Polygon) -> Option<Polygon>,
        to: &mut impl Write,
    ) -> io::Result<()> {
        let mut rectangles = grid.into_rectangles();
        rectangles.sort_by_key(|rectangle| rectangle.color);
        let mut colors = rectangles.chunk_by(|a, b| a.color == b.color);
        colors.try_for_each(|same| {
            let parts = same.iter().map(|rectangle| self.clip(rectangle));
            write_path(same[0].color, parts.filter_map(&shown), to)
        })
    }

    /// The number of texels per texel of a texture that is 64 wide.
    fn scale(&self) -> usize {
        self.scene.texels(self.surface.part).scale as usize
    }

    /// Returns `true` if texels are too small to overlap, so that those of a pixel together leave a
    /// part of it unpainted.
    fn is_fine(&self) -> bool {
        let width = self.scene.projection.right.length() / self.scale() as f64;
        self.scale() > 1 && width < FINE
    }

    /// The opaque texels that the fragment touches, since nothing shines through others. Blocks of
    /// fine ones have one color, their mean.
    fn lower_grid(&self, brightness: u16) -> Grid {
        let mut grid = self.opaque_grid(brightness);
        if !self.is_fine() {
            return grid;
        }
        let starts = self.cells.each_ref().map(|cells| cells.start);
        let [columns, rows] = [grid.columns, grid.rows];
        for across in blocks(starts[0], columns, self.scale()) {
            for down in blocks(starts[1], rows, self.scale()) {
                level(&mut grid, [across.clone(), down]);
            }
        }
        grid
    }

    /// The opaque texels that the fragment touches, all in one color, their mean.
    fn ground_grid(&self, brightness: u16) -> Grid {
        let mut grid = self.opaque_grid(brightness);
        let all = [0..grid.columns, 0..grid.rows];
        level(&mut grid, all);
        grid
    }

    fn opaque_grid(&self, brightness: u16) -> Grid {
        self.grid(|texel| {
            if texel[3] == 255 {
                lit(texel, brightness)
            } else {
                [0; 4]
            }
        })
    }

    /// The texels that the fragment touches, in the colors that a function gives them.
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
            let start = self.cells[axis].start + rectangle.at[axis];
            let [start, end] = [start, start + rectangle.size[axis]].map(|texel| {
                let point = self.surface.point_on_line(axis, texel as f64 / scale);
                Plane::through(point, normal)
            });
            for plane in [start, end.reversed()] {
                part = part.in_front_of(plane, self.surface.normal);
            }
        }
        self.polygon(&part)
    }

    fn polygon(&self, fragment: &Fragment) -> Polygon {
        let corners = fragment.corners.iter();
        let places = corners.map(|corner| self.scene.projection.point(corner.point));
        places.collect()
    }
}

/// Writes polygons of one color.
fn write_path(
    color: [u8; 4],
    polygons: impl Iterator<Item = Polygon>,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut polygons = polygons.filter(|corners| corners.len() > 2).peekable();
    if polygons.peek().is_none() {
        return Ok(());
    }
    write!(to, "<path{}", fill(color))?;
    write_data(polygons, to)
}

/// Writes the polygons of a path, and its end.
pub(super) fn write_data(
    polygons: impl Iterator<Item = Polygon>,
    to: &mut impl Write,
) -> io::Result<()> {
    write!(to, r#" d=""#)?;
    // Steps are shorter than places. After a polygon, they begin at its start.
    let mut start = DVec2::ZERO;
    for polygon in polygons {
        let mut from = start;
        for (number, place) in polygon.iter().enumerate() {
            let place = (*place * 100.0).round();
            // Without the addition, some would be -0.
            let DVec2 { x, y } = (place - from) / 100.0 + 0.0;
            let command = if number == 0 { 'm' } else { 'l' };
            write!(to, "{command}{x} {y}")?;
            if number == 0 {
                start = place;
            }
            from = place;
        }
        write!(to, "z")?;
    }
    writeln!(to, r#""/>"#)
}

/// Divides a number of texels of which the first has this place into blocks of a texel of a texture
/// that is 64 wide.
fn blocks(start: usize, count: usize, scale: usize) -> impl Iterator<Item = Range<usize>> {
    let first = start / scale;
    let end = (start + count).div_ceil(scale);
    (first..end).map(move |block| {
        let from = (block * scale).max(start);
        let to = ((block + 1) * scale).min(start + count);
        from - start..to - start
    })
}

/// Gives all opaque texels of a block the color of their mean.
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
