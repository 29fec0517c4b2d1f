//! Compositions: a background, shadows and pictures, cut to a shape.

use std::io::{self, Write};

use crate::picture::shadow::OPACITIES;
use crate::picture::{Composition, Placed};
use crate::svg::SvgWriter;
use crate::svg::fill::Fill;

/// Writes the shapes of a composition.
pub(super) fn write(
    size: [u32; 2],
    composition: &Composition<'_>,
    to: &mut SvgWriter<'_>,
) -> io::Result<()> {
    let [width, height] = size;
    let radius = composition.decoration.shape.radius(size);
    let rectangle = format!(r#"<rect width="{width}" height="{height}" rx="{radius}""#);
    if radius > 0.0 {
        writeln!(
            to,
            r#"<clipPath id="shape">{rectangle}/></clipPath><g clip-path="url(#shape)">"#
        )?;
    }
    if let Some(color) = composition.decoration.background {
        writeln!(to, "{rectangle}{}/>", Fill(color))?;
    }
    write_shadows(composition, to)?;
    for Placed {
        picture,
        at: [x, y],
    } in &composition.pictures
    {
        let [width, height] = picture.size;
        write!(
            to,
            r#"<svg x="{x}" y="{y}" width="{width}" height="{height}" "#
        )?;
        picture.write_rest(to)?;
    }
    if radius > 0.0 {
        writeln!(to, "</g>")?;
    }
    Ok(())
}

fn write_shadows(composition: &Composition<'_>, to: &mut SvgWriter<'_>) -> io::Result<()> {
    let mut shadows = composition.shadows().peekable();
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
