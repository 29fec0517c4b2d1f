//! The brightness of faces.

use effigy_player::word_enum;

use crate::scene::projection::Projection;
use crate::{Angle, Camera};
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

/// The brightness of faces by the directions in which they look.
pub(crate) enum Room {
    /// A room whose walls are lit; what looks between them has a mean.
    Walls {
        /// Of the top, the front and the back, the sides, and the bottom.
        levels: [f64; 4],
        /// The horizontal direction of the front, of length 1.
        front: DVec3,
    },
    /// A soft lamp in this direction, which has a length of 1.
    Lamp(DVec3),
}

/// The brightness of faces in the light of a lamp: of those that look at it, and of those that look
/// away from it. Those that look across are halfway.
const LAMP: [f64; 2] = [1.0, 0.62];

impl Light {
    /// Returns the light on a figure: from a direction if the light is soft and has one, and else
    /// in a room for the viewer, with these levels if there are any.
    pub(crate) fn room(
        self,
        levels: Option<[u8; 4]>,
        from: Option<[Angle; 2]>,
        viewer: &Projection,
    ) -> Room {
        if let (Light::Soft, None, Some([yaw, pitch])) = (self, levels, from) {
            let camera = Camera::orthographic(yaw.to_degrees(), pitch.to_degrees());
            return Room::Lamp(camera.projection().toward);
        }
        self.walls(levels, viewer)
    }

    /// Returns the room around a figure for a viewer, with these levels if there are any.
    fn walls(self, levels: Option<[u8; 4]>, viewer: &Projection) -> Room {
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
        Room::Walls { levels, front }
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
        let brightness = match self {
            Room::Walls { levels, front } => in_walls(*levels, *front, normal),
            Room::Lamp(direction) => in_lamplight(*direction, normal),
        };
        (brightness * f64::from(FULL) + 0.5) as u16
    }
}

fn in_walls([top, front, side, bottom]: [f64; 4], ahead: DVec3, normal: DVec3) -> f64 {
    let [across, along] = [normal.y, normal.dot(ahead)].map(|share| share * share);
    let level = if normal.y < 0.0 { top } else { bottom };
    let rest = (1.0 - across - along).max(0.0);
    across * level + along * front + rest * side
}

fn in_lamplight(lamp: DVec3, normal: DVec3) -> f64 {
    let [toward, away] = LAMP;
    let cosine = normal.dot(lamp).clamp(-1.0, 1.0);
    f64::midpoint(toward, away) + cosine * (toward - away) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let brightness = light
                .room(None, None, viewer)
                .brightness(DVec3::new(x, y, z));
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
            let room = Light::Soft.room(None, None, viewer);
            let brightness = room.brightness(DVec3::new(0.0, normal, 0.0));
            assert_eq!(brightness, FULL, "{pitch}");
        }
    }

    #[test]
    fn a_lamp_is_where_a_viewer_of_its_angles_is() {
        let viewer = &Camera::orthographic(25.0, 16.0).projection();
        let front = DVec3::Z;
        let right = DVec3::NEG_X;
        let top = DVec3::NEG_Y;
        for ([yaw, pitch], [of_front, of_right, of_top]) in [
            ([0.0, 0.0], [1.0, 0.81, 0.81]),
            ([180.0, 0.0], [0.62, 0.81, 0.81]),
            // The player looks to the right, so the lamp is at the player's right side.
            ([90.0, 0.0], [0.81, 1.0, 0.81]),
            ([-90.0, 0.0], [0.81, 0.62, 0.81]),
            ([0.0, 90.0], [0.81, 0.81, 1.0]),
            ([0.0, -90.0], [0.81, 0.81, 0.62]),
        ] {
            let from = [yaw, pitch].map(Angle::degrees);
            let room = Light::Soft.room(None, Some(from), viewer);
            for (normal, expected) in [(front, of_front), (right, of_right), (top, of_top)] {
                let brightness = f64::from(room.brightness(normal)) / f64::from(FULL);
                let is_near = (brightness - expected).abs() < 0.001;
                assert!(is_near, "{yaw} {pitch} {normal}: {brightness}");
            }
        }
    }

    #[test]
    fn only_soft_light_has_a_direction() {
        let viewer = &Camera::orthographic(25.0, 16.0).projection();
        let from = Some([120.0, -40.0].map(Angle::degrees));
        for light in [Light::None, Light::Game] {
            for normal in [DVec3::X, DVec3::Y, DVec3::Z] {
                let [with, without] =
                    [from, None].map(|from| light.room(None, from, viewer).brightness(normal));
                assert_eq!(with, without, "{light} {normal}");
            }
        }
    }
}
