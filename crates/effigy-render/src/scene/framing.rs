//! The place of a figure in a picture. Model, layers and cape never change it.

use effigy_player::word_enum;

use crate::model::Part;
use crate::scene::extents::Extents;
use crate::scene::figure::{ELYTRA, Figure};
use crate::scene::geometry::{Plane, range};
use crate::scene::pose::Pose;
use crate::scene::projection::Projection;
use crate::{Angle, Camera, Crop, NamedPose, PictureSpec, Rotation, View};
use glam::{DVec2, DVec3};

word_enum! {
    #[non_exhaustive]
    /// The rule by which figures, portraits and cubes are enlarged and placed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Framing {
        /// As large as a standing player that fills the picture, or as large as this pose allows
        /// from this camera.
        #[default]
        Pose = "pose",
        /// As large as the pose allows while it turns: the same from every yaw, for pictures that
        /// show a turn. The lowest point of a body is on the ground on which it stands upright.
        Turning = "turn",
        /// As large as every named pose allows from every side: the same for all of them, for
        /// pictures in a list. Poses that lie, fly or recline don't count, and are smaller.
        All = "all",
    }
}

impl PictureSpec {
    /// Returns `true` if the view shows the ground on which a figure stands, and the viewer is
    /// above it.
    pub(crate) fn sees_ground(&self, figure: &Figure) -> bool {
        let mut viewer = self.camera.projection();
        viewer.target = self.target(figure);
        let [corner, ..] = figure.shadow();
        let ground = Plane::through(corner, DVec3::NEG_Y);
        self.shows_ground() && viewer.facing(ground) > 0.0
    }

    /// Returns what a pose is in this view: a head alone leans and looks nowhere.
    pub(crate) fn posed(&self, pose: Pose) -> Pose {
        if self.view != View::Cube {
            return pose;
        }
        Pose {
            body: Rotation::ZERO,
            waist: Rotation::ZERO,
            gaze: Angle::ZERO,
            ..pose
        }
    }

    /// Returns the point at which the viewer looks: the middle of what the view shows of a standing
    /// figure.
    fn target(&self, figure: &Figure) -> DVec3 {
        let height = match self.view {
            View::Portrait => 9.0,
            View::IsometricHead | View::Cube => 4.0,
            _ => 16.0,
        };
        let upwards = if figure.is_upside_down { -1.0 } else { 1.0 };
        DVec3::Y * upwards * height
    }

    /// Returns the projection on a picture of this width and height, with room for all these poses
    /// of a figure inside a margin, and for a shadow or without.
    pub(crate) fn projection(
        &self,
        figure: &Figure,
        poses: &[Pose],
        has_shadow: bool,
        size: [u32; 2],
        margin: f64,
    ) -> Projection {
        let whole = DVec2::from(size.map(f64::from));
        let stands = matches!(self.view, View::Figure | View::Portrait) && self.crop != Crop::Head;
        let is_grounded = stands && self.framing == Framing::Turning;
        let frame = Frame {
            spec: self,
            figure,
            poses,
            ground: is_grounded.then(|| lowest(figure, Pose::STRAIGHT)),
            has_shadow,
            whole,
            size: whole - 2.0 * margin,
        };
        // Width and height in sides of the head. Specification, "Render details".
        let projection = match self.view {
            View::IsometricHead => frame.isometric(DVec2::splat(2.175)),
            View::IsometricBody => frame.isometric(DVec2::new(2.5, 5.1)),
            _ => frame.free(),
        };
        projection.moved(DVec2::splat(margin))
    }
}

/// A figure, and the picture on which it is placed.
struct Frame<'a> {
    spec: &'a PictureSpec,
    figure: &'a Figure,
    /// The poses for which there is room.
    poses: &'a [Pose],
    /// The height of the ground, if the lowest point of the body is on it in every pose, so that a
    /// figure sinks as its legs bend. Elsewhere the figure has one pose, and stands on the edge.
    ground: Option<f64>,
    has_shadow: bool,
    /// Width and height in pixels.
    whole: DVec2,
    /// Width and height inside the margins.
    size: DVec2,
}

