//! The size and the place of a figure, and the place of its viewer.

use crate::model::Part;
use crate::scene::figure::{ELYTRA, Figure};
use crate::scene::framing::extents::Extents;
use crate::scene::framing::lowest;
use crate::scene::geometry::range;
use crate::scene::projection::Projection;
use crate::{Camera, Crop, Framing, NamedPose, PictureSpec, Pose, View};
use glam::{DVec2, DVec3};

/// Places a figure on a picture.
pub(super) struct Framer<'a> {
    pub(super) spec: &'a PictureSpec,
    pub(super) figure: &'a Figure,
    /// The poses for which there is room.
    pub(super) poses: &'a [Pose],
    /// The height of the ground, if every pose is lowered until it touches the ground, so that a
    /// figure sinks as its legs bend. Otherwise the figure stands on the edge of the picture.
    pub(super) ground: Option<f64>,
    pub(super) has_shadow: bool,
    /// Width and height of the picture in pixels.
    pub(super) picture_size: DVec2,
    /// Width and height inside the margins.
    pub(super) inner_size: DVec2,
}

/// The least distance of the eye from a figure that turns, in texels.
const NEAREST: f64 = 4.0;

impl Framer<'_> {
    /// Returns the projection of an isometric view with this width and height in heads. The middle
    /// of the body is in the middle of the picture. A shadow, elytra or ears may make the figure
    /// smaller.
    pub(super) fn isometric(&self, heads: DVec2) -> Projection {
        let own = self.space_of(self.poses);
        // A perspective camera may be chosen for an isometric view as well.
        let others = if self.has_lens() {
            self.spaces_for_size(&own)
        } else {
            Vec::new()
        };
        let unscaled = self.with_eye(&own, &others);
        // Margins leave the proportions as they are.
        let inner_share = (self.inner_size / self.picture_size).min_element();
        // Pixels per texel: the head is 8 texels wide.
        let scale = self.picture_size / heads / 8.0 * inner_share;
        let body = self.figure.corners(self.figure.body);
        let place = |share: f64| {
            unscaled
                .scaled(scale * share)
                .centered(&body, self.inner_size)
        };
        let may_reach_beyond =
            self.has_shadow || self.figure.has_ears || self.figure.back == ELYTRA;
        if !may_reach_beyond {
            return place(1.0);
        }
        let share = place(1.0).share_that_fits(&own.shown, self.inner_size);
        place(share).moved_inside(DVec2::ONE, &own.shown, self.inner_size)
    }

    /// Returns the projection of a figure, a portrait or a cube.
    pub(super) fn free(&self) -> Projection {
        let own = self.space_of(self.poses);
        let spaces = self.spaces_for_size(&own);
        let unscaled = self.with_eye(&own, &spaces);
        let scale = self.scale(&own, &spaces, &unscaled);
        let projection = self.enlarged(&unscaled, scale, own.axis_point);
        let heights = self.heights(&own, &unscaled, scale);
        let down = self.distance_down(heights);
        let mut placed = self.moved_sideways(projection.moved(DVec2::Y * down), &own.shown);
        // The joints of the figure stay where they are, so the viewer moves up to see it lower.
        placed.target.y -= self.lowering(self.figure.pose);
        placed
    }

    /// Returns the pixels per texel at which all spaces fit into the picture.
    fn scale(&self, own: &Space, spaces: &[Space], unscaled: &Projection) -> f64 {
        let mut scale = f64::MAX;
        for space in spaces {
            let extents = Extents::new(&space.sizing, space.axis_point, unscaled);
            scale = scale.min(extents.scale(self.fitting_size()));
        }
        if self.spec.framing == Framing::Pose {
            let projection = self.enlarged(unscaled, scale, own.axis_point);
            scale *= projection.share_that_fits(&own.shown, self.fitting_size());
        }
        scale
    }

    /// Returns the places of the top and the bottom of the figure if its axis point is on the upper
    /// edge.
    fn heights(&self, own: &Space, unscaled: &Projection, scale: f64) -> [f64; 2] {
        if self.spec.framing == Framing::Turning {
            let extents = Extents::new(&own.shown, own.axis_point, unscaled);
            return extents.heights.map(|height| height * scale);
        }
        let projection = self.enlarged(unscaled, scale, own.axis_point);
        projection.bounds(&own.shown).map(|corner| corner.y)
    }

    /// Returns the distance by which a figure with these heights is moved down.
    fn distance_down(&self, [top, bottom]: [f64; 2]) -> f64 {
        let is_upside_down = self.figure.is_upside_down;
        if self.shows_head() {
            // The picture of a head may go on below it, or above it if it is upside down.
            let from_upper_edge = (self.fitting_size().y - top - bottom) / 2.0;
            let from_lower_edge = self.inner_size.y - (self.fitting_size().y + top + bottom) / 2.0;
            return if is_upside_down {
                from_lower_edge
            } else {
                from_upper_edge
            };
        }
        match self.spec.view {
            View::Portrait if !is_upside_down => -top,
            View::Cube => (self.inner_size.y - top - bottom) / 2.0,
            _ => self.inner_size.y - bottom,
        }
    }

    /// Returns the projection with a head in the middle, or with a figure moved as little as puts
    /// it inside the picture.
    fn moved_sideways(&self, projection: Projection, shown: &[DVec3]) -> Projection {
        if self.shows_head() && self.spec.framing != Framing::Turning {
            let [min, max] = projection.bounds(shown);
            return projection.moved(DVec2::X * (self.inner_size.x - min.x - max.x) / 2.0);
        }
        projection.moved_inside(DVec2::X, shown, self.inner_size)
    }

    /// Returns `true` if the picture is cropped to the head of a figure.
    fn shows_head(&self) -> bool {
        self.spec.crop == Crop::Head
    }

    fn has_lens(&self) -> bool {
        matches!(self.spec.camera, Camera::Perspective { .. })
    }

    /// Returns the space that the figure takes in some poses together.
    fn space_of(&self, poses: &[Pose]) -> Space {
        let all: Vec<Part> = self.figure.parts().collect();
        let mut shown = all.clone();
        // The rest of a portrait is cut off.
        if self.spec.view == View::Portrait {
            shown.retain(|part| !part.is_leg() && !self.figure.back.contains(part));
        }
        if self.shows_head() {
            shown.retain(|part| matches!(part, Part::Head | Part::RightEar | Part::LeftEar));
        }
        // Ignore elytra when sizing, so that putting a pair on doesn't shrink an upright player.
        let mut sizing = shown.clone();
        if self.spec.framing == Framing::Pose {
            sizing.retain(|part| !ELYTRA.contains(part));
        }
        let corners_shown = self.corners(&shown, poses);
        let corners = |parts: Vec<Part>| {
            if parts == shown {
                corners_shown.clone()
            } else {
                self.corners(&parts, poses)
            }
        };
        Space {
            all: corners(all),
            sizing: corners(sizing),
            axis_point: self.axis_point(&corners_shown),
            shown: corners_shown,
        }
    }

    /// Returns the spaces on which the size depends, given the space of the figure's own poses.
    fn spaces_for_size(&self, own: &Space) -> Vec<Space> {
        match self.spec.framing {
            Framing::Pose => vec![self.space_of(&[Pose::STRAIGHT])],
            Framing::Turning => vec![own.clone()],
            Framing::All => {
                let mut spaces = Vec::new();
                for &name in NamedPose::ALL {
                    if name.is_stretched_out() {
                        continue;
                    }
                    for pose in self.spec.posed(name.into()).looking_around() {
                        spaces.push(self.space_of(&[pose]));
                    }
                }
                for &pose in self.poses {
                    spaces.push(self.space_of(&[pose]));
                }
                spaces
            }
        }
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

    /// Returns a point of the axis about which the figure turns, at the height of the target. With
    /// [`Framing::Pose`], a lens looks at the axis of an upright figure, whatever the pose. A
    /// figure that is cropped to the head turns about its head.
    fn axis_point(&self, points: &[DVec3]) -> DVec3 {
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

    /// Returns the projection with one pixel for a texel. The eye of a lens is in front of the axis
    /// of the figure's own space, and far enough from all spaces. Without a lens there is no eye.
    fn with_eye(&self, own: &Space, others: &[Space]) -> Projection {
        let mut unscaled = self.spec.camera.projection();
        if unscaled.nearness == 0.0 {
            return unscaled;
        }
        // Until `nearness` is limited below, the eye may lie in the figure. A point behind the eye has
        // a negative weight, so of the extents only the reach is right, which needs no weights.
        let reach = |space: &Space| Extents::new(&space.all, space.axis_point, &unscaled).reach;
        let farthest = others.iter().map(reach).fold(reach(own), f64::max);
        unscaled.nearness = unscaled.nearness.min(1.0 / (farthest + NEAREST));
        unscaled.target = own.axis_point;
        unscaled
    }

    /// Returns the width and height into which the figure has to fit. A portrait may be of any
    /// height, and a head fits into a square.
    fn fitting_size(&self) -> DVec2 {
        if self.shows_head() {
            DVec2::splat(self.inner_size.x)
        } else if self.spec.view == View::Portrait {
            DVec2::new(self.inner_size.x, f64::INFINITY)
        } else {
            self.inner_size
        }
    }

    /// Returns the projection with this many pixels for a texel, and with this point in the middle of
    /// the upper edge.
    fn enlarged(&self, unscaled: &Projection, scale: f64, point: DVec3) -> Projection {
        let projection = unscaled.scaled(DVec2::splat(scale));
        let upper_middle = DVec2::new(self.inner_size.x / 2.0, 0.0);
        projection.moved(upper_middle - projection.point(point))
    }
}

/// The space that a figure takes in some poses together, as corners of its parts.
#[derive(Clone)]
struct Space {
    /// The corners of all parts.
    all: Vec<DVec3>,
    /// The corners of the parts for which the picture has room.
    shown: Vec<DVec3>,
    /// The corners of the parts on which the size of the figure depends.
    sizing: Vec<DVec3>,
    /// A point of the axis about which the figure turns, at the height of the target.
    axis_point: DVec3,
}

/// Returns the point at height 0 of the upright axis through the middle of some points.
fn middle(points: &[DVec3]) -> DVec3 {
    let middle = |coordinate: fn(&DVec3) -> f64| {
        let [min, max] = range(points.iter().map(coordinate));
        (min + max) / 2.0
    };
    DVec3::new(middle(|point| point.x), 0.0, middle(|point| point.z))
}
