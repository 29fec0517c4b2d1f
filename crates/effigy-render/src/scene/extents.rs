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
    pub(crate) fn new(points: &[DVec3], axis: DVec3, unscaled: &Projection) -> Extents {
        let level_length = |vector: DVec3| vector.with_y(0.0).length();
        let toward = unscaled.toward;
        let nearness = unscaled.nearness;
        let approach = level_length(toward);
        // Points sink while they come nearer if the viewer is above.
        let tilt = level_length(unscaled.down).copysign(-toward.y);
        let width = unscaled.right.length();
        let mut extents = Extents {
            sideways: 0.0,
            heights: [f64::MAX, f64::MIN],
            reach: f64::MIN,
        };
        for &point in points {
            let radius = level_length(point - axis);
            let above = point.y - axis.y;
            extents.reach = extents.reach.max(above * toward.y + radius * approach);
            // The weight of the axis at this height, and the weights of the nearest and the
            // farthest point of the circle.
            let weight = 1.0 - above * toward.y * nearness;
            let change = radius * approach * nearness;
            let near = weight - change;
            let far = weight + change;
            extents.sideways = extents.sideways.max(radius * width / (near * far).sqrt());
            let middle = above * unscaled.down.y;
            let sunk = radius * tilt;
            for height in [(middle + sunk) / near, (middle - sunk) / far] {
                let [top, bottom] = extents.heights;
                extents.heights = [top.min(height), bottom.max(height)];
            }
        }
        extents
    }

    /// Returns the number of pixels of a texel at which the figure fills a picture of this width
    /// and height.
    pub(crate) fn scale(&self, picture: DVec2) -> f64 {
        let [top, bottom] = self.heights;
        (picture.x / 2.0 / self.sideways).min(picture.y / (bottom - top))
    }
}
