//! The figure and the camera of a picture, with the place of the figure on the canvas.

use effigy_render::{
    Angle, Camera, Facing, Layers, Light, PictureSpec, Pose, Rotation, Size, View,
};

use super::figure::{self, Point, difference};

/// The content of a canvas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) view: View,
    pub(crate) layers: Layers,
    pub(crate) camera: Camera,
    pub(crate) pose: Pose,
}

/// A point of the model on a canvas: `across` and `down` are the pixels for a step along each axis at the target.
#[derive(Clone)]
pub(super) struct Projection {
    pub(super) across: Point,
    pub(super) down: Point,
    /// The direction towards the viewer, of length 1.
    pub(super) toward: Point,
    pub(super) origin: [f64; 2],
    /// The point at which the viewer looks, and the inverse of the distance of the eye from it.
    pub(super) target: Point,
    pub(super) nearness: f64,
}

impl Projection {
    /// The pixels to the right and down of a movement, and the change of the distance from the eye as a share of the
    /// target's.
    pub(super) fn step(&self, movement: Point) -> [f64; 3] {
        let [x, y, near] = [self.across, self.down, self.toward].map(|axis| dot(axis, movement));
        [x, y, -near * self.nearness]
    }

    /// The pixels to the right and down from the target to a point.
    pub(super) fn seen_at(&self, point: Point) -> [f64; 2] {
        let [x, y, farther] = self.step(difference(point, self.target));
        [x, y].map(|step| step / (1.0 + farther))
    }

    /// The direction to the eye.
    pub(super) fn toward_from(&self, point: Point) -> Point {
        let from = difference(point, self.target);
        [0, 1, 2].map(|axis| self.toward[axis] - from[axis] * self.nearness)
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
        let (across, _) = self.steps();
        let twice = 2.0 * across[2].atan2(across[0]);
        let mut pose = self.pose;
        if self.view == View::Cube {
            pose.body = Rotation::ZERO;
        } else if across[0] > 0.0 {
            let turn = self.pose.gaze.to_degrees() * twice.sin();
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
            View::Cube => [1600, 1600],
            View::Portrait => [2000, 2000],
            _ => [2000, 4000],
        };
        thousandths.map(|n| n * side as usize / 1000)
    }

    /// The projection onto a canvas, as `docs/projection.md` describes it.
    pub(super) fn projection(self, [width, height]: [usize; 2]) -> Projection {
        let (across, down) = self.steps();
        let [width, height] = [width as f64, height as f64];
        let toward = cross(across, down);
        let length = dot(toward, toward).sqrt();
        let mut seen = Projection {
            across,
            down,
            toward: toward.map(|step| step / length),
            origin: [0.0; 2],
            target: [0.0; 3],
            nearness: 0.0,
        };
        let place = |seen: Projection, scale: [f64; 2], origin| Projection {
            across: across.map(|step| step * scale[0]),
            down: down.map(|step| step * scale[1]),
            origin,
            ..seen
        };
        let outline = figure::outline(self);
        match self.view {
            View::IsometricHead | View::IsometricBody => {
                let shape = match self.view {
                    View::IsometricHead => [2.175, 2.175],
                    _ => [2.5, 5.1],
                };
                let scale = [width / shape[0] / 8.0, height / shape[1] / 8.0];
                let middle = |step: Point, scale: f64, size: f64| {
                    let [low, high] = range(outline.iter().map(|&point| dot(step, point) * scale));
                    (size - low - high) / 2.0
                };
                let left = middle(across, scale[0], width);
                place(seen, scale, [left, middle(down, scale[1], height)])
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
                let mut axes =
                    [&standing, &outline].map(|points| [middle(points, 0), 0.0, middle(points, 2)]);
                let turned = |point: Point, axis: Point, degrees: f64| {
                    let [x, _, z] = difference(point, axis);
                    let (sine, cosine) = degrees.to_radians().sin_cos();
                    let [right, front] = [x * cosine - z * sine, x * sine + z * cosine];
                    [axis[0] + right, point[1], axis[2] + front]
                };
                let turns = || (0..1440).map(|quarter| f64::from(quarter) / 4.0);
                if let Camera::Perspective { fov, .. } = self.camera {
                    seen.target = match self.view {
                        View::Portrait => [0.0, 9.0, 0.0],
                        View::Cube => [0.0, 4.0, 0.0],
                        _ => [0.0, 16.0, 0.0],
                    };
                    axes = [seen.target; 2];
                    // The eye is that of the upright figure, which gives the size, too.
                    let poses = [self.pose, Pose::STRAIGHT];
                    let whole = poses.map(|pose| {
                        let view = whole(self.view);
                        figure::outline(Look { view, pose, ..self })
                    });
                    let reach = whole.iter().flatten().flat_map(|&point| {
                        turns().map(move |degrees| {
                            difference(turned(point, seen.target, degrees), seen.target)
                        })
                    });
                    let [_, reach] = range(reach.map(|movement| dot(seen.toward, movement)));
                    let distance = 18.0 / (fov.to_degrees() / 2.0).to_radians().tan();
                    seen.nearness = 1.0 / distance.max(reach + 4.0);
                }
                let places = standing.iter().flat_map(|&point| {
                    let seen = &seen;
                    turns().map(move |degrees| seen.seen_at(turned(point, axes[0], degrees)))
                });
                let places: Vec<_> = places.collect();
                let [center, _] = seen.seen_at(axes[0]);
                let [_, widest] = range(places.iter().map(|place| (place[0] - center).abs()));
                let [top, bottom] = range(places.iter().map(|place| place[1]));
                let places = outline.iter().map(|&point| seen.seen_at(point));
                let [left, right] = range(places.clone().map(|place| place[0]));
                let [upper, lower] = range(places.map(|place| place[1]));
                let mut scale = (width / 2.0 / widest).min(width / (right - left));
                if self.view != View::Portrait {
                    scale = scale.min(height / (bottom - top).max(lower - upper));
                }
                // The axis is in the middle if there is room for that.
                let x = width / 2.0 - seen.seen_at(axes[1])[0] * scale;
                let x = x.max(-left * scale).min(width - right * scale);
                let y = match self.view {
                    View::Portrait => -upper * scale,
                    View::Cube => (height - (upper + lower) * scale) / 2.0,
                    _ => height - lower * scale,
                };
                place(seen, [scale; 2], [x, y])
            }
        }
    }

    fn steps(self) -> (Point, Point) {
        match self.camera {
            Camera::Isometric(Facing::Right) => ([0.9, 0.0, 0.9], [-0.45, 1.0, 0.45]),
            Camera::Isometric(Facing::BackLeft) => ([-0.9, 0.0, -0.9], [0.45, 1.0, -0.45]),
            Camera::Isometric(_) => panic!("the mirror image of another"),
            Camera::Orthographic { yaw, pitch } | Camera::Perspective { yaw, pitch, .. } => {
                let [[sine, cosine], [pitch_sine, pitch_cosine]] = [yaw, pitch].map(|angle| {
                    let (sine, cosine) = angle.to_degrees().to_radians().sin_cos();
                    [sine, cosine]
                });
                let down = [-sine * pitch_sine, pitch_cosine, cosine * pitch_sine];
                ([cosine, 0.0, sine], down)
            }
            other => panic!("another camera: {other:?}"),
        }
    }
}

/// The view that shows all parts which a view has.
fn whole(view: View) -> View {
    match view {
        View::Portrait => View::Figure,
        view => view,
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
