//! Path elements.

use std::io::{self, Write};

use glam::DVec2;

use crate::svg::polygon::Polygon;

/// Writes polygons as one path with these attributes, if any has an area.
pub(super) fn write_path(
    attributes: &str,
    mut polygons: Vec<Polygon>,
    to: &mut impl Write,
) -> io::Result<()> {
    polygons.retain(|corners| corners.len() > 2);
    if polygons.is_empty() {
        return Ok(());
    }
    write!(to, "<path{attributes}")?;
    write_data(&polygons, to)?;
    writeln!(to, "/>")
}

/// Writes the attribute with the polygons of a path.
fn write_data(polygons: &[Polygon], to: &mut impl Write) -> io::Result<()> {
    write!(to, r#" d=""#)?;
    // Steps are shorter than places. A polygon begins with a step from the start of the one before.
    let mut start = DVec2::ZERO;
    for polygon in polygons {
        let mut from = start;
        for (number, corner) in polygon.iter().enumerate() {
            let place = (*corner * 100.0).round();
            // The addition turns -0 into 0.
            let DVec2 { x, y } = (place - from) / 100.0 + 0.0;
            if number == 0 {
                write!(to, "m{x} {y}")?;
                start = place;
            } else {
                write!(to, "l{x} {y}")?;
            }
            from = place;
        }
        write!(to, "z")?;
    }
    write!(to, "\"")
}
