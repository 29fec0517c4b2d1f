//! Lines around silhouettes.
//!
//! A line is one path below the player: all polygons that are seen, filled and stroked with the
//! color. The strokes of overlapping polygons unite to one around the silhouette, with round
//! corners, so the silhouette need not be computed. Filters such as `feMorphology` grow shapes by
//! squares of whole pixels instead, and look different at each zoom.

use std::io::{self, Write};

use glam::DVec2;

use crate::flat::Grid;
use crate::picture::outline::Stroke;
use crate::picture::{Drawing, Picture, PlacedPicture};
use crate::scene::figure_cache::FigureCache;
use crate::svg::path::write_path;
use crate::svg::polygon::Polygon;
use crate::svg::scene::silhouette;

/// Writes the line around a player, in pixels of the picture in which the player is placed.
pub(super) fn write(
    stroke: Stroke,
    player: &PlacedPicture<'_>,
    figures: &FigureCache,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut polygons = polygons_of(&player.picture, figures);
    let distance = DVec2::from(player.at.map(f64::from));
    for point in polygons.iter_mut().flatten() {
        *point += distance;
    }
    write_path(&attributes_of(stroke), polygons, to)
}

/// Returns polygons that together have the silhouette of a player.
fn polygons_of(player: &Picture<'_>, figures: &FigureCache) -> Vec<Polygon> {
    match &player.drawing {
        Drawing::Scene(scene) => silhouette(scene, &figures.bsp(scene)),
        Drawing::Flat(grid) => rectangles_of(grid, player.size),
        Drawing::Outlined(..) | Drawing::Composed(..) => Vec::new(),
    }
}

fn rectangles_of(grid: &Grid, size: [u32; 2]) -> Vec<Polygon> {
    let mut seen = grid.clone();
    for texel in &mut seen.texels {
        *texel = if texel[3] > 0 { [255; 4] } else { [0; 4] };
    }
    let enlarged = grid.enlarge(size);
    let mut polygons = Vec::new();
    for rectangle in seen.into_rectangles() {
        let [start, end] = enlarged
            .corners(&rectangle)
            .map(|place| place.map(f64::from));
        if start[0] < end[0] && start[1] < end[1] {
            polygons.push(vec![
                DVec2::new(start[0], start[1]),
                DVec2::new(end[0], start[1]),
                DVec2::new(end[0], end[1]),
                DVec2::new(start[0], end[1]),
            ]);
        }
    }
    polygons
}

fn attributes_of(stroke: Stroke) -> String {
    let [r, g, b, alpha] = stroke.color;
    let color = format!("#{r:02x}{g:02x}{b:02x}");
    let width = 2 * stroke.width;
    let mut attributes = format!(
        r#" fill="{color}" stroke="{color}" stroke-width="{width}" stroke-linejoin="round""#
    );
    if alpha < 255 {
        // The opacity of the whole path, because fill and stroke overlap.
        attributes += &format!(r#" opacity="{:.3}""#, f64::from(alpha) / 255.0);
    }
    attributes
}
