//! The parts of a player that a view draws, and their fragments in depth order.

use std::sync::OnceLock;

use crate::isometric::bsp;
use crate::isometric::fragment::{Bounds, Fragment};
use crate::isometric::projection::Projection;
use crate::model::{Face, Layer, Model, PAINT_ORDER, Part};
use crate::view::{Aspect, Layers};

/// Parts of a player on a canvas of a fixed shape.
pub(crate) struct Figure {
    parts: &'static [Part],
    /// Canvas width and height in thousandths of its side. Specification, "Render details".
    canvas: [u64; 2],
    /// The sorted fragments for each model, choice of layers and aspect. No skin changes them.
    sorted: [[[OnceLock<Vec<Fragment>>; 2]; 2]; 2],
}

impl Figure {
    pub(crate) const fn new(parts: &'static [Part], canvas: [u64; 2]) -> Figure {
        Figure {
            parts,
            canvas,
            sorted: [const { [const { [const { OnceLock::new() }; 2] }; 2] }; 2],
        }
    }

    /// Returns the projection onto a canvas of this side. It leaves room for the overlays of a
    /// classic player, so that model and layers never move the figure.
    pub(crate) fn projection(&self, side: u64) -> Projection {
        let size = self.canvas.map(|thousandths| thousandths * side / 1000);
        let boxes = self.parts.iter().map(|part| {
            let cuboid = part.cuboid(Model::Classic);
            Bounds::of_cuboid(&cuboid, Layer::Overlay)
        });
        Projection::centered(size, side, boxes)
    }

    /// Returns the fragments, nearest first. They are computed once.
    pub(crate) fn front_to_back(
        &self,
        model: Model,
        layers: Layers,
        aspect: Aspect,
    ) -> &[Fragment] {
        let sorted = &self.sorted[model as usize][layers as usize][aspect as usize];
        sorted.get_or_init(|| bsp::sort_front_to_back(self.faces(model, layers, aspect)))
    }

    /// Returns the faces that may be seen, in paint order.
    fn faces(&self, model: Model, layers: Layers, aspect: Aspect) -> Vec<Fragment> {
        let parts = PAINT_ORDER.into_iter().map(|part| match aspect {
            Aspect::Front => part,
            Aspect::Back => part.opposite(),
        });
        let mut faces = Vec::new();
        for part in parts.filter(|part| self.parts.contains(part)) {
            let cuboid = part.cuboid(model);
            for &layer in layers.drawn() {
                let fragments = Face::ALL
                    .map(|face| Fragment::of_face(&cuboid, layer, face))
                    .map(|fragment| match aspect {
                        Aspect::Front => fragment,
                        Aspect::Back => fragment.rotate_half_turn(),
                    });
                // The base layer is opaque and hides the inner sides of its boxes.
                faces.extend(fragments.into_iter().filter(|fragment| {
                    layer == Layer::Overlay || fragment.orientation.is_towards_viewer()
                }));
            }
        }
        faces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isometric::fragment::{Axis, X, Y, Z};

    static WHOLE: Figure = Figure::new(&PAINT_ORDER, [2500, 5100]);

    const ASPECTS: [Aspect; 2] = [Aspect::Front, Aspect::Back];

    #[test]
    fn fragments_cover_what_the_faces_cover() {
        let area = |bounds: Bounds| -> i64 {
            (0..3)
                .map(|axis| i64::from(bounds.max[axis] - bounds.min[axis]))
                .filter(|&length| length > 0)
                .product()
        };
        let face = |part: Part, model, layer, face| {
            area(Fragment::of_face(&part.cuboid(model), layer, face).bounds)
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
            let fragments = WHOLE.front_to_back(model, Layers::WithOverlay, aspect);
            let pieces: i64 = fragments.iter().map(|f| area(f.bounds)).sum();
            assert_eq!(pieces, whole, "{model:?}, {aspect:?}");
        }
    }

    #[test]
    fn no_fragment_is_hidden_by_a_later_one() {
        for aspect in ASPECTS {
            let fragments = WHOLE.front_to_back(Model::Classic, Layers::WithOverlay, aspect);
            for (i, late) in fragments.iter().enumerate() {
                let axis = late.orientation.normal.axis;
                for early in &fragments[..i] {
                    let [low, high] = early.split(axis, late.bounds.min[axis]);
                    let behind = if axis == Z { low } else { high };
                    let hidden = behind.is_some_and(|behind| hides(late, &behind));
                    assert!(!hidden, "{late:?} hides {early:?}");
                }
            }
        }
    }

    /// Returns `true` if a line of sight meets `near` and then `far`. Tries a grid of points of `far`.
    fn hides(near: &Fragment, far: &Fragment) -> bool {
        let steps = 8;
        let at = |bounds: &Bounds, axis: Axis, step: i32| {
            let (min, max) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
            min + (max - min) * (f64::from(step) + 0.5) / f64::from(steps)
        };
        let flat = far.orientation.normal.axis;
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

    /// Returns `true` if the ray from a point towards the viewer meets the fragment.
    fn meets(fragment: &Fragment, point: [f64; 3]) -> bool {
        const TOWARDS: [f64; 3] = [-1.0, -0.9, 1.0];
        let flat = fragment.orientation.normal.axis;
        let distance = (f64::from(fragment.bounds.min[flat]) - point[flat]) / TOWARDS[flat];
        distance > 1e-9
            && (0..3).filter(|&axis| axis != flat).all(|axis| {
                let hit = point[axis] + TOWARDS[axis] * distance;
                hit > f64::from(fragment.bounds.min[axis]) + 1e-9
                    && hit < f64::from(fragment.bounds.max[axis]) - 1e-9
            })
    }
}
