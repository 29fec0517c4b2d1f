//! The place of a figure in a picture. Model, layers and cape never change it.

use crate::model::Part;
use crate::scene::camera::{Camera, Steps};
use crate::scene::figure::Figure;
use crate::scene::projection::Projection;
use crate::scene::vec3::Vec3;

/// The rule by which a figure is enlarged and placed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Framing {
    /// The picture has this width and height in sides of the head, and the middle of the body is in its
    /// middle. Specification, "Render details".
    Fixed([f64; 2]),
    /// The figure fills the picture, and fits into it from all sides.
    Whole,
    /// The figure without legs fills the picture's width from all sides, with its top at the picture's.
    Upper,
}

/// The room that a figure needs on a picture, while it turns, around the point of its axis at height 0.
struct Extents {
    axis: Vec3,
    /// To the left and to the right.
    sideways: f64,
    top: f64,
    bottom: f64,
}

impl Framing {
    /// Returns the projection onto a picture of this width and height.
    pub(crate) fn projection(self, figure: &Figure, camera: Camera, size: [u32; 2]) -> Projection {
        let steps = camera.steps();
        let [width, height] = size.map(f64::from);
        match self {
            Framing::Fixed(shape) => {
                // Pixels per texel: the head is 8 texels wide and the unit of the shape.
                let [across, down] = [width / shape[0] / 8.0, height / shape[1] / 8.0];
                Projection::new(steps.right * across, steps.down * down).centered(
                    &figure.corners(figure.body.iter().copied()),
                    [width, height],
                )
            }
            Framing::Whole => {
                let extents = Extents::new(&figure.corners(figure.framed_parts()), steps);
                let scale =
                    (width / 2.0 / extents.sideways).min(height / (extents.bottom - extents.top));
                extents.place(
                    steps,
                    scale,
                    [
                        width / 2.0,
                        (height - (extents.top + extents.bottom) * scale) / 2.0,
                    ],
                )
            }
            Framing::Upper => {
                let is_upper =
                    |part: &Part| !matches!(part, Part::RightLeg | Part::LeftLeg | Part::Cape);
                let extents = Extents::new(
                    &figure.corners(figure.framed_parts().filter(is_upper)),
                    steps,
                );
                let scale = width / 2.0 / extents.sideways;
                let y = if figure.is_upside_down {
                    height - extents.bottom * scale
                } else {
                    -extents.top * scale
                };
                extents.place(steps, scale, [width / 2.0, y])
            }
        }
    }
}

impl Extents {
    fn new(corners: &[Vec3], steps: Steps) -> Extents {
        let middle = |coordinate: fn(&Vec3) -> f64| {
            let [min, max] = range(corners.iter().map(coordinate));
            (min + max) / 2.0
        };
        let axis = Vec3::new(middle(|corner| corner.x), 0.0, middle(|corner| corner.z));
        let flat = |vector: Vec3| Vec3::new(vector.x, 0.0, vector.z);
        let distances = corners.iter().map(|&corner| flat(corner - axis).length());
        let [_, radius] = range(distances.clone());
        let tilt = flat(steps.down).length();
        let heights = corners
            .iter()
            .zip(distances)
            .flat_map(|(corner, distance)| {
                let height = corner.y * steps.down.y;
                [height - distance * tilt, height + distance * tilt]
            });
        let [top, bottom] = range(heights);
        Extents {
            axis,
            sideways: radius * steps.right.length(),
            top,
            bottom,
        }
    }

    /// Returns the projection that enlarges texels to `scale` pixels and has the axis' point at `place`.
    fn place(&self, steps: Steps, scale: f64, place: [f64; 2]) -> Projection {
        Projection::new(steps.right * scale, steps.down * scale).with_point_at(self.axis, place)
    }
}

/// Returns the smallest and the greatest number.
pub(crate) fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::MAX, f64::MIN], |[min, max], number| {
        [min.min(number), max.max(number)]
    })
}
