//! The brightness of faces.

use effigy_player::word_enum;

use crate::scene::projection::Projection;
use crate::{Angle, Camera};
use glam::DVec3;

word_enum! {
    #[non_exhaustive]
    /// The light that falls on a figure. It makes the sides of a box differ even if the skin has
    /// one color.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Light {
        /// The skin's own colors.
        #[default]
        None = "none",
        /// Light from a place close to the viewer: faces that look at the viewer are as bright
        /// as the skin.
        Soft = "soft",
        /// The light on blocks in the game: brightest from above, less bright from the front and
        /// the back, and darkest from the sides.
        Game = "game",
    }
}

/// Fractional bits of a brightness.
pub(crate) const BRIGHTNESS_BITS: u32 = 12;

/// The brightness that leaves colors as they are.
pub(crate) const FULL: u16 = 1 << BRIGHTNESS_BITS;

/// The brightness of faces by the directions in which they look.
pub(crate) enum Lighting {
    /// The light of a room whose walls are lit. Faces that look between two walls have a mean.
    Walls(Walls),
    /// A soft lamp in this direction, which has a length of 1.
    Lamp(DVec3),
}

/// The walls of a lit room around a figure.
pub(crate) struct Walls {
    top: f64,
    /// The brightness of the front and of the back.
    front: f64,
    side: f64,
    bottom: f64,
    /// The horizontal direction of the front, of length 1.
    ahead: DVec3,
}

/// The brightness of faces that look at a lamp.
const TOWARD_LAMP: f64 = 1.0;

/// The brightness of faces that look away from a lamp.
const AWAY_FROM_LAMP: f64 = 0.62;

impl Light {
    /// Returns the lighting of a figure for a viewer. `levels` replace the brightness of the walls,
    /// and `from` is the direction of a soft light.
    pub(crate) fn lighting(
        self,
        levels: Option<[u8; 4]>,
        from: Option<[Angle; 2]>,
        viewer: &Projection,
    ) -> Lighting {
        if let Some([top, front, side, bottom]) = levels {
            let level = |byte: u8| f64::from(byte) / 255.0;
            return Lighting::Walls(Walls {
                top: level(top),
                front: level(front),
                side: level(side),
                bottom: level(bottom),
                ahead: DVec3::Z,
            });
        }
        if let (Light::Soft, Some([yaw, pitch])) = (self, from) {
            let camera = Camera::orthographic(yaw.to_degrees(), pitch.to_degrees());
            return Lighting::Lamp(camera.projection().toward);
        }
        Lighting::Walls(self.walls(viewer))
    }

    /// Returns the walls of the room around a figure.
    fn walls(self, viewer: &Projection) -> Walls {
        match self {
            Light::None => Walls {
                top: 1.0,
                front: 1.0,
                side: 1.0,
                bottom: 1.0,
                ahead: DVec3::Z,
            },
            Light::Soft => {
                let downwards = viewer.toward.y;
                Walls {
                    top: brighter(0.9, -downwards),
                    front: 1.0,
                    side: 0.82,
                    bottom: brighter(0.67, downwards),
                    ahead: between_front_and(viewer),
                }
            }
            Light::Game => Walls {
                top: 1.0,
                front: 0.8,
                side: 0.6,
                bottom: 0.5,
                ahead: DVec3::Z,
            },
        }
    }
}

/// Returns the brightness of the top or the bottom, which is the brighter the more it looks at the
/// viewer.
fn brighter(level: f64, facing: f64) -> f64 {
    level + (1.0 - level) * facing.max(0.0).powi(4)
}

/// Returns a horizontal direction between the direction of the viewer and the direction of the
/// figure's front or back, whichever is nearer. With a light at the viewer, the front and the side
/// of a figure that is seen from a corner would look alike. This light is up to 22.5 degrees away
/// from the viewer, and turns evenly with the figure.
fn between_front_and(viewer: &Projection) -> DVec3 {
    const TAN_22_5: f64 = 0.414_213_562_373_095_03;
    let right = viewer.right.normalize();
    let sin_of_twice = 2.0 * right.z * right.x;
    (right.cross(DVec3::Y) + right * (TAN_22_5 * sin_of_twice)).normalize()
}

impl Lighting {
    /// Returns the brightness of a face with this normal of length 1.
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
    pub(crate) fn brightness(&self, normal: DVec3) -> u16 {
        let brightness = match self {
            Lighting::Walls(walls) => walls.brightness(normal),
            Lighting::Lamp(direction) => in_lamplight(*direction, normal),
        };
        (brightness * f64::from(FULL) + 0.5) as u16
    }
}

impl Walls {
    fn brightness(&self, normal: DVec3) -> f64 {
        let across = normal.y * normal.y;
        let forward = normal.dot(self.ahead);
        let along = forward * forward;
        let level = if normal.y < 0.0 {
            self.top
        } else {
            self.bottom
        };
        let rest = (1.0 - across - along).max(0.0);
        across * level + along * self.front + rest * self.side
    }
}

/// Returns the brightness of a face in the light of a lamp. Faces that look across the light are
/// halfway.
fn in_lamplight(lamp: DVec3, normal: DVec3) -> f64 {
    let cosine = normal.dot(lamp).clamp(-1.0, 1.0);
    let middle = f64::midpoint(TOWARD_LAMP, AWAY_FROM_LAMP);
    middle + cosine * (TOWARD_LAMP - AWAY_FROM_LAMP) / 2.0
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
                .lighting(None, None, viewer)
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
    fn faces_that_look_at_the_viewer_are_as_bright_as_the_skin() {
        for (pitch, normal) in [(90.0, -1.0), (-90.0, 1.0)] {
            let viewer = &Camera::orthographic(25.0, pitch).projection();
            let lighting = Light::Soft.lighting(None, None, viewer);
            let brightness = lighting.brightness(DVec3::new(0.0, normal, 0.0));
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
            let lighting = Light::Soft.lighting(None, Some(from), viewer);
            for (normal, expected) in [(front, of_front), (right, of_right), (top, of_top)] {
                let brightness = f64::from(lighting.brightness(normal)) / f64::from(FULL);
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
                let directed = light.lighting(None, from, viewer);
                let usual = light.lighting(None, None, viewer);
                assert_eq!(
                    directed.brightness(normal),
                    usual.brightness(normal),
                    "{light} {normal}"
                );
            }
        }
    }
}
