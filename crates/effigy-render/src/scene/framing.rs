//! The place of a figure in a picture. Model, layers and cape never change it.

use effigy_player::word_enum;

use crate::model::Part;
use crate::scene::figure::{ELYTRA, Figure};
use crate::scene::geometry::{Plane, range};
use crate::scene::pose::Pose;
use crate::scene::projection::Projection;
use crate::{Angle, NamedPose, PictureSpec, Rotation, View};
use glam::{DVec2, DVec3};

word_enum! {
    #[non_exhaustive]
    /// The rule by which figures, portraits and cubes are enlarged and placed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Framing {
        /// As large as a standing player that fills the picture, or as large as this pose allows from this camera.
        #[default]
        Pose = "pose",
        /// As large as the pose allows while it turns: the same from every yaw, for pictures that show a turn.
        Turning = "turn",
        /// As large as every named pose allows from every side: the same for all of them, for pictures in a list.
        All = "all",
    }
}

impl PictureSpec {
    /// Returns `true` if the view shows the ground on which a figure stands, and the viewer is above it.
    pub(crate) fn sees_ground(&self, figure: &Figure) -> bool {
        let mut viewer = self.camera.projection();
        viewer.target = self.target(figure);
        let [corner, ..] = figure.shadow();
        let ground = Plane::through(corner, DVec3::NEG_Y);
        self.view.shows_ground() && viewer.facing(ground) > 0.0
    }

    /// Returns what a pose is in this view: a head alone leans and looks nowhere.
    pub(crate) fn posed(&self, pose: Pose) -> Pose {
        match self.view {
            View::Cube => Pose {
                body: Rotation::ZERO,
                waist: Rotation::ZERO,
                gaze: Angle::ZERO,
                ..pose
            },
            _ => pose,
        }
    }

    /// Returns the point at which the viewer looks: the middle of what the view shows of a standing figure.
    fn target(&self, figure: &Figure) -> DVec3 {
        let height = match self.view {
            View::Portrait => 9.0,
            View::IsometricHead | View::Cube => 4.0,
            _ => 16.0,
        };
        let upwards = if figure.is_upside_down { -1.0 } else { 1.0 };
        DVec3::Y * upwards * height
    }

    /// Returns the projection on a picture of this width and height, with room for all these poses of a figure, and for a
    /// shadow or without.
    pub(crate) fn projection(
        &self,
        figure: &Figure,
        poses: &[Pose],
        has_shadow: bool,
        size: [u32; 2],
    ) -> Projection {
        let size = DVec2::from(size.map(f64::from));
        let all: Vec<Part> = figure.parts().collect();
        let mut shown = all.clone();
        // The rest of a portrait is cut off.
        if self.view == View::Portrait {
            shown.retain(|part| !part.is_leg() && !figure.back.contains(part));
        }
        // Wings do not make an upright figure smaller.
        let mut upright = shown.clone();
        upright.retain(|part| self.framing != Framing::Pose || !ELYTRA.contains(part));
        let corners = |parts: &[Part], poses: &[Pose]| -> Vec<DVec3> {
            let posed = poses.iter().map(|&pose| Figure { pose, ..*figure });
            let corners = posed.flat_map(|figure| {
                let mut corners = figure.corners(parts);
                if has_shadow {
                    corners.extend(figure.shadow());
                }
                corners
            });
            corners.collect()
        };
        // The poses on which the size depends. Those of a group have room together.
        let sizing: Vec<Vec<Pose>> = match self.framing {
            Framing::Pose => vec![vec![Pose::STRAIGHT]],
            Framing::Turning => vec![poses.to_vec()],
            Framing::All => {
                let named = NamedPose::ALL.iter().map(|&name| self.posed(name.into()));
                let all = named.flat_map(Pose::looking_around).chain(poses.to_vec());
                all.map(|pose| vec![pose]).collect()
            }
        };
        let points = corners(&shown, poses);
        let mut unscaled = self.camera.projection();
        let is_near = unscaled.nearness > 0.0;
        let target = self.target(figure);
        let axis_of = |points: &[DVec3]| match is_near && self.framing == Framing::Pose {
            true => target,
            false => target + middle(points),
        };
        if is_near {
            // The eye may still lie in the figure, where nothing else of the extents has a meaning.
            let reach = |poses: &[Pose]| {
                let axis = axis_of(&corners(&shown, poses));
                Extents::new(&corners(&all, poses), axis, &unscaled).reach
            };
            let reaches = sizing.iter().map(|poses| reach(poses));
            let reach = reaches.fold(reach(poses), f64::max);
            let nearness = unscaled.nearness.min(1.0 / (reach + NEAREST));
            (unscaled.target, unscaled.nearness) = (axis_of(&points), nearness);
        }
        // Width and height in sides of the head, with the middle of the body in the middle. Specification, "Render details".
        let shape = match self.view {
            View::IsometricHead => Some(DVec2::splat(2.175)),
            View::IsometricBody => Some(DVec2::new(2.5, 5.1)),
            _ => None,
        };
        if let Some(shape) = shape {
            // Pixels per texel: the head is 8 texels wide and the unit of the shape.
            let scale = size / shape / 8.0;
            let body = figure.corners(figure.body);
            let place = |share: f64| unscaled.scaled(scale * share).centered(&body, size);
            if !has_shadow && figure.back != ELYTRA {
                return place(1.0);
            }
            let share = place(1.0).share_that_fits(&points, size);
            return place(share).moved_inside(DVec2::ONE, &points, size);
        }
        let room = match self.view {
            View::Portrait => DVec2::new(size.x, f64::INFINITY),
            _ => size,
        };
        let extents = |points: &[DVec3]| Extents::new(points, axis_of(points), &unscaled);
        let enlarged = |scale: f64| {
            let projection = unscaled.scaled(DVec2::splat(scale));
            projection.moved(DVec2::new(size.x / 2.0, 0.0) - projection.point(axis_of(&points)))
        };
        let scales = sizing.iter();
        let scales = scales.map(|poses| extents(&corners(&upright, poses)).scale(room));
        let mut scale = scales.fold(f64::MAX, f64::min);
        if self.framing == Framing::Pose {
            scale *= enlarged(scale).share_that_fits(&points, room);
        }
        let projection = enlarged(scale);
        let [top, bottom] = match self.framing {
            Framing::Turning => extents(&points).heights.map(|height| height * scale),
            _ => projection.bounds(&points).map(|corner| corner.y),
        };
        let down = match self.view {
            View::Portrait if !figure.is_upside_down => -top,
            View::Cube => (size.y - top - bottom) / 2.0,
            _ => size.y - bottom,
        };
        projection
            .moved(DVec2::Y * down)
            .moved_inside(DVec2::X, &points, size)
    }
}

