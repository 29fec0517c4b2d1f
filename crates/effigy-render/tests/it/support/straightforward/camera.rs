//! The figure and the camera of a picture, with the place of the figure on the canvas.

use effigy_render::{
    Angle, Camera, Facing, Layers, Light, PictureSpec, Pose, Rotation, Size, View,
};
use glam::{DVec2, DVec3};

use super::figure;

/// The content of a canvas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) view: View,
    pub(crate) layers: Layers,
    pub(crate) camera: Camera,
    pub(crate) pose: Pose,
}

/// A point of the model on a canvas: `across` and `down` are the pixels for a step along each axis
/// at the target.
#[derive(Clone)]
pub(super) struct Projection {
    pub(super) across: DVec3,
    pub(super) down: DVec3,
    /// The direction towards the viewer, of length 1.
    pub(super) toward: DVec3,
    pub(super) origin: DVec2,
    /// The point at which the viewer looks, and the inverse of the distance of the eye from it.
    pub(super) target: DVec3,
    pub(super) nearness: f64,
}

impl Projection {
    /// The pixels to the right and down of a movement, and the change of the distance from the eye
    /// as a share of the target's.
    pub(super) fn step(&self, movement: DVec3) -> DVec3 {
        let [x, y, near] = [self.across, self.down, self.toward].map(|axis| axis.dot(movement));
        DVec3::new(x, y, -near * self.nearness)
    }

    /// The pixels to the right and down from the target to a point.
    pub(super) fn seen_at(&self, point: DVec3) -> DVec2 {
        let step = self.step(point - self.target);
        step.truncate() / (1.0 + step.z)
    }

    /// The direction to the eye.
    pub(super) fn toward_from(&self, point: DVec3) -> DVec3 {
        self.toward - (point - self.target) * self.nearness
    }

    fn enlarged(self, scale: DVec2, origin: DVec2) -> Projection {
        Projection {
            across: self.across * scale.x,
            down: self.down * scale.y,
            origin,
            ..self
        }
    }
}

impl Look {
    /// A standing player with the overlay, from the view's own side.
    pub(crate) const fn usual(view: View) -> Look {
        let PictureSpec { camera, pose, .. } = PictureSpec::new(view, Size::px(1));
        Look {
            view,
            layers: Layers::WithOverlay,
            camera,
            pose,
        }
    }

    /// The pose with the head turned toward the viewer. A cube has no body.
    pub(super) fn pose(self) -> Pose {
        let [across, _] = self.steps();
        let mut pose = self.pose;
        if self.view == View::Cube {
            pose.body = Rotation::ZERO;
            pose.waist = Rotation::ZERO;
            return pose;
        }
        // The viewer as the shoulders see it.
        let turned = pose.body.y.to_degrees() + pose.waist.y.to_degrees();
        let side = across.z.atan2(across.x) - turned.to_radians();
        if side.cos() > 0.0 {
            let gaze = self.pose.gaze.to_degrees() * figure::uprightness(pose);
            let turn = gaze * (2.0 * side).sin();
            pose.head.y = Angle::degrees(pose.head.y.to_degrees() + turn);
        }
        pose
    }

    /// The renderer's specification of this picture.
    pub(crate) fn spec(self, pixels: u32) -> PictureSpec {
        PictureSpec::new(self.view, Size::px(pixels))
            .with_camera(self.camera)
            .with_pose(self.pose)
            .with_light(Light::None)
            .with_layers(self.layers)
    }

    /// The width and height of the canvas on which a side of the head is about `side` pixels long.
    pub(super) fn canvas(self, side: u32) -> [usize; 2] {
        let thousandths = match self.view {
            View::IsometricHead => [2175, 2175],
            View::IsometricBody => [2500, 5100],
            View::Cube => [1600, 1600],
            View::Portrait => [2000, 2000],
            _ => [2000, 4000],
        };
        thousandths.map(|n| n * side as usize / 1000)
    }

    /// The projection onto a canvas, as `docs/projection.md` describes it.
    pub(super) fn projection(self, canvas: [usize; 2]) -> Projection {
        let [across, down] = self.steps();
        let size = DVec2::from(canvas.map(|pixels| pixels as f64));
        let seen = Projection {
            across,
            down,
            toward: across.cross(down).normalize(),
            origin: DVec2::ZERO,
            target: DVec3::ZERO,
            nearness: 0.0,
        };
        let shape = match self.view {
            View::IsometricHead => DVec2::new(2.175, 2.175),
            View::IsometricBody => DVec2::new(2.5, 5.1),
            _ => return self.placed(seen, size),
        };
        let scale = size / shape / 8.0;
        let points = figure::outline(self).into_iter();
        let [low, high] = bounds(points.map(|point| seen.seen_at(point) * scale));
        seen.enlarged(scale, (size - low - high) / 2.0)
    }

