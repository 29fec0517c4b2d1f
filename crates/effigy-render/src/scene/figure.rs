//! The parts of a player that a view draws.

use std::sync::OnceLock;

use crate::model::{Layer, Model, PAINT_ORDER, Part};
use crate::scene::bsp::Bsp;
use crate::scene::projection::Projection;
use crate::scene::solid::Surface;
use crate::scene::vec3::Vec3;
use crate::view::{Aspect, Layers};

/// Parts of a player on a canvas of a fixed shape.
pub(crate) struct Figure {
    parts: &'static [Part],
    /// Canvas width and height in thousandths of its side. Specification, "Render details".
    canvas: [u64; 2],
    /// The divided faces for each model and choice of layers. Neither skin nor viewer changes them.
    divided: [[OnceLock<Bsp>; 2]; 2],
}

impl Figure {
    pub(crate) const fn new(parts: &'static [Part], canvas: [u64; 2]) -> Figure {
        Figure {
            parts,
            canvas,
            divided: [const { [const { OnceLock::new() }; 2] }; 2],
        }
    }

    /// Returns the width and height of the canvas of this side.
    pub(crate) fn canvas(&self, side: u64) -> [u64; 2] {
        self.canvas.map(|thousandths| thousandths * side / 1000)
    }

    /// Returns the projection onto a canvas of this side. It leaves room for the overlays of a
    /// classic player, so that model and layers never move the figure.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a canvas is far smaller than 2^52"
    )]
    pub(crate) fn projection(&self, side: u64, aspect: Aspect) -> Projection {
        let texel = side as f64 / 8.0;
        let forward = match aspect {
            Aspect::Front => texel,
            Aspect::Back => -texel,
        };
        let projection = Projection::new(
            Vec3::new(0.9 * forward, 0.0, 0.9 * forward),
            Vec3::new(-0.45 * forward, texel, 0.45 * forward),
        );
        let overlays = self.surfaces(Model::Classic, &[Layer::Overlay]);
        let corners = overlays.iter().flat_map(|surface| surface.corners);
        let points: Vec<Vec3> = corners.map(|corner| corner.point).collect();
        projection.centered(&points, self.canvas(side).map(|pixels| pixels as f64))
    }

    /// Returns the divided faces. They are computed once.
    pub(crate) fn bsp(&self, model: Model, layers: Layers) -> &Bsp {
        let divided = &self.divided[model as usize][layers as usize];
        divided.get_or_init(|| Bsp::new(self.surfaces(model, layers.drawn())))
    }

    fn surfaces(&self, model: Model, layers: &[Layer]) -> Vec<Surface> {
        let parts = PAINT_ORDER.iter().filter(|part| self.parts.contains(part));
        let cuboids = parts.map(|part| part.cuboid(model));
        cuboids
            .flat_map(|cuboid| {
                layers
                    .iter()
                    .map(move |&layer| Surface::of_part(&cuboid, layer))
            })
            .flatten()
            .collect()
    }
}
