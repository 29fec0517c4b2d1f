//! The working canvas, a row at a time.

use std::ops::Range;

use effigy_render::Skin;
use glam::{DVec2, DVec3, DVec4};

use super::camera::{Look, Projection, bounds};
use super::face::Face;
use super::figure;

/// A figure on a canvas.
pub(super) struct Scene<'skin> {
    skin: &'skin Skin,
    faces: Vec<FaceOnCanvas>,
    /// The faces that the ray through each pixel of the row hits.
    hits: Vec<Vec<Hit>>,
}

/// A face on the canvas, and its bounding rectangle.
struct FaceOnCanvas {
    face: Face,
    /// The distance of the first corner in front of the limit, and the additional distances of the
    /// ends of its edges.
    inside: DVec3,
    /// The first corner, relative to the viewer's target: the pixels to the right and down, and
    /// the distance.
    corner: DVec3,
    /// The edges from the first corner.
    edges: [DVec3; 2],
    origin: DVec2,
    /// The nearness of all three.
    nearness: [f64; 3],
    /// The nearness of the part's center.
    center: f64,
    columns: Range<usize>,
    rows: Range<usize>,
}

struct Hit {
    nearness: f64,
    center: f64,
    rank: usize,
    texel: [u8; 4],
}

/// The distances of a pixel's sample to the left of its center and above it, in pixels. They decide
/// edges that go through centers, first the one and then the other.
const HAIR: DVec2 = DVec2::new(1e-5, 1e-9);

/// The difference of distances up to which two faces are on one plane, in texels.
const SAME_PLANE: f64 = 1e-7;

impl<'skin> Scene<'skin> {
    pub(super) fn new(look: Look, skin: &'skin Skin, canvas: [usize; 2]) -> Scene<'skin> {
        let projection = look.projection(canvas);
        let faces = figure::faces(look, skin.model());
        let placed = faces
            .iter()
            .filter_map(|face| projection.place(face, canvas));
        Scene {
            skin,
            faces: placed.collect(),
            hits: (0..canvas[0]).map(|_| Vec::new()).collect(),
        }
    }

    /// The pixels of a row: premultiplied, from 0 to 255.
    pub(super) fn row(&mut self, y: usize) -> Vec<DVec4> {
        let faces = self.faces.iter().enumerate();
        for (rank, placed) in faces.filter(|(_, placed)| placed.rows.contains(&y)) {
            for x in placed.columns.clone() {
                if let Some((nearness, place)) = placed.hit([x, y]) {
                    let texel = texel(self.skin, place);
                    if texel[3] > 0 {
                        self.hits[x].push(Hit {
                            nearness,
                            center: placed.center,
                            rank,
                            texel,
                        });
                    }
                }
            }
        }
        self.hits.iter_mut().map(blend).collect()
    }
}

impl Projection {
    /// The face on the canvas, unless the viewer sees only its hidden side.
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the canvas")]
    fn place(&self, face: &Face, canvas: [usize; 2]) -> Option<FaceOnCanvas> {
        if face.one_sided && face.normal.dot(self.toward_from(face.corner)) <= 0.0 {
            return None;
        }
        let corners = face.corners().into_iter();
        let [low, high] = bounds(corners.map(|corner| self.seen_at(corner) + self.origin));
        let span = |axis: usize| {
            let last = (high[axis].ceil().max(0.0) as usize + 1).min(canvas[axis]);
            (low[axis].floor().max(1.0) as usize - 1).min(last)..last
        };
        let corner = face.corner - self.target;
        let center = face.center - self.target;
        // From far away, too, the middle of the figure is nearer than its surroundings.
        let nearness = self.nearness.max(1e-6);
        let center = self.toward.dot(center) - center.length_squared() * nearness / 2.0;
        let inside = face.limit.map_or(DVec3::X, |(normal, limit)| {
            let edges = [face.columns, face.rows].map(|edge| normal.dot(edge));
            DVec3::new(normal.dot(face.corner) - limit, edges[0], edges[1])
        });
        Some(FaceOnCanvas {
            face: face.clone(),
            inside,
            corner: self.step(corner) + DVec3::Z,
            edges: [face.columns, face.rows].map(|edge| self.step(edge)),
            origin: self.origin,
            nearness: [corner, face.columns, face.rows].map(|step| self.toward.dot(step)),
            // Sines of half turns are not quite 0, and the order of `total_cmp` has -0 before 0.
            center: (center * 1e6).round() + 0.0,
            columns: span(0),
            rows: span(1),
        })
    }
}

impl FaceOnCanvas {
    /// The nearness of the point that is seen in a pixel, and the texture coordinates on a 64-wide
    /// skin.
    fn hit(&self, pixel: [usize; 2]) -> Option<(f64, DVec2)> {
        let pixel = DVec2::from(pixel.map(|at| at as f64 + 0.5));
        let at = pixel - HAIR - self.origin;
        // The pixels of a point are the pixels of the sample through which it is seen, times its
        // distance.
        let off = |seen: DVec3| seen.truncate() - at * seen.z;
        let [corner, columns, rows] = [self.corner, self.edges[0], self.edges[1]].map(off);
        let area = columns.perp_dot(rows);
        let shares = DVec2::new(rows.perp_dot(corner), corner.perp_dot(columns)) / area;
        if !shares
            .to_array()
            .iter()
            .all(|share| (0.0..1.0).contains(share))
        {
            return None;
        }
        if self.inside.dot(DVec3::new(1.0, shares.x, shares.y)) < 0.0 {
            return None;
        }
        let [at_corner, along_columns, along_rows] = self.nearness;
        let nearness = at_corner + along_columns * shares.x + along_rows * shares.y;
        let texels = DVec2::new(shares.x, self.face.row_at(shares.y)) * self.face.count;
        Some((nearness, self.face.texel + texels))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates on the skin")]
fn texel(skin: &Skin, place: DVec2) -> [u8; 4] {
    let side = skin.side() as usize;
    let [s, t] = (place * side as f64 / 64.0)
        .to_array()
        .map(|texels| texels as usize);
    skin.texels()[t * side + s]
}

/// Composes the faces that a ray hits. Of faces on one plane, the one whose part is nearer hides
/// the other; of equally near ones, the one that is painted later.
fn blend(hits: &mut Vec<Hit>) -> DVec4 {
    hits.sort_unstable_by(|a, b| b.nearness.total_cmp(&a.nearness));
    let is_on_plane = |first: &Hit, hit: &Hit| hit.nearness >= first.nearness - SAME_PLANE;
    let mut rest = &mut hits[..];
    while let Some(first) = rest.first() {
        let end = rest
            .iter()
            .take_while(|hit| is_on_plane(first, hit))
            .count();
        let plane;
        (plane, rest) = rest.split_at_mut(end);
        plane.sort_unstable_by(|a, b| b.center.total_cmp(&a.center).then(b.rank.cmp(&a.rank)));
    }
    let mut sum = DVec4::ZERO;
    let mut light = 1.0;
    for hit in hits.drain(..) {
        let [r, g, b, alpha] = hit.texel.map(f64::from);
        let share = light * alpha / 255.0;
        sum += DVec4::new(r, g, b, 255.0) * share;
        light -= share;
    }
    sum
}
