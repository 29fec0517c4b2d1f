//! Soft shadows on the ground.

use tiny_skia::{
    Color, GradientStop, Paint, PixmapMut, Point, RadialGradient, Rect, SpreadMode, Transform,
};

use crate::picture::{Drawing, Picture};

/// An ellipse that is darkest in its middle, in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shadow {
    pub(crate) center: [f32; 2],
    pub(crate) radii: [f32; 2],
}

/// The opacity from the middle to the edge, at equal distances.
pub(crate) const OPACITIES: [f32; 4] = [0.42, 0.32, 0.1, 0.0];

impl Shadow {
    /// The shadow of the figure of a picture, unless it has none: flat pictures, heads, and figures that are
    /// seen from below have none.
    pub(crate) fn below(picture: &Picture<'_>) -> Option<Shadow> {
        let Drawing::Scene(scene) = &picture.drawing else {
            return None;
        };
        let ground = scene.ground()?;
        let margins = [0, 1].map(|axis| picture.frame.margins(axis)[0]);
        #[expect(clippy::cast_possible_truncation, reason = "a place on a picture")]
        let [center, radii] = [ground.center, ground.radii].map(|pair| pair.map(|at| at as f32));
        Some(Shadow { center, radii }.moved(margins))
    }

    pub(crate) fn moved(self, [x, y]: [u32; 2]) -> Shadow {
        let center = [self.center[0] + x as f32, self.center[1] + y as f32];
        Shadow { center, ..self }
    }

    pub(crate) fn draw(self, pixmap: &mut PixmapMut<'_>) {
        let ([x, y], [rx, ry]) = (self.center, self.radii);
        let stops = (0_u8..).zip(OPACITIES).map(|(at, opacity)| {
            let black = Color::from_rgba(0.0, 0.0, 0.0, opacity).expect("an opacity");
            GradientStop::new(f32::from(at) / (OPACITIES.len() - 1) as f32, black)
        });
        let middle = Point::zero();
        // The ellipse is the circle of radius 1, enlarged.
        let enlarged = Transform::from_row(rx, 0.0, 0.0, ry, x, y);
        let gradient = RadialGradient::new(
            middle,
            0.0,
            middle,
            1.0,
            stops.collect(),
            SpreadMode::Pad,
            enlarged,
        );
        let rect = Rect::from_ltrb(x - rx, y - ry, x + rx, y + ry);
        if let (Some(shader), Some(rect)) = (gradient, rect) {
            let paint = Paint {
                shader,
                ..Paint::default()
            };
            pixmap.fill_rect(rect, &paint, Transform::identity(), None);
        }
    }
}