    /// Enlarges and moves a figure, which is as large as a standing one, for which there is room
    /// from all sides, or as large as it can be from this one.
    fn placed(self, mut seen: Projection, size: DVec2) -> Projection {
        let outline = figure::outline(self);
        let upright = Look {
            pose: Pose::STRAIGHT,
            ..self
        };
        let standing = figure::outline(upright);
        let mut axes = [&standing, &outline].map(|points| {
            let [low, high] = bounds(points.iter().map(|point| DVec2::new(point.x, point.z)));
            let middle = low.midpoint(high);
            DVec3::new(middle.x, 0.0, middle.y)
        });
        if let Camera::Perspective { fov, .. } = self.camera {
            let (height, view) = match self.view {
                View::Portrait => (9.0, View::Figure),
                View::Cube => (4.0, View::Cube),
                view => (16.0, view),
            };
            seen.target = DVec3::Y * height;
            axes = [seen.target; 2];
            // The eye is placed for the upright figure with all parts of the view, which also
            // determines the size.
            let whole = [self, upright].map(|look| figure::outline(Look { view, ..look }));
            let whole = whole.concat();
            let turned = turned_around(&whole, seen.target);
            let reach = turned.map(|point| seen.toward.dot(point - seen.target));
            let reach = reach.fold(f64::MIN, f64::max);
            let distance = 18.0 / (fov.to_degrees() / 2.0).to_radians().tan();
            seen.nearness = 1.0 / distance.max(reach + 4.0);
        }
        let turned = turned_around(&standing, axes[0]);
        let [left_top, right_bottom] = bounds(turned.map(|point| seen.seen_at(point)));
        let center = seen.seen_at(axes[0]).x;
        let widest = (center - left_top.x).max(right_bottom.x - center);
        let [low, high] = bounds(outline.iter().map(|&point| seen.seen_at(point)));
        let mut scale = (size.x / 2.0 / widest).min(size.x / (high.x - low.x));
        if self.view != View::Portrait {
            let tallest = (right_bottom.y - left_top.y).max(high.y - low.y);
            scale = scale.min(size.y / tallest);
        }
        // The axis is in the middle if there is room for that.
        let x = size.x / 2.0 - seen.seen_at(axes[1]).x * scale;
        let x = x.max(-low.x * scale).min(size.x - high.x * scale);
        let y = match self.view {
            View::Portrait => -low.y * scale,
            View::Cube => (size.y - (low.y + high.y) * scale) / 2.0,
            _ => size.y - high.y * scale,
        };
        seen.enlarged(DVec2::splat(scale), DVec2::new(x, y))
    }

    /// The steps on the canvas along the axes of the model, to the right and down.
    fn steps(self) -> [DVec3; 2] {
        let forward = match self.camera {
            Camera::Isometric(Facing::Right) => 1.0,
            Camera::Isometric(Facing::BackLeft) => -1.0,
            Camera::Orthographic { yaw, pitch } | Camera::Perspective { yaw, pitch, .. } => {
                let [(sine, cosine), (pitch_sine, pitch_cosine)] =
                    [yaw, pitch].map(|angle| angle.to_degrees().to_radians().sin_cos());
                let down = DVec3::new(-sine * pitch_sine, pitch_cosine, cosine * pitch_sine);
                return [DVec3::new(cosine, 0.0, sine), down];
            }
            other => panic!("the mirror image of another, or another camera: {other:?}"),
        };
        let down = DVec3::new(-0.45 * forward, 1.0, 0.45 * forward);
        [DVec3::new(0.9, 0.0, 0.9) * forward, down]
    }
}

/// Points in quarters of a degree all around an upright axis.
fn turned_around(points: &[DVec3], axis: DVec3) -> impl Iterator<Item = DVec3> {
    points.iter().flat_map(move |&point| {
        (0..1440).map(move |quarter| {
            let (sine, cosine) = (f64::from(quarter) / 4.0).to_radians().sin_cos();
            let DVec3 { x, y, z } = point - axis;
            axis + DVec3::new(x * cosine - z * sine, y, x * sine + z * cosine)
        })
    })
}

/// The least and the greatest coordinates.
pub(super) fn bounds(points: impl Iterator<Item = DVec2>) -> [DVec2; 2] {
    points.fold([DVec2::MAX, DVec2::MIN], |[low, high], point| {
        [low.min(point), high.max(point)]
    })
}
