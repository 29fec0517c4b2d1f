//! The place of a figure in a picture. Model, layers and cape never change it.

mod extents;
mod framer;

use effigy_player::word_enum;

use crate::scene::figure::Figure;
use crate::scene::framing::framer::Framer;
use crate::scene::geometry::{Plane, range};
use crate::scene::pose::Pose;
use crate::scene::projection::Projection;
use crate::{Angle, Crop, PictureSpec, Rotation, View};
use glam::{DVec2, DVec3};

word_enum! {
    #[non_exhaustive]
    /// The rule by which figures, portraits and cubes are enlarged and placed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Framing {
        /// As large as a standing player who fills the picture, or smaller if this pose needs more
        /// room from this camera.
        #[default]
        Pose = "pose",
        /// As large as the pose allows from any yaw, for pictures that show a turn: the figure has
        /// one scale in all of them. The lowest point of the body is always at the height at which
        /// an upright player stands.
        Turning = "turn",
        /// As large as all named poses allow from any side, for pictures in a list: the figure has
        /// one scale in all of them. Only poses that lie, fly or recline are smaller.
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

    /// Returns a pose as this view shows it. A head alone doesn't lean, and looks straight ahead.
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
        let picture_size = DVec2::from(size.map(f64::from));
        let stands = matches!(self.view, View::Figure | View::Portrait) && self.crop != Crop::Head;
        let is_grounded = stands && self.framing == Framing::Turning;
        let framer = Framer {
            spec: self,
            figure,
            poses,
            ground: if is_grounded {
                Some(lowest(figure, Pose::STRAIGHT))
            } else {
                None
            },
            has_shadow,
            picture_size,
            inner_size: picture_size - 2.0 * margin,
        };
        // Width and height in sides of the head. Specification, "Render details".
        let projection = match self.view {
            View::IsometricHead => framer.isometric(DVec2::splat(2.175)),
            View::IsometricBody => framer.isometric(DVec2::new(2.5, 5.1)),
            _ => framer.free(),
        };
        projection.moved(DVec2::splat(margin))
    }
}

/// Returns the height of the lowest point of a figure's body in a pose. The axis points down.
fn lowest(figure: &Figure, pose: Pose) -> f64 {
    let posed = Figure { pose, ..*figure };
    let corners = posed.corners(posed.body);
    let [_, lowest] = range(corners.iter().map(|corner| corner.y));
    lowest
}

#[cfg(test)]
mod tests;
