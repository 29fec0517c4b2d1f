//! The working canvas, a row at a time.

use std::ops::Range;

use effigy_render::Skin;

use super::camera::{Look, Projection, dot, range};
use super::figure::{self, Face, difference};

/// A figure on a canvas.
pub(crate) struct Scene<'skin> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    skin: &'skin Skin,
    faces: Vec<Placed>,
    /// The faces that the ray through each pixel of the row hits.
    hits: Vec<Vec<Hit>>,
}

/// A face on the canvas, and its bounding rectangle.
struct Placed {
    texel: [f64; 2],
    count: [f64; 2],
    /// The first corner from the viewer's target, and the edges: the pixels to the right and down, and the distance.
    corner: [f64; 3],
    edges: [[f64; 3]; 2],
    origin: [f64; 2],
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

/// The side of the specification's working canvas for a picture of this width: 60, doubled until it reaches
/// the size, and at least 120.
pub(crate) fn working_side(size: u32) -> u32 {
    let mut side = 120;
    while side < size {
        side *= 2;
    }
    side
}

/// The distances of a pixel's sample to the left of its center and above it, in pixels. They decide
/// edges that go through centers, first the one and then the other.
const HAIR: [f64; 2] = [1e-5, 1e-9];

/// The difference of distances up to which two faces are on one plane, in texels.
const SAME_PLANE: f64 = 1e-7;

impl<'skin> Scene<'skin> {
    pub(crate) fn new(look: Look, skin: &'skin Skin, side: u32) -> Scene<'skin> {
        let canvas = look.canvas(side);
        let projection = look.projection(canvas);
        let faces = figure::faces(look, skin.model());
        Scene {
            width: canvas[0],
            height: canvas[1],
            skin,
            faces: faces
                .iter()
                .filter_map(|face| projection.place(face, canvas))
                .collect(),
            hits: (0..canvas[0]).map(|_| Vec::new()).collect(),
        }
    }

    /// The pixels of a row: premultiplied, from 0 to 255.
    pub(crate) fn row(&mut self, y: usize) -> Vec<[f64; 4]> {
        let faces = self.faces.iter().enumerate();
        for (rank, placed) in faces.filter(|(_, placed)| placed.rows.contains(&y)) {
            for x in placed.columns.clone() {
                if let Some((nearness, [s, t])) = placed.hit([x, y]) {
                    let texel = texel(self.skin, s, t);
                    if texel[3] > 0 {
                        let center = placed.center;
                        self.hits[x].push(Hit {
                            nearness,
                            center,
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
    /// The face on the canvas, if it is to be seen.
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the canvas")]
    fn place(&self, face: &Face, canvas: [usize; 2]) -> Option<Placed> {
        if face.one_sided && dot(face.normal, self.toward_from(face.corner)) <= 0.0 {
            return None;
        }
        let span = |axis: usize| {
            let corners = face.corners().into_iter();
            let [low, high] =
                range(corners.map(|corner| self.seen_at(corner)[axis] + self.origin[axis]));
            let last = (high.ceil().max(0.0) as usize + 1).min(canvas[axis]);
            (low.floor().max(1.0) as usize - 1).min(last)..last
        };
        let corner = difference(face.corner, self.target);
        let center = difference(face.center, self.target);
        // From far away, too, the middle of the figure is nearer than what is beside it.
        let nearness = self.nearness.max(1e-6);
        let center = dot(self.toward, center) - dot(center, center) * nearness / 2.0;
        let [x, y, farther] = self.step(corner);
        Some(Placed {
            texel: face.texel,
            count: face.count,
            corner: [x, y, 1.0 + farther],
            edges: [face.columns, face.rows].map(|edge| self.step(edge)),
            origin: self.origin,
            nearness: [corner, face.columns, face.rows].map(|step| dot(self.toward, step)),
            // Sines of half turns are not quite 0, and the order of `total_cmp` has -0 before 0.
            center: (center * 1e6).round() + 0.0,
            columns: span(0),
            rows: span(1),
        })
    }
}

impl Placed {
    /// The nearness of the point that is seen in a pixel, and the texture coordinates on a 64-wide skin.
    fn hit(&self, pixel: [usize; 2]) -> Option<(f64, [f64; 2])> {
        let at = [0, 1].map(|axis| pixel[axis] as f64 + 0.5 - HAIR[axis] - self.origin[axis]);
        // Where a point is seen, its pixels are those of the sample, times its distance.
        let off = |[x, y, distance]: [f64; 3]| [x - at[0] * distance, y - at[1] * distance];
        let [[cx, cy], [ux, uy], [vx, vy]] =
            [off(self.corner), off(self.edges[0]), off(self.edges[1])];
        let area = ux * vy - uy * vx;
        let shares = [(cy * vx - cx * vy) / area, (uy * cx - ux * cy) / area];
        if !shares.iter().all(|share| (0.0..1.0).contains(share)) {
            return None;
        }
        let [corner, columns, rows] = self.nearness;
        let nearness = corner + columns * shares[0] + rows * shares[1];
        Some((
            nearness,
            [0, 1].map(|axis| self.texel[axis] + shares[axis] * self.count[axis]),
        ))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates on the skin")]
fn texel(skin: &Skin, s: f64, t: f64) -> [u8; 4] {
    let side = skin.side() as usize;
    let [s, t] = [s, t].map(|texels| (texels * side as f64 / 64.0) as usize);
    skin.texels()[t * side + s]
}

/// Composes the faces that a ray hits. Of faces on one plane, the one whose part is nearer hides the other; of
/// equally near ones, the one that is painted later.
fn blend(hits: &mut Vec<Hit>) -> [f64; 4] {
    if hits.is_empty() {
        return [0.0; 4];
    }
    hits.sort_unstable_by(|a, b| b.nearness.total_cmp(&a.nearness));
    let mut start = 0;
    while start < hits.len() {
        let plane = hits[start].nearness - SAME_PLANE;
        let end = start
            + hits[start..]
                .iter()
                .take_while(|hit| hit.nearness >= plane)
                .count();
        hits[start..end]
            .sort_unstable_by(|a, b| b.center.total_cmp(&a.center).then(b.rank.cmp(&a.rank)));
        start = end;
    }
    let mut sum = [0.0; 4];
    let mut light = 1.0;
    for hit in hits.drain(..) {
        let [r, g, b, alpha] = hit.texel.map(f64::from);
        let share = light * alpha / 255.0;
        for (sum, channel) in sum.iter_mut().zip([r, g, b, 255.0]) {
            *sum += share * channel;
        }
        light -= share;
    }
    sum
}