impl Frame<'_> {
    /// Returns the projection of a view with this width and height in heads. The middle of the body
    /// is in the middle of the picture. A shadow, elytra or ears may make the figure smaller.
    fn isometric(&self, heads: DVec2) -> Projection {
        let own = self.room_of(self.poses);
        let others = if self.has_lens() {
            self.rooms_for_size(&own)
        } else {
            Vec::new()
        };
        let unscaled = self.with_eye(&own, &others);
        // Margins leave the proportions as they are.
        let inside = (self.size / self.whole).min_element();
        // Pixels per texel: the head is 8 texels wide.
        let scale = self.whole / heads / 8.0 * inside;
        let body = self.figure.corners(self.figure.body);
        let place = |share: f64| unscaled.scaled(scale * share).centered(&body, self.size);
        let is_larger = self.has_shadow || self.figure.has_ears || self.figure.back == ELYTRA;
        if !is_larger {
            return place(1.0);
        }
        let share = place(1.0).share_that_fits(&own.shown, self.size);
        place(share).moved_inside(DVec2::ONE, &own.shown, self.size)
    }

    /// Returns the projection of a figure, a portrait or a cube.
    fn free(&self) -> Projection {
        let own = self.room_of(self.poses);
        let sizing = self.rooms_for_size(&own);
        let unscaled = self.with_eye(&own, &sizing);
        let mut scale = f64::MAX;
        for room in &sizing {
            let extents = Extents::new(&room.upright, room.axis, &unscaled);
            scale = scale.min(extents.scale(self.content()));
        }
        if self.spec.framing == Framing::Pose {
            let projection = self.enlarged(&unscaled, scale, own.axis);
            scale *= projection.share_that_fits(&own.shown, self.content());
        }
        let projection = self.enlarged(&unscaled, scale, own.axis);
        let [top, bottom] = if self.spec.framing == Framing::Turning {
            let extents = Extents::new(&own.shown, own.axis, &unscaled);
            extents.heights.map(|height| height * scale)
        } else {
            projection.bounds(&own.shown).map(|corner| corner.y)
        };
        let is_upside_down = self.figure.is_upside_down;
        let down = match self.spec.view {
            // The picture of a head may go on below it, or above if it is upside down.
            _ if self.shows_head() && is_upside_down => {
                self.size.y - (self.content().y + top + bottom) / 2.0
            }
            _ if self.shows_head() => (self.content().y - top - bottom) / 2.0,
            View::Portrait if !is_upside_down => -top,
            View::Cube => (self.size.y - top - bottom) / 2.0,
            _ => self.size.y - bottom,
        };
        let projection = projection.moved(DVec2::Y * down);
        let mut placed = if self.shows_head() && self.spec.framing != Framing::Turning {
            let [min, max] = projection.bounds(&own.shown);
            projection.moved(DVec2::X * (self.size.x - min.x - max.x) / 2.0)
        } else {
            projection.moved_inside(DVec2::X, &own.shown, self.size)
        };
        // The projection is of the figure where its joints are. Moving the viewer up is the same as
        // lowering the figure.
        placed.target.y -= self.lowering(self.figure.pose);
        placed
    }

    /// Returns `true` if the picture is cropped to the head of a figure.
    fn shows_head(&self) -> bool {
        self.spec.crop == Crop::Head
    }

    /// Returns the room that the figure takes in some poses together.
    fn room_of(&self, poses: &[Pose]) -> Room {
        let whole: Vec<Part> = self.figure.parts().collect();
        let mut shown = whole.clone();
        // The rest of a portrait is cut off.
        if self.spec.view == View::Portrait {
            shown.retain(|part| !part.is_leg() && !self.figure.back.contains(part));
        }
        if self.shows_head() {
            shown.retain(|part| matches!(part, Part::Head | Part::RightEar | Part::LeftEar));
        }
        // Elytra are ignored, so that putting a pair on doesn't shrink an upright figure.
        let mut upright = shown.clone();
        if self.spec.framing == Framing::Pose {
            upright.retain(|part| !ELYTRA.contains(part));
        }
        let corners_shown = self.corners(&shown, poses);
        let corners = |parts: Vec<Part>| {
            if parts == shown {
                corners_shown.clone()
            } else {
                self.corners(&parts, poses)
            }
        };
        Room {
            whole: corners(whole),
            upright: corners(upright),
            axis: self.axis_of(&corners_shown),
            shown: corners_shown,
        }
    }

    /// Returns the rooms on which the size depends, given that of the figure's own poses.
    fn rooms_for_size(&self, own: &Room) -> Vec<Room> {
        match self.spec.framing {
            Framing::Pose => vec![self.room_of(&[Pose::STRAIGHT])],
            Framing::Turning => vec![own.clone()],
            Framing::All => {
                let mut rooms = Vec::new();
                for &name in NamedPose::ALL {
                    if name.is_stretched_out() {
                        continue;
                    }
                    for pose in self.spec.posed(name.into()).looking_around() {
                        rooms.push(self.room_of(&[pose]));
                    }
                }
                for &pose in self.poses {
                    rooms.push(self.room_of(&[pose]));
                }
                rooms
            }
        }
    }

    fn has_lens(&self) -> bool {
        matches!(self.spec.camera, Camera::Perspective { .. })
    }

    /// Returns the corners of some parts in some poses, and of their shadows.
    fn corners(&self, parts: &[Part], poses: &[Pose]) -> Vec<DVec3> {
        let mut corners = Vec::new();
        for &pose in poses {
            let figure = Figure {
                pose,
                ..*self.figure
            };
            let mut own = figure.corners(parts);
            if self.has_shadow {
                own.extend(figure.shadow());
            }
            let lowered = DVec3::Y * self.lowering(pose);
            corners.extend(own.into_iter().map(|corner| corner + lowered));
        }
        corners
    }

    /// Returns the distance by which a figure in this pose is lowered, in texels.
    fn lowering(&self, pose: Pose) -> f64 {
        match self.ground {
            Some(ground) => ground - lowest(self.figure, pose),
            None => 0.0,
        }
    }

    /// Returns a point of the axis about which the figure turns, at the height of the target. A
    /// lens looks at the axis of an upright figure, whatever its pose, unless the picture is one of
    /// several. It looks at the head of a figure that is cropped to it.
    fn axis_of(&self, points: &[DVec3]) -> DVec3 {
        if self.shows_head() {
            let [top, bottom] = range(points.iter().map(|point| point.y));
            return middle(points).with_y(f64::midpoint(top, bottom));
        }
        let target = self.spec.target(self.figure);
        if self.has_lens() && self.spec.framing == Framing::Pose {
            return target;
        }
        target + middle(points)
    }

    /// Returns the projection with one pixel for a texel. The eye of a lens is before the axis of
    /// the figure's own room, and far enough from all rooms. Without a lens there is no eye.
    fn with_eye(&self, own: &Room, others: &[Room]) -> Projection {
        let mut unscaled = self.spec.camera.projection();
        if unscaled.nearness == 0.0 {
            return unscaled;
        }
        // The eye may still lie in the figure, so only the reach of the extents has a meaning.
        let reach = |room: &Room| Extents::new(&room.whole, room.axis, &unscaled).reach;
        let farthest = others.iter().map(reach).fold(reach(own), f64::max);
        unscaled.nearness = unscaled.nearness.min(1.0 / (farthest + NEAREST));
        unscaled.target = own.axis;
        unscaled
    }

    /// Returns the width and height into which the figure has to fit. A portrait may be of any
    /// height, and a head fits into a square.
    fn content(&self) -> DVec2 {
        if self.shows_head() {
            DVec2::splat(self.size.x)
        } else if self.spec.view == View::Portrait {
            DVec2::new(self.size.x, f64::INFINITY)
        } else {
            self.size
        }
    }

    /// Returns the projection with this many pixels for a texel, and with an axis in the middle.
    fn enlarged(&self, unscaled: &Projection, scale: f64, axis: DVec3) -> Projection {
        let projection = unscaled.scaled(DVec2::splat(scale));
        let middle = DVec2::new(self.size.x / 2.0, 0.0);
        projection.moved(middle - projection.point(axis))
    }
}

/// The room that a figure takes in some poses together.
#[derive(Clone)]
struct Room {
    /// The corners of all parts, of those that have room, and of those on which the size of an
    /// upright figure depends.
    whole: Vec<DVec3>,
    shown: Vec<DVec3>,
    upright: Vec<DVec3>,
    /// A point of the axis about which the figure turns, at the height of the target.
    axis: DVec3,
}

/// The least distance of the eye from a figure that turns, in texels.
const NEAREST: f64 = 4.0;

/// Returns the height of the lowest point of a figure's body in a pose. The axis points down.
fn lowest(figure: &Figure, pose: Pose) -> f64 {
    let posed = Figure { pose, ..*figure };
    let corners = posed.corners(posed.body);
    let [_, lowest] = range(corners.iter().map(|corner| corner.y));
    lowest
}

/// Returns the point at height 0 of the upright axis through the middle of some points.
fn middle(points: &[DVec3]) -> DVec3 {
    let middle = |coordinate: fn(&DVec3) -> f64| {
        let [min, max] = range(points.iter().map(coordinate));
        (min + max) / 2.0
    };
    DVec3::new(middle(|point| point.x), 0.0, middle(|point| point.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cape, Player, Size, Skin};

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
