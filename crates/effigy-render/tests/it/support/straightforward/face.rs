//! Faces in space and on the skin.

use glam::{DVec2, DVec3};

use super::figure::Name;

/// A part of a rectangle in space, and the texels on it.
#[derive(Debug, Clone)]
pub(super) struct Face {
    /// The corner at the first texel, and the edges along the texture's columns and rows.
    pub(super) corner: DVec3,
    pub(super) columns: DVec3,
    pub(super) rows: DVec3,
    /// The first texel, and the numbers of columns and rows.
    pub(super) texel: DVec2,
    pub(super) count: DVec2,
    /// The share of the rows' edge at which the distance between the rows changes, and the share
    /// of the rows there.
    pub(super) bend: [f64; 2],
    /// The part in front of this plane is drawn: a normal, and its product with a point on the
    /// plane.
    pub(super) limit: Option<(DVec3, f64)>,
    pub(super) normal: DVec3,
    /// The center of the part.
    pub(super) center: DVec3,
    pub(super) part: Name,
    /// `true` for the sides of a part, which its length does not pierce.
    pub(super) is_lateral: bool,
    /// `true` if the inner side is not drawn.
    pub(super) one_sided: bool,
}

impl Face {
    /// The four corners of the rectangle in space.
    pub(super) fn corners(&self) -> [DVec3; 4] {
        let right = self.corner + self.columns;
        let below = self.corner + self.rows;
        [self.corner, right, below, right + self.rows]
    }

    /// The corners of the part that is drawn, all the way round.
    pub(super) fn outline(&self) -> Vec<DVec3> {
        let [corner, right, below, opposite] = self.corners();
        let around = [corner, right, opposite, below];
        let Some((normal, limit)) = self.limit else {
            return around.to_vec();
        };
        let mut outline = Vec::new();
        for (from, to) in around.into_iter().zip([right, opposite, below, corner]) {
            let [here, there] = [from, to].map(|point| normal.dot(point) - limit);
            if here >= 0.0 {
                outline.push(from);
            }
            if here * there < 0.0 {
                outline.push(from.lerp(to, here / (here - there)));
            }
        }
        outline
    }

    /// Returns the share of the texture's rows at a share of the edge.
    pub(super) fn row_at(&self, share: f64) -> f64 {
        let [edge, rows] = self.bend;
        if share < edge {
            share / edge * rows
        } else {
            rows + (share - edge) / (1.0 - edge) * (1.0 - rows)
        }
    }

    pub(super) fn is_of_leg(&self) -> bool {
        matches!(self.part, Name::RightLeg | Name::LeftLeg)
    }

    /// Returns `true` if this side of a part looks at a side of another one and is not larger
    /// anywhere.
    pub(super) fn lies_within(&self, other: &Face) -> bool {
        const NEAR: f64 = 1e-6;
        let [normal, facing] = [self, other].map(|face| face.normal.normalize());
        if !(self.is_lateral && other.is_lateral) || normal.dot(facing) > NEAR - 1.0 {
            return false;
        }
        let around = other.outline();
        let middle = around.iter().sum::<DVec3>() / around.len() as f64;
        let next = around.iter().cycle().skip(1);
        self.outline().into_iter().all(|point| {
            let mut edges = around.iter().zip(next.clone());
            let is_inside = edges.all(|(&from, &to)| {
                let inwards = facing.cross(to - from).normalize();
                let inwards = inwards * inwards.dot(middle - from).signum();
                inwards.dot(point - from) > -NEAR
            });
            is_inside && facing.dot(point - middle).abs() < NEAR
        })
    }
}
