//! The boxes of a view as patches in painting order, whatever the skin.
//!
//! Boxes touch and, inflated, cut into one another, so no order of whole faces is right everywhere.
//! A binary space partition is: it splits faces where the plane of another one cuts them and puts
//! what lies behind a plane before what lies in front of it.

use crate::model::{Cuboid, Face, Layer, Model, PAINT_ORDER, Part, Region};
use crate::view::{Aspect, Layers};

/// Quarters of a texel: the unit in which every corner of every box is whole.
pub(crate) const QUARTERS: i32 = 4;

/// A rectangle of a box's face, with the skin that it shows. Coordinates in quarters of a texel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patch {
    /// How the whole face lies.
    pub(crate) orientation: Orientation,
    /// Where the whole face's texture lies on the skin.
    pub(crate) region: Region,
    /// The box that the whole face belongs to: least and greatest corner.
    pub(crate) solid: Bounds,
    /// The patch itself: flat in the face's axis.
    pub(crate) bounds: Bounds,
}

/// An axis-aligned box, or a flat one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: [i32; 3],
    pub(crate) max: [i32; 3],
}

/// An axis of the model's space, as an index.
pub(crate) type Axis = usize;

/// How a face lies in space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Orientation {
    /// The axis that the face is flat in, and whether it is the far end of the box along it.
    pub(crate) normal: (Axis, bool),
    /// The axis that the texture's columns follow, and whether they run against it.
    pub(crate) columns: (Axis, bool),
    /// The axis that the texture's rows follow, and whether they run against it.
    pub(crate) rows: (Axis, bool),
}

pub(crate) const X: Axis = 0;
pub(crate) const Y: Axis = 1;
pub(crate) const Z: Axis = 2;

impl Face {
    /// Where the face sits on its box and how its texture runs: that of the sides as if wound
    /// round the box, that of top and bottom from the back to the front.
    fn orientation(self) -> Orientation {
        let (normal, columns, rows) = match self {
            Face::Front => ((Z, true), (X, false), Y),
            Face::Right => ((X, false), (Z, false), Y),
            Face::Back => ((Z, false), (X, true), Y),
            Face::Left => ((X, true), (Z, true), Y),
            Face::Top => ((Y, false), (X, false), Z),
            Face::Bottom => ((Y, true), (X, false), Z),
        };
        Orientation {
            normal,
            columns,
            rows: (rows, false),
        }
    }
}

impl Orientation {
    /// Whether an isometric viewer sees the outside of the face.
    fn is_near(self) -> bool {
        matches!(self.normal, (X, false) | (Y, false) | (Z, true))
    }

    /// The same after half a turn about an upright axis.
    fn turned(self) -> Orientation {
        let turned = |(axis, reversed): (Axis, bool)| (axis, reversed != (axis != Y));
        Orientation {
            normal: turned(self.normal),
            columns: turned(self.columns),
            rows: turned(self.rows),
        }
    }
}

impl Bounds {
    /// The same after half a turn about the middle of the figure.
    fn turned(self) -> Bounds {
        let (Bounds { min, max }, across) = (self, 16 * QUARTERS);
        Bounds {
            min: [across - max[X], min[Y], -max[Z]],
            max: [across - min[X], max[Y], -min[Z]],
        }
    }
}

/// The patches of these parts in painting order, back to front.
pub(crate) fn patches(parts: &[Part], model: Model, layers: Layers, aspect: Aspect) -> Vec<Patch> {
    let faces = PAINT_ORDER
        .into_iter()
        .map(|part| match aspect {
            Aspect::Front => part,
            Aspect::Back => part.opposite(),
        })
        .filter(|part| parts.contains(part))
        .flat_map(|part| layers.drawn().iter().map(move |&layer| (part, layer)))
        .flat_map(|(part, layer)| Face::ALL.map(|face| (part, layer, face)))
        .map(|(part, layer, face)| {
            let patch = Patch::whole(&part.cuboid(model), layer, face);
            (layer, patch.seen(aspect))
        })
        // The inside of a base box is never seen: the base layer is opaque.
        .filter(|(layer, patch)| *layer == Layer::Overlay || patch.orientation.is_near())
        .map(|(_, patch)| patch)
        .collect();
    partition(faces)
}

/// What the patches of these parts fill when seen: the bounds of their boxes.
pub(crate) fn bounds(parts: &[Part], model: Model) -> impl Iterator<Item = Bounds> {
    parts
        .iter()
        .map(move |part| solid(&part.cuboid(model), Layer::Overlay))
}

fn solid(cuboid: &Cuboid, layer: Layer) -> Bounds {
    let grown = layer.inflation(cuboid.part);
    let [x, y, z] = cuboid.position.map(|texels| texels * QUARTERS);
    let [w, h, d] = cuboid.size.map(|texels| texels * QUARTERS);
    Bounds {
        min: [x - grown, y - grown, z - grown],
        max: [x + w + grown, y + h + grown, z + d + grown],
    }
}

impl Patch {
    fn whole(cuboid: &Cuboid, layer: Layer, face: Face) -> Patch {
        let solid = solid(cuboid, layer);
        let orientation = face.orientation();
        let (axis, far) = orientation.normal;
        let plane = if far {
            solid.max[axis]
        } else {
            solid.min[axis]
        };
        let mut bounds = solid;
        bounds.min[axis] = plane;
        bounds.max[axis] = plane;
        Patch {
            orientation,
            region: cuboid.region(layer, face),
            solid,
            bounds,
        }
    }

    /// The patch as a viewer has it who sees this side of the player.
    fn seen(self, aspect: Aspect) -> Patch {
        match aspect {
            Aspect::Front => self,
            Aspect::Back => Patch {
                orientation: self.orientation.turned(),
                solid: self.solid.turned(),
                bounds: self.bounds.turned(),
                ..self
            },
        }
    }

