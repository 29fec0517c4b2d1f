//! The working canvas, a row at a time.

use std::ops::Range;

use effigy_render::{Facing, Layers, PictureSpec, Size, Skin, View};

use super::figure::{self, Face};

/// A canvas of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    Head,
    Body,
}

/// The content of a canvas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) frame: Frame,
    pub(crate) layers: Layers,
    pub(crate) viewer: Viewer,
}

/// The position of the viewer, above the player and
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// in front, on the player's right.
    Before,
    /// behind, on the player's left.
    Behind,
}

impl Viewer {
    /// Maps a point of the model between the two viewers: both see the result where the other sees
    /// `point`. It is the point turned half around the player's vertical axis.
    fn point(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match self {
            Viewer::Before => [x, y, z],
            Viewer::Behind => [16.0 - x, y, -z],
        }
    }
}

impl Look {
    /// The picture of the specification.
    pub(crate) const fn usual(frame: Frame) -> Look {
        Look {
            frame,
            layers: Layers::WithOverlay,
            viewer: Viewer::Before,
        }
    }

    /// The renderer's specification of this picture.
    pub(crate) fn view(self, pixels: u32) -> PictureSpec {
        let size = Size::new(pixels).expect("a size of a table");
        let facing = match self.viewer {
            Viewer::Before => Facing::Right,
            Viewer::Behind => Facing::BackLeft,
        };
        let view = match self.frame {
            Frame::Head => View::IsometricHead,
            Frame::Body => View::IsometricBody,
        };
        PictureSpec::new(view, size)
            .with_facing(facing)
            .with_layers(self.layers)
    }

    /// The width and height of this picture.
    pub(crate) fn dimensions(self, pixels: u32) -> [usize; 2] {
        let view = self.view(pixels);
        [view.width(), view.height()]
            .map(|side| usize::try_from(side).expect("the picture is small"))
    }
}

/// A figure on a canvas whose head is `side` pixels to each of its sides.
pub(crate) struct Scene<'skin> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    skin: &'skin Skin,
    viewer: Viewer,
    /// Pixels per texel.
    unit: f64,
    /// The position of the model's origin on the canvas.
    origin: [f64; 2],
    faces: Vec<Placed>,
    /// The faces that the ray through each pixel of the row hits.
    hits: Vec<Vec<Hit>>,
}

/// A face and its bounding rectangle on the canvas.
struct Placed {
    face: Face,
    columns: Range<usize>,
    rows: Range<usize>,
}

/// A line of sight: it leaves `x` = 0 at `y`, `z` and runs along (1, 0.9, -1), away from the viewer
/// before the player.
struct Ray {
    y: f64,
    z: f64,
}

struct Hit {
    depth: f64,
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

/// The position of a point on a canvas with one pixel per texel.
fn project([x, y, z]: [f64; 3]) -> [f64; 2] {
    [0.9 * (x + z), y + 0.45 * (z - x)]
}

impl<'skin> Scene<'skin> {
    pub(crate) fn new(look: Look, skin: &'skin Skin, side: u32) -> Scene<'skin> {
        let thousandths = match look.frame {
            Frame::Head => [2175, 2175],
            Frame::Body => [2500, 5100],
        };
        let [width, height] = thousandths.map(|n| n * side as usize / 1000);
        let mut scene = Scene {
            width,
            height,
            skin,
            viewer: look.viewer,
            unit: f64::from(side) / 8.0,
            origin: [0.0; 2],
            faces: Vec::new(),
            hits: Vec::new(),
        };
        scene.hits.resize_with(width, Vec::new);
        // The figure is placed as if it had its overlays.
        let layers = Layers::WithOverlay;
        let (low, high) = scene.bounds(&figure::faces(Look { layers, ..look }, skin.model()));
        let faces = figure::faces(look, skin.model());
        scene.origin = [
            (width as f64 - low[0] - high[0]) / 2.0,
            (height as f64 - low[1] - high[1]) / 2.0,
        ];
        scene.faces = faces.into_iter().map(|face| scene.place(face)).collect();
        scene
    }

    fn bounds(&self, faces: &[Face]) -> ([f64; 2], [f64; 2]) {
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        for corner in faces.iter().flat_map(Face::corners) {
            let point = project(self.viewer.point(corner));
            for axis in 0..2 {
                let at = point[axis] * self.unit + self.origin[axis];
                low[axis] = low[axis].min(at);
                high[axis] = high[axis].max(at);
            }
        }
        (low, high)
    }

    #[expect(clippy::cast_possible_truncation, reason = "clamped to the canvas")]
    fn place(&self, face: Face) -> Placed {
        let (low, high) = self.bounds(std::slice::from_ref(&face));
        let span = |axis: usize, end: usize| {
            let last = (high[axis].ceil() as usize + 1).min(end);
            low[axis].floor().max(1.0) as usize - 1..last
        };
        Placed {
            columns: span(0, self.width),
            rows: span(1, self.height),
            face,
        }
    }

    /// The pixels of a row: premultiplied, from 0 to 255.
    pub(crate) fn row(&mut self, y: usize) -> Vec<[f64; 4]> {
        let faces = self.faces.iter().enumerate();
        for (rank, placed) in faces.filter(|(_, placed)| placed.rows.contains(&y)) {
            for x in placed.columns.clone() {
                if let Some((depth, s, t)) = self.ray(x, y).meets(&placed.face, self.viewer) {
                    let texel = texel(self.skin, s, t);
                    if texel[3] > 0 {
                        self.hits[x].push(Hit { depth, rank, texel });
                    }
                }
            }
        }
        self.hits.iter_mut().map(blend).collect()
    }

    fn ray(&self, x: usize, y: usize) -> Ray {
        let across = (x as f64 + 0.5 - HAIR[0] - self.origin[0]) / self.unit;
        let down = (y as f64 + 0.5 - HAIR[1] - self.origin[1]) / self.unit;
        let z = across / 0.9;
        Ray {
            y: down - 0.45 * z,
            z,
        }
    }
}

impl Ray {
    /// The distance at which the ray hits a face, and the texture coordinates on a 64-wide skin.
    fn meets(&self, face: &Face, viewer: Viewer) -> Option<(f64, f64, f64)> {
        let plane = viewer.point([face.plane; 3])[face.normal];
        let depth = match face.normal {
            0 => plane,
            1 => (plane - self.y) / 0.9,
            _ => self.z - plane,
        };
        let point = viewer.point([depth, self.y + 0.9 * depth, self.z - depth]);
        let along = |edge: &figure::Edge| {
            let share = (point[edge.axis] - edge.from) / (edge.to - edge.from);
            (0.0..1.0)
                .contains(&share)
                .then_some(edge.texel + share * edge.count)
        };
        Some((depth, along(&face.columns)?, along(&face.rows)?))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates on the skin")]
fn texel(skin: &Skin, s: f64, t: f64) -> [u8; 4] {
    let side = skin.side() as usize;
    let [s, t] = [s, t].map(|texels| (texels * side as f64 / 64.0) as usize);
    skin.texels()[t * side + s]
}

/// Composes the faces that a ray hits. Of faces on one plane, the one painted later is nearer.
fn blend(hits: &mut Vec<Hit>) -> [f64; 4] {
    hits.sort_by(|a, b| a.depth.total_cmp(&b.depth).then(b.rank.cmp(&a.rank)));
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
