//! The figure and the camera of a picture, with the place of the figure on the canvas.

use effigy_render::{Angle, Camera, Facing, Layers, Light, PictureSpec, Pose, Size, View};

use super::figure::{self, Point};

/// The content of a canvas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) view: View,
    pub(crate) layers: Layers,
    pub(crate) camera: Camera,
    pub(crate) pose: Pose,
}

/// A point of the model on a canvas: `across` and `down` are the pixels for a step along each axis.
pub(super) struct Projection {
    pub(super) across: Point,
    pub(super) down: Point,
    /// The direction towards the viewer.
    pub(super) toward: Point,
    pub(super) origin: [f64; 2],
}

impl Look {
    /// A standing player with the overlay, from the view's own side.
    pub(crate) const fn usual(view: View) -> Look {
        let PictureSpec { camera, pose, .. } =
            PictureSpec::new(view, Size::new(1).expect("a size"));
        Look {
            view,
            layers: Layers::WithOverlay,
            camera,
            pose,
        }
    }

    /// The pose with the head turned toward the viewer.
    pub(super) fn pose(self) -> Pose {
        let (across, _) = self.steps();
        let twice = 2.0 * across[2].atan2(across[0]);
        let mut pose = self.pose;
        if self.view != View::HeadCube && across[0] > 0.0 {
            let turn = self.pose.gaze.to_degrees() * twice.sin();
            pose.head.y = Angle::degrees(pose.head.y.to_degrees() + turn);
        }
        pose
    }

    /// The renderer's specification of this picture.
    pub(crate) fn spec(self, pixels: u32) -> PictureSpec {
        PictureSpec::new(self.view, Size::new(pixels).expect("a size of a table"))
            .with_camera(self.camera)
            .with_pose(self.pose)
            .with_light(Light::None)
            .with_layers(self.layers)
    }

    /// The width and height of this picture.
    pub(crate) fn dimensions(self, pixels: u32) -> [usize; 2] {
        let spec = self.spec(pixels);
        [spec.width(), spec.height()]
            .map(|side| usize::try_from(side).expect("the picture is small"))
    }

    /// The canvas on which a side of the head is about `side` pixels long.
    pub(super) fn canvas(self, side: u32) -> [usize; 2] {
        let thousandths = match self.view {
            View::IsometricHead => [2175, 2175],
            View::IsometricBody => [2500, 5100],
            View::HeadCube => [1600, 1600],
            View::Portrait => [2000, 2000],
            _ => [2000, 4000],
        };
        thousandths.map(|n| n * side as usize / 1000)
    }

    /// The projection onto a canvas, as `docs/projection.md` describes it.
    pub(super) fn projection(self, [width, height]: [usize; 2]) -> Projection {
        let (across, down) = self.steps();
        let [width, height] = [width as f64, height as f64];
        let place = |scale: [f64; 2], origin| Projection {
            across: across.map(|step| step * scale[0]),
            down: down.map(|step| step * scale[1]),
            toward: cross(across, down),
            origin,
        };
        let outline = figure::outline(self);
        match self.view {
            View::IsometricHead | View::IsometricBody => {
                let shape = if self.view == View::IsometricHead {
                    [2.175, 2.175]
                } else {
                    [2.5, 5.1]
                };
                let scale = [width / shape[0] / 8.0, height / shape[1] / 8.0];
                let middle = |step: Point, scale: f64, size: f64| {
                    let [low, high] = range(outline.iter().map(|&point| dot(step, point) * scale));
                    (size - low - high) / 2.0
                };
                place(
                    scale,
                    [
                        middle(across, scale[0], width),
                        middle(down, scale[1], height),
                    ],
                )
            }
            _ => {
                // A figure is as large as a standing one, for which there is room from all sides, or as large as it
                // can be from this one.
                let standing = figure::outline(Look {
                    pose: Pose::STRAIGHT,
                    ..self
                });
                let middle = |points: &[Point], axis: usize| {
                    let [low, high] = range(points.iter().map(|point| point[axis]));
                    f64::midpoint(low, high)
                };
                let axis = [middle(&standing, 0), 0.0, middle(&standing, 2)];
                let radius = |point: &Point| (point[0] - axis[0]).hypot(point[2] - axis[2]);
                let tilt = down[0].hypot(down[2]);
                let [_, widest] = range(standing.iter().map(radius));
                let level = |sign: f64| {
                    let reach = standing
                        .iter()
                        .map(move |point| point[1] * down[1] + sign * radius(point) * tilt);
                    range(reach)
                };
                let (top, bottom) = (level(-1.0)[0], level(1.0)[1]);
                let [left, right] = range(outline.iter().map(|&point| dot(point, across)));
                let [upper, lower] = range(outline.iter().map(|&point| dot(point, down)));
                let mut scale = (width / 2.0 / (widest * across[0].hypot(across[2])))
                    .min(width / (right - left));
                if self.view != View::Portrait {
                    scale = scale
                        .min(height / (bottom - top))
                        .min(height / (lower - upper));
                }
                // The axis is in the middle if there is room for that.
                let axis = [middle(&outline, 0), 0.0, middle(&outline, 2)];
                let x = width / 2.0 - dot(across, axis) * scale;
                let x = x.max(-left * scale).min(width - right * scale);
                let y = match self.view {
                    View::Portrait => -upper * scale,
                    View::HeadCube => (height - (upper + lower) * scale) / 2.0,
                    _ => height - lower * scale,
                };
                place([scale; 2], [x, y])
            }
        }
    }

    fn steps(self) -> (Point, Point) {
        match self.camera {
            Camera::Isometric(Facing::Right) => ([0.9, 0.0, 0.9], [-0.45, 1.0, 0.45]),
            Camera::Isometric(Facing::BackLeft) => ([-0.9, 0.0, -0.9], [0.45, 1.0, -0.45]),
            Camera::Isometric(_) => panic!("the mirror image of another"),
            Camera::Orthographic { yaw, pitch } => {
                let (yaw, pitch) = (
                    yaw.to_degrees().to_radians(),
                    pitch.to_degrees().to_radians(),
                );
                (
                    [yaw.cos(), 0.0, yaw.sin()],
                    [
                        -yaw.sin() * pitch.sin(),
                        pitch.cos(),
                        yaw.cos() * pitch.sin(),
                    ],
                )
            }
            other => panic!("another camera: {other:?}"),
        }
    }
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(super) fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::MAX, f64::MIN], |[low, high], number| {
        [low.min(number), high.max(number)]
    })
}