    fn plane(&self) -> Plane {
        let (axis, _) = self.orientation.normal;
        Plane {
            axis,
            at: self.bounds.min[axis],
        }
    }

    /// The parts of the patch behind, on and in front of a plane.
    fn split(self, plane: Plane) -> [Option<Patch>; 3] {
        let (min, max) = (self.bounds.min[plane.axis], self.bounds.max[plane.axis]);
        if min == plane.at && max == plane.at {
            return [None, Some(self), None];
        }
        let (mut low, mut high) = (self, self);
        low.bounds.max[plane.axis] = max.min(plane.at);
        high.bounds.min[plane.axis] = min.max(plane.at);
        let low = (min < plane.at).then_some(low);
        let high = (max > plane.at).then_some(high);
        if plane.viewer_is_high() {
            [low, None, high]
        } else {
            [high, None, low]
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plane {
    axis: Axis,
    at: i32,
}

impl Plane {
    /// The viewer stands in front, above and to the player's right.
    fn viewer_is_high(self) -> bool {
        self.axis == Z
    }

    fn cuts(self, patch: &Patch) -> bool {
        let (min, max) = (patch.bounds.min[self.axis], patch.bounds.max[self.axis]);
        min < self.at && self.at < max
    }
}

/// Orders patches back to front. Those on one plane keep the order that they come in.
fn partition(patches: Vec<Patch>) -> Vec<Patch> {
    let cuts = |plane: Plane| patches.iter().filter(|patch| plane.cuts(patch)).count();
    let Some(plane) = patches
        .iter()
        .map(Patch::plane)
        .min_by_key(|&plane| cuts(plane))
    else {
        return patches;
    };
    let [mut behind, mut on, mut before] = [Vec::new(), Vec::new(), Vec::new()];
    for patch in patches {
        let sides = patch.split(plane);
        for (side, piece) in [&mut behind, &mut on, &mut before].into_iter().zip(sides) {
            side.extend(piece);
        }
    }
    let mut ordered = partition(behind);
    ordered.extend(on);
    ordered.extend(partition(before));
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASPECTS: [Aspect; 2] = [Aspect::Front, Aspect::Back];

    #[test]
    fn patches_cover_what_the_faces_cover() {
        let area = |bounds: Bounds| -> i64 {
            (0..3)
                .map(|axis| i64::from(bounds.max[axis] - bounds.min[axis]))
                .filter(|&length| length > 0)
                .product()
        };
        let face = |part: Part, model, layer, face| {
            area(Patch::whole(&part.cuboid(model), layer, face).bounds)
        };
        for (model, aspect) in [Model::Classic, Model::Slim]
            .into_iter()
            .flat_map(|model| ASPECTS.map(|aspect| (model, aspect)))
        {
            // The near faces of a box are as large as those opposite.
            let whole: i64 = PAINT_ORDER
                .into_iter()
                .flat_map(|part| Face::ALL.map(|of| (part, of)))
                .map(|(part, of)| {
                    face(part, model, Layer::Overlay, of) + face(part, model, Layer::Base, of) / 2
                })
                .sum();
            let patches = patches(&PAINT_ORDER, model, Layers::WithOverlay, aspect);
            let pieces: i64 = patches.iter().map(|patch| area(patch.bounds)).sum();
            assert_eq!(pieces, whole, "{model:?}, {aspect:?}");
        }
    }

    #[test]
    fn nothing_painted_later_lies_behind() {
        for aspect in ASPECTS {
            let patches = patches(&PAINT_ORDER, Model::Classic, Layers::WithOverlay, aspect);
            for (i, early) in patches.iter().enumerate() {
                let plane = early.plane();
                for late in &patches[i + 1..] {
                    let [behind, ..] = late.split(plane);
                    let overlap = behind.is_some_and(|behind| hides(early, &behind));
                    assert!(!overlap, "{late:?} is painted over {early:?}");
                }
            }
        }
    }

    /// Whether a ray from the viewer meets `near` and then `far`: the rays run along (1, 0.9, -1).
    fn hides(near: &Patch, far: &Patch) -> bool {
        // Shadows on the screen, doubled so that whole numbers do: columns x + z, rows of upright
        // faces between their corners. Overlap of both in columns and rows is tested on a fine
        // lattice of points inside the far patch.
        let steps = 8;
        let at = |bounds: &Bounds, axis: Axis, step: i32| {
            let (min, max) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
            min + (max - min) * (f64::from(step) + 0.5) / f64::from(steps)
        };
        let (flat, _) = far.orientation.normal;
        let [s, t] = match flat {
            X => [Y, Z],
            Y => [X, Z],
            _ => [X, Y],
        };
        (0..steps).any(|i| {
            (0..steps).any(|j| {
                let mut point = [0.0; 3];
                point[flat] = f64::from(far.bounds.min[flat]);
                point[s] = at(&far.bounds, s, i);
                point[t] = at(&far.bounds, t, j);
                meets(near, point)
            })
        })
    }

    /// Whether the ray from a point towards the viewer meets the patch on the way.
    fn meets(patch: &Patch, point: [f64; 3]) -> bool {
        const TOWARDS: [f64; 3] = [-1.0, -0.9, 1.0];
        let (flat, _) = patch.orientation.normal;
        let way = (f64::from(patch.bounds.min[flat]) - point[flat]) / TOWARDS[flat];
        way > 1e-9
            && (0..3).filter(|&axis| axis != flat).all(|axis| {
                let hit = point[axis] + TOWARDS[axis] * way;
                hit > f64::from(patch.bounds.min[axis]) + 1e-9
                    && hit < f64::from(patch.bounds.max[axis]) - 1e-9
            })
    }
}
