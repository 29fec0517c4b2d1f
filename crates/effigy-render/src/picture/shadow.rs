//! Soft shadows on the ground.

use std::ops::Range;

use glam::Vec2;

use crate::picture::composite::over;
use crate::scene::Scene;

/// An ellipse that is darkest in its middle, in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shadow {
    pub(crate) center: [f32; 2],
    pub(crate) radii: [f32; 2],
}

/// The opacity from the middle to the edge, at equal distances.
pub(crate) const OPACITIES: [f32; 4] = [0.42, 0.32, 0.1, 0.0];

impl Shadow {
    /// The share of the radii up to which a shadow is visible. Beyond, its opacity rounds to 0.
    pub(crate) const VISIBLE: f64 = 0.9935;

    /// The shadow of a scene at this place, if it has one: an ellipse that fills a rectangle around
    /// the feet.
    pub(crate) fn of(scene: &Scene<'_>, at: [u32; 2]) -> Option<Shadow> {
        if !scene.has_shadow {
            return None;
        }
        let [min, max] = scene.projection.bounds(&scene.figure.shadow());
        let mut center = min.midpoint(max);
        if scene.camera.is_mirrored() {
            center.x = f64::from(scene.size[0]) - center.x;
        }
        let place = Vec2::from(at.map(|pixels| pixels as f32));
        Some(Shadow {
            center: (center.as_vec2() + place).into(),
            radii: ((max - min) / 2.0).as_vec2().into(),
        })
    }

    /// Darkens some rows of a picture of this width.
    #[expect(clippy::cast_possible_truncation, reason = "clamped to both ranges")]
    pub(crate) fn draw(self, rows: Range<usize>, width: usize, pixels: &mut [[u8; 4]]) {
        let [x, y] = self.center;
        let [rx, ry] = self.radii;
        for (row, row_pixels) in rows.zip(pixels.chunks_exact_mut(width)) {
            // All distances in radii.
            let height = (row as f32 + 0.5 - y) / ry;
            let square = 1.0 - height * height;
            if square <= 0.0 {
                continue;
            }
            let half = square.sqrt() * rx;
            let column_at = |at: f32| (at.max(0.0) as usize).min(width);
            let start = column_at(x - half);
            let end = column_at(x + half);
            for (column, pixel) in (start..).zip(&mut row_pixels[start..end]) {
                let across = (column as f32 + 0.5 - x) / rx;
                let opacity = opacity((across * across + height * height).sqrt());
                *pixel = over([0, 0, 0, (opacity * 255.0 + 0.5) as u8], *pixel);
            }
        }
    }
}

/// Returns the opacity at a distance from the middle in radii.
#[expect(clippy::cast_possible_truncation, reason = "clamped to the table")]
fn opacity(distance: f32) -> f32 {
    const LAST: usize = OPACITIES.len() - 2;
    let place = distance * (LAST + 1) as f32;
    let index = (place as usize).min(LAST);
    let from = OPACITIES[index];
    let to = OPACITIES[index + 1];
    (from + (to - from) * (place - index as f32)).max(0.0)
}
