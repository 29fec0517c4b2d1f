//! The boxes of a player and where their faces lie on the skin, written down from the game's layout.
//!
//! Texels throughout. `x` runs from the player's right to the player's left, `y` downwards, `z`
//! towards the viewer.

use effigy_render::{Layers, Model};

use super::{Frame, Look, Viewer};

/// A part's box, and where its texture begins on the skin in both layers.
struct Part {
    corner: [f64; 3],
    size: [f64; 3],
    base: [f64; 2],
    overlay: [f64; 2],
    /// The distance of the overlay from the box.
    off: f64,
}

/// One face of a box in space and on the skin.
pub(super) struct Face {
    /// The axis perpendicular to the face, and the face's position on it.
    pub(super) normal: usize,
    pub(super) plane: f64,
    /// The edges that the texture's columns and rows follow.
    pub(super) columns: Edge,
    pub(super) rows: Edge,
}

/// An edge of a face, in the direction of its texture.
pub(super) struct Edge {
    pub(super) axis: usize,
    pub(super) from: f64,
    pub(super) to: f64,
    /// The first texel on the skin, and the number of texels.
    pub(super) texel: f64,
    pub(super) count: f64,
}

/// The parts in the order in which touching ones are painted for a viewer in front of the player: left
/// leg, right leg, left arm, torso, right arm, head.
fn parts(frame: Frame, model: Model) -> Vec<Part> {
    let limb = |x: f64, y: f64, w: f64, base, overlay| Part {
        corner: [x, y, -2.0],
        size: [w, 12.0, 4.0],
        base,
        overlay,
        off: 0.25,
    };
    let arm = if model == Model::Slim { 3.0 } else { 4.0 };
    let head = Part {
        corner: [4.0, 0.0, -4.0],
        size: [8.0, 8.0, 8.0],
        base: [0.0, 0.0],
        overlay: [32.0, 0.0],
        off: 0.5,
    };
    match frame {
        Frame::Head => vec![head],
        Frame::Body => vec![
            limb(8.0, 20.0, 4.0, [16.0, 48.0], [0.0, 48.0]),
            limb(4.0, 20.0, 4.0, [0.0, 16.0], [0.0, 32.0]),
            limb(12.0, 8.0, arm, [32.0, 48.0], [48.0, 48.0]),
            limb(4.0, 8.0, 8.0, [16.0, 16.0], [16.0, 32.0]),
            limb(4.0 - arm, 8.0, arm, [40.0, 16.0], [40.0, 32.0]),
            head,
        ],
    }
}

/// The visible faces in painting order: the near ones of the base, all of the overlay, since its inside
/// shows through its gaps.
pub(super) fn faces(look: Look, model: Model) -> Vec<Face> {
    let mut faces = Vec::new();
    let mut parts = parts(look.frame, model);
    if look.viewer == Viewer::Behind {
        // From behind, left and right change places, so of two parts at one height the other comes first.
        parts.sort_by(|a, b| {
            let [a, b] = [a, b].map(|part| (-part.corner[1], part.corner[0]));
            a.partial_cmp(&b).expect("places are numbers")
        });
    }
    for part in parts {
        let [front, right, top, back, left, _] = unfold(&part, part.base, 0.0);
        match look.viewer {
            Viewer::Before => faces.extend([front, right, top]),
            Viewer::Behind => faces.extend([back, left, top]),
        }
        if look.layers == Layers::WithOverlay {
            faces.extend(unfold(&part, part.overlay, part.off));
        }
    }
    faces
}

/// Front, right, top, back, left and bottom of a box. On the skin the sides lie in the order right,
/// front, left, back, as if wound round the box; above them lie the top and the bottom, both from
/// the back to the front.
fn unfold(part: &Part, [u, v]: [f64; 2], off: f64) -> [Face; 6] {
    let [w, h, d] = part.size;
    let low = part.corner.map(|c| c - off);
    let high = [0, 1, 2].map(|axis| part.corner[axis] + part.size[axis] + off);
    let ahead = |axis: usize, texel: f64, count: f64| Edge {
        axis,
        from: low[axis],
        to: high[axis],
        texel,
        count,
    };
    let against = |axis: usize, texel: f64, count: f64| Edge {
        axis,
        from: high[axis],
        to: low[axis],
        texel,
        count,
    };
    let face = |normal: usize, plane: f64, columns: Edge, rows: Edge| Face {
        normal,
        plane,
        columns,
        rows,
    };
    let down = || ahead(1, v + d, h);
    let forward = || ahead(2, v, d);
    [
        face(2, high[2], ahead(0, u + d, w), down()),
        face(0, low[0], ahead(2, u, d), down()),
        face(1, low[1], ahead(0, u + d, w), forward()),
        face(2, low[2], against(0, u + d + w + d, w), down()),
        face(0, high[0], against(2, u + d + w, d), down()),
        face(1, high[1], ahead(0, u + d + w, w), forward()),
    ]
}

impl Face {
    /// The four corners in space.
    pub(super) fn corners(&self) -> [[f64; 3]; 4] {
        let (s, t) = (&self.columns, &self.rows);
        [
            (s.from, t.from),
            (s.to, t.from),
            (s.from, t.to),
            (s.to, t.to),
        ]
        .map(|(along, down)| {
            let mut corner = [self.plane; 3];
            corner[s.axis] = along;
            corner[t.axis] = down;
            corner
        })
    }
}
