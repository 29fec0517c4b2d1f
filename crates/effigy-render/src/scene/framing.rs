//! The place of a figure in a picture. Model, layers and cape never change it.

use effigy_player::word_enum;

use crate::model::Part;
use crate::scene::figure::{ELYTRA, Figure};
use crate::scene::fragment::Plane;
use crate::scene::pose::Pose;
use crate::scene::projection::Projection;
use crate::scene::range::range;
use crate::scene::viewer::Viewer;
use crate::{Angle, Camera, NamedPose, Rotation};
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

/// The part of a figure that a picture shows, and where it lies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Frame {
    /// The picture has this width and height in sides of the head, and the middle of the body is in its
    /// middle. Specification, "Render details".
    Fixed([f64; 2]),
    /// The figure stands on the lower edge.
    Standing,
    /// The figure without legs begins at the upper edge. The rest is cut off.
    Upper,
    /// The figure is in the middle.
    Centered,
}

impl Frame {
    /// Returns `true` if the viewer is above the ground on which a figure stands.
    pub(crate) fn sees_ground(self, camera: Camera, figure: &Figure) -> bool {
        let mut viewer = camera.projection().viewer;
        viewer.target = self.target(figure);
        let [corner, ..] = figure.shadow();
        Plane::through(corner, DVec3::NEG_Y).faces(&viewer)
    }

    /// Returns what a pose is in this frame: a head alone leans and looks nowhere.
    pub(crate) fn posed(self, pose: Pose) -> Pose {
        match self {
            Frame::Centered => Pose {
                body: Rotation::ZERO,
                gaze: Angle::ZERO,
                ..pose
            },
            _ => pose,
        }
    }

    /// Returns the point at which the viewer looks: the middle of what the view shows of a standing figure.
    fn target(self, figure: &Figure) -> DVec3 {
        let height = match self {
            Frame::Upper => 9.0,
            _ if figure.body.len() == 1 => 4.0,
            _ => 16.0,
        };
        let upwards = if figure.is_upside_down { -1.0 } else { 1.0 };
        DVec3::Y * upwards * height
    }

    /// Returns the projection on a picture of this width and height, with room for all these poses of a figure, and for a
    /// shadow or without.
    pub(crate) fn projection(
        self,
        framing: Framing,
        figure: &Figure,
        poses: &[Pose],
        camera: Camera,
        has_shadow: bool,
        size: [u32; 2],
    ) -> Projection {
        let size = DVec2::from(size.map(f64::from));
        let is_shown = |part: &Part| {
            let is_lower = part.is_leg() || figure.back_room.contains(part);
            !(is_lower && matches!(self, Frame::Upper))
        };
        let corners = |figure: &Figure, is_shown: &dyn Fn(&Part) -> bool| {
            let mut corners = figure.corners(figure.framed_parts().filter(is_shown));
            if has_shadow {
                corners.extend(figure.shadow());
            }
            corners
        };
        let of_poses = |poses: &[Pose], is_shown: &dyn Fn(&Part) -> bool| -> Vec<DVec3> {
            let posed = |&pose: &Pose| corners(&Figure { pose, ..*figure }, is_shown);
            poses.iter().flat_map(posed).collect()
        };
        // The poses on which the size depends.
        let sizing = match framing {
            Framing::Pose => vec![Pose::STRAIGHT],
            Framing::Turning => Vec::new(),
            Framing::All => {
                let named = NamedPose::ALL.iter().map(|&name| self.posed(name.into()));
                named
                    .flat_map(Pose::looking_around)
                    .chain(poses.iter().copied())
                    .collect()
            }
        };
        let points = of_poses(poses, &is_shown);
        let mut unscaled = camera.projection();
        let is_near = unscaled.viewer.nearness > 0.0;
        if is_near {
            let target_of = |poses: &[Pose]| match framing {
                Framing::Pose => self.target(figure),
                _ => self.target(figure) + middle(&of_poses(poses, &is_shown)),
            };
            // The eye may still lie in the figure, where nothing else of the extents has a meaning.
            let reach = |poses: &[Pose]| {
                Extents::new(&of_poses(poses, &|_| true), target_of(poses), &unscaled).reach
            };
            let target = target_of(poses);
            let reach = sizing.chunks(1).map(reach).fold(reach(poses), f64::max);
            let nearness = unscaled.viewer.nearness.min(1.0 / (reach + NEAREST));
            (unscaled.viewer.target, unscaled.viewer.nearness) = (target, nearness);
        }
        if let Frame::Fixed(shape) = self {
            // Pixels per texel: the head is 8 texels wide and the unit of the shape.
            let scale = size / DVec2::from(shape) / 8.0;
            let body = figure.corners(figure.body.iter().copied());
            let place = |share: f64| unscaled.scaled(scale * share).centered(&body, size);
            if !has_shadow && figure.back_room != ELYTRA {
                return place(1.0);
            }
            let share = place(1.0).share_that_fits(&points, size);
            return place(share).moved_inside(DVec2::ONE, &points, size);
        }
        // The rest of a portrait is cut off.
        let room = match self {
            Frame::Upper => DVec2::new(size.x, f64::INFINITY),
            _ => size,
        };
        // From far away, all upright axes are alike.
        let target = unscaled.viewer.target;
        let extents = |points: &[DVec3]| {
            let axis = match is_near && framing == Framing::Pose {
                true => target,
                false => middle(points) + DVec3::Y * target.y,
            };
            Extents::new(points, axis, &unscaled)
        };
        let turning = extents(&points);
        let enlarged = |scale: f64| {
            let projection = unscaled.scaled(DVec2::splat(scale));
            projection.moved(DVec2::new(size.x / 2.0, 0.0) - projection.point(turning.axis))
        };
        let sizes = sizing.iter().map(|&pose| {
            let points = corners(&Figure { pose, ..*figure }, &is_shown);
            extents(&points).scale(room)
        });
        let scale = match framing {
            Framing::Pose => {
                let scale = sizes.fold(f64::MAX, f64::min);
                scale * enlarged(scale).share_that_fits(&points, room)
            }
            Framing::All => sizes.fold(f64::MAX, f64::min),
            Framing::Turning => turning.scale(room),
        };
        let projection = enlarged(scale);
        let [top, bottom] = match framing {
            Framing::Turning => turning.heights.map(|height| height * scale),
            _ => projection.bounds(&points).map(|corner| corner.y),
        };
        let down = match self {
            Frame::Upper if !figure.is_upside_down => -top,
            Frame::Centered => (size.y - top - bottom) / 2.0,
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
#[derive(Clone, Copy)]
struct Extents {
    axis: DVec3,
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
        let Viewer {
            toward, nearness, ..
        } = unscaled.viewer;
        let [tilt, approach] = [unscaled.down, toward].map(level_length);
        // Points sink while they come nearer if the viewer is above.
        let tilt = tilt.copysign(-toward.y);
        let width = unscaled.right.length();
        let mut extents = Extents {
            axis,
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