/// The least distance of the eye from a figure that turns, in texels.
const NEAREST: f64 = 4.0;

/// Returns the point at height 0 of the upright axis through the middle of some points.
fn middle(points: &[DVec3]) -> DVec3 {
    let middle = |coordinate: fn(&DVec3) -> f64| {
        let [min, max] = range(points.iter().map(coordinate));
        (min + max) / 2.0
    };
    DVec3::new(middle(|point| point.x), 0.0, middle(|point| point.z))
}

/// The room that a figure needs on a picture while it turns, around a point of its axis.
struct Extents {
    /// To the left and to the right.
    sideways: f64,
    /// From top to bottom.
    heights: [f64; 2],
    /// Toward the viewer, in texels.
    reach: f64,
}

impl Extents {
    /// The room for some points that turn about the axis through a point.
    fn new(points: &[DVec3], axis: DVec3, unscaled: &Projection) -> Extents {
        let level_length = |vector: DVec3| vector.with_y(0.0).length();
        let (toward, nearness) = (unscaled.toward, unscaled.nearness);
        let [tilt, approach] = [unscaled.down, toward].map(level_length);
        // Points sink while they come nearer if the viewer is above.
        let tilt = tilt.copysign(-toward.y);
        let width = unscaled.right.length();
        let mut extents = Extents {
            sideways: 0.0,
            heights: [f64::MAX, f64::MIN],
            reach: f64::MIN,
        };
        for &point in points {
            let radius = level_length(point - axis);
            let height = point.y - axis.y;
            extents.reach = extents.reach.max(height * toward.y + radius * approach);
            // The weights of the axis at this height, and of the nearest and the farthest point of the circle.
            let weight = 1.0 - height * toward.y * nearness;
            let change = radius * approach * nearness;
            let [near, far] = [weight - change, weight + change];
            extents.sideways = extents.sideways.max(radius * width / (near * far).sqrt());
            let [height, sunk] = [height * unscaled.down.y, radius * tilt];
            for height in [(height + sunk) / near, (height - sunk) / far] {
                let [top, bottom] = extents.heights;
                extents.heights = [top.min(height), bottom.max(height)];
            }
        }
        extents
    }

    /// Returns the number of pixels of a texel at which the figure fills a picture of this width and height.
    fn scale(&self, picture: DVec2) -> f64 {
        let [top, bottom] = self.heights;
        (picture.x / 2.0 / self.sideways).min(picture.y / (bottom - top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Cape, Player, Size, Skin};

    #[test]
    fn wings_make_no_figure_smaller_that_has_room_for_them() {
        let skin = Skin::decode(include_bytes!("../../assets/skin.png"), None).expect("a skin");
        let cape = Cape::from_rgba(64, 32, &[255; 64 * 32 * 4]).expect("a cape with elytra");
        let player = Player::new(&skin).with_cape(&cape);
        for (view, [yaw, pitch, fov]) in [
            (View::Figure, [90.0, 0.0, 30.0]),
            (View::Figure, [-90.0, 0.0, 30.0]),
            // What is below it is cut off.
            (View::Portrait, [20.0, -60.0, 60.0]),
        ] {
            let spec = PictureSpec::new(view, Size::px(48))
                .with_pose(Pose::STRAIGHT)
                .with_camera(Camera::perspective(yaw, pitch, fov));
            let [winged, bare] = [true, false].map(|has_elytra| {
                let picture = spec.with_elytra(has_elytra).picture(player);
                let picture = picture.expect("a small picture");
                let scene = picture.scene().expect("it is not flat");
                scene.projection.right.length()
            });
            assert!((winged / bare - 1.0).abs() < 1e-9, "{yaw}: {winged} {bare}");
        }
    }
}
