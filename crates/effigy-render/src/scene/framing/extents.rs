//! The room that turning figures need.

use crate::scene::projection::Projection;
use glam::{DVec2, DVec3};

/// The room that a figure needs on a picture while it turns, measured from a point of its axis.
pub(crate) struct Extents {
    /// The room to the left and to the right.
    sideways: f64,
    /// The places of the top and the bottom.
    pub(crate) heights: [f64; 2],
    /// The room toward the viewer, in texels.
    pub(crate) reach: f64,
}

impl Extents {
    /// The room for some points that turn about the axis through a point.
    ///
    /// Each point moves on a level circle. At the angle `t` from its nearest place, its weight is
    /// `w - c cos t`, it is `r sin t / (w - c cos t)` texels to the side of the axis, and
    /// `(m + d cos t) / (w - c cos t)` below it. The distance to the side is greatest where a ray
    /// from the eye touches the circle: `cos t = c / w`, which gives `r / √((w - c) (w + c))`. The
    /// height only rises or only falls from the nearest to the farthest place, so these two are its
    /// extremes. In the code, `w` is `weight_of_axis`, `c` is `change`, `r` is
    /// `radius * right_per_texel`, `m` is `middle`, and `d` is `down`.
    pub(crate) fn new(points: &[DVec3], axis_point: DVec3, unscaled: &Projection) -> Extents {
        let level_length = |vector: DVec3| vector.with_y(0.0).length();
        let toward = unscaled.toward;
        let nearness = unscaled.nearness;
        let right_per_texel = unscaled.right.length();
        // For a level step of one texel toward the viewer. If the viewer is above, it leads down.
        let nearer_per_texel = level_length(toward);
        let down_per_texel = level_length(unscaled.down).copysign(-toward.y);
        let mut extents = Extents {
            sideways: 0.0,
            heights: [f64::MAX, f64::MIN],
            reach: f64::MIN,
        };
        for &point in points {
            let radius = level_length(point - axis_point);
            let height = point.y - axis_point.y;
            let nearest = height * toward.y + radius * nearer_per_texel;
            extents.reach = extents.reach.max(nearest);
            let weight_of_axis = 1.0 - height * toward.y * nearness;
            let change = radius * nearer_per_texel * nearness;
            let least_weight = weight_of_axis - change;
            let greatest_weight = weight_of_axis + change;
            let tangent = radius * right_per_texel / (least_weight * greatest_weight).sqrt();
            extents.sideways = extents.sideways.max(tangent);
            let middle = height * unscaled.down.y;
            let down = radius * down_per_texel;
            extents.include_height((middle + down) / least_weight);
            extents.include_height((middle - down) / greatest_weight);
        }
        extents
    }

    fn include_height(&mut self, height: f64) {
        let [top, bottom] = self.heights;
        self.heights = [top.min(height), bottom.max(height)];
    }

    /// Returns the number of pixels of a texel at which the figure fills a picture of this width
    /// and height.
    pub(crate) fn scale(&self, picture: DVec2) -> f64 {
        let [top, bottom] = self.heights;
        (picture.x / 2.0 / self.sideways).min(picture.y / (bottom - top))
    }
}
