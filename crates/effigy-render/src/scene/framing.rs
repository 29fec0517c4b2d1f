//! The place of a figure in a picture. Model, layers and cape never change it.

use effigy_player::word_enum;

use crate::model::Part;
use crate::scene::figure::Figure;
use crate::scene::pose::Pose;
use crate::scene::projection::Projection;
use crate::scene::range::range;
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
    /// Places an unscaled projection on a picture of this width and height, with room for all these poses of a figure, and for
    /// a shadow or without.
    pub(crate) fn projection(
        self,
        framing: Framing,
        figure: &Figure,
        poses: &[Pose],
        unscaled: &Projection,
        has_shadow: bool,
        size: [u32; 2],
    ) -> Projection {
        let size = DVec2::from(size.map(f64::from));
        let corners = |figure: &Figure| {
            let is_shown = |part: &Part| {
                let is_lower = matches!(part, Part::RightLeg | Part::LeftLeg | Part::Cape);
                !(is_lower && matches!(self, Frame::Upper))
            };
            let mut corners = figure.corners(figure.framed_parts().filter(is_shown));
            if has_shadow {
                corners.extend(figure.shadow());
            }
            corners
        };
        let posed = |&pose: &Pose| corners(&Figure { pose, ..*figure });
        let points: Vec<DVec3> = poses.iter().flat_map(posed).collect();
        if let Frame::Fixed(shape) = self {
            // Pixels per texel: the head is 8 texels wide and the unit of the shape.
            let scale = size / DVec2::from(shape) / 8.0;
            let body = figure.corners(figure.body.iter().copied());
            let place = |share: f64| unscaled.scaled(scale * share).centered(&body, size);
            if !has_shadow {
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
        let turning = Extents::new(&points, unscaled);
        let enlarged = |scale: f64| {
            let projection = unscaled.scaled(DVec2::splat(scale));
            projection.moved(DVec2::new(size.x / 2.0, 0.0) - projection.point(turning.axis))
        };
        let (projection, [top, bottom]) = match framing {
            Framing::Pose => {
                let pose = Pose::STRAIGHT;
                let standing = Extents::new(&corners(&Figure { pose, ..*figure }), unscaled);
                let scale = standing.scale(room);
                let projection = enlarged(scale * enlarged(scale).share_that_fits(&points, room));
                let heights = projection.bounds(&points).map(|corner| corner.y);
                (projection, heights)
            }
            Framing::Turning => {
                let scale = turning.scale(room);
                (
                    enlarged(scale),
                    turning.heights.map(|height| height * scale),
                )
            }
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

/// The room that a figure needs on a picture, while it turns, around the point of its axis at height 0.
#[derive(Clone, Copy)]
struct Extents {
    axis: DVec3,
    /// To the left and to the right.
    sideways: f64,
    /// From top to bottom.
    heights: [f64; 2],
}

impl Extents {
    fn new(corners: &[DVec3], unscaled: &Projection) -> Extents {
        let middle = |coordinate: fn(&DVec3) -> f64| {
            let [min, max] = range(corners.iter().map(coordinate));
            (min + max) / 2.0
        };
        let axis = DVec3::new(middle(|corner| corner.x), 0.0, middle(|corner| corner.z));
        let flat = |vector: DVec3| DVec3::new(vector.x, 0.0, vector.z);
        let distances = corners.iter().map(|&corner| flat(corner - axis).length());
        let [_, radius] = range(distances.clone());
        let tilt = flat(unscaled.down).length();
        let circles = corners.iter().zip(distances);
        let heights = circles.flat_map(|(corner, radius)| {
            let height = corner.y * unscaled.down.y;
            [height - radius * tilt, height + radius * tilt]
        });
        Extents {
            axis,
            sideways: radius * unscaled.right.length(),
            heights: range(heights),
        }
    }

    /// Returns the number of pixels of a texel at which the figure fills a picture of this width and height.
    fn scale(&self, picture: DVec2) -> f64 {
        let [top, bottom] = self.heights;
        (picture.x / 2.0 / self.sideways).min(picture.y / (bottom - top))
    }
}
