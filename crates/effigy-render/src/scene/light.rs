//! The brightness of faces.

use effigy_player::word_enum;

use crate::scene::projection::Projection;
use glam::DVec3;

word_enum! {
    #[non_exhaustive]
    /// The light that falls on a figure. It makes the sides of a box differ where the skin does
    /// not.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Light {
        /// The skin's own colors.
        #[default]
        None = "none",
        /// Light from the viewer and a little beside it: what looks at the viewer is as bright as
        /// the skin.
        Soft = "soft",
        /// The light on blocks in the game: from above most, from the front and the back less, from
        /// the sides least.
        Game = "game",
    }
}

/// Fractional bits of a brightness.
pub(crate) const BRIGHTNESS_BITS: u32 = 12;

/// The brightness that leaves colors as they are.
pub(crate) const FULL: u16 = 1 << BRIGHTNESS_BITS;

/// The brightness of faces that look in the six directions of a room; what looks between them has a
/// mean.
pub(crate) struct Room {
    /// Of the top, the front and the back, the sides, and the bottom.
    levels: [f64; 4],
    /// The horizontal direction of the front, of length 1.
    front: DVec3,
}

impl Light {
    /// Returns the room around a figure for a viewer, with these levels if there are any.
    pub(crate) fn room(self, levels: Option<[u8; 4]>, viewer: &Projection) -> Room {
        // The top or the bottom is brighter as far as it looks at the viewer.
        let brighter = |level: f64, facing: f64| level + (1.0 - level) * facing.max(0.0).powi(4);
        let toward = viewer.toward.y;
        let (levels, front) = match (levels, self) {
            (Some(levels), _) => (levels.map(|level| f64::from(level) / 255.0), DVec3::Z),
            (None, Light::None) => ([1.0; 4], DVec3::Z),
            (None, Light::Soft) => (
                [brighter(0.9, -toward), 1.0, 0.82, brighter(0.67, toward)],
                between_front_and(viewer),
            ),
            (None, Light::Game) => ([1.0, 0.8, 0.6, 0.5], DVec3::Z),
        };
        Room { levels, front }
    }
}

/// Returns a horizontal direction between the viewer's and that of the figure's front or back,
/// whichever is nearer. A light at the viewer would make front and side alike to one who looks at a
/// corner; this one comes from up to 22.5 degrees beside it, and turns evenly with the figure.
fn between_front_and(viewer: &Projection) -> DVec3 {
    const TAN_22_5: f64 = 0.414_213_562_373_095_03;
    let right = viewer.right.normalize();
    let sin_of_twice = 2.0 * right.z * right.x;
    (right.cross(DVec3::Y) + right * (TAN_22_5 * sin_of_twice)).normalize()
}

impl Room {
    /// Returns the brightness of a face with this normal of length 1.
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
    pub(crate) fn brightness(&self, normal: DVec3) -> u16 {
        let [top, front, side, bottom] = self.levels;
        let [across, along] = [normal.y, normal.dot(self.front)].map(|share| share * share);
        let level = if normal.y < 0.0 { top } else { bottom };
        let rest = (1.0 - across - along).max(0.0);
        let brightness = across * level + along * front + rest * side;
        (brightness * f64::from(FULL) + 0.5) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Camera;

    /// The brightness of top, front, right side and bottom for a viewer.
    fn sides(light: Light, yaw: f64) -> [f64; 4] {
        let viewer = &Camera::orthographic(yaw, 10.0).projection();
        let normals = [
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        normals.map(|[x, y, z]| {
            let brightness = light.room(None, viewer).brightness(DVec3::new(x, y, z));
            f64::from(brightness) / f64::from(FULL)
        })
    }

    #[test]
    fn sides_differ_from_every_side() {
        for (light, yaw, expected) in [
            (Light::None, 25.0, [1.0; 4]),
            (Light::Game, 160.0, [1.0, 0.8, 0.6, 0.5]),
            (Light::Soft, 0.0, [0.9, 1.0, 0.82, 0.67]),
            (Light::Soft, 25.0, [0.9, 1.0, 0.82, 0.67]),
            (Light::Soft, 45.0, [0.9, 0.97, 0.85, 0.67]),
            (Light::Soft, 90.0, [0.9, 0.82, 1.0, 0.67]),
            (Light::Soft, -45.0, [0.9, 0.97, 0.85, 0.67]),
        ] {
            let sides = sides(light, yaw);
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 0.01;
            let are_near = sides.iter().zip(&expected).all(is_near);
            assert!(are_near, "{light} {yaw}: {sides:?} is not {expected:?}");
        }
    }

    #[test]
    fn what_looks_at_the_viewer_is_as_bright_as_the_skin() {
        for (pitch, normal) in [(90.0, -1.0), (-90.0, 1.0)] {
            let viewer = &Camera::orthographic(25.0, pitch).projection();
            let room = Light::Soft.room(None, viewer);
            let brightness = room.brightness(DVec3::new(0.0, normal, 0.0));
            assert_eq!(brightness, FULL, "{pitch}");
        }
    }
}
