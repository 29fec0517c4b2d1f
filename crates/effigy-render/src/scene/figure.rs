//! The parts of a player that a view draws.

use std::sync::OnceLock;

use crate::Skin;
use crate::model::{Face, Layer, Model, PAINT_ORDER, Part};
use crate::scene::bsp::Bsp;
use crate::scene::projection::Projection;
use crate::scene::solid::{Solid, Surface};
use crate::scene::vec3::Vec3;
use crate::view::{Aspect, Layers};

/// Parts of a player in a picture of a fixed shape.
pub(crate) struct Figure {
    parts: &'static [Part],
    /// The width and height of the picture in sides of the head. Specification, "Render details".
    shape: [f64; 2],
    /// The divided faces for each model and choice of layers. Neither skin nor viewer changes them.
    divided: [[OnceLock<Bsp>; 2]; 2],
}

impl Figure {
    pub(crate) const fn new(parts: &'static [Part], shape: [f64; 2]) -> Figure {
        Figure {
            parts,
            shape,
            divided: [const { [const { OnceLock::new() }; 2] }; 2],
        }
    }

    /// Returns the isometric projection onto a picture of this width and height. It leaves room for the
    /// overlays of a classic player, so that model and layers never move the figure.
    pub(crate) fn projection(&self, size: [u32; 2], aspect: Aspect) -> Projection {
        let size = size.map(f64::from);
        // Pixels per texel: the head is 8 texels wide and the unit of the shape.
        let [across, down] = [0, 1].map(|axis| size[axis] / self.shape[axis] / 8.0);
        let forward = match aspect {
            Aspect::Front => 1.0,
            Aspect::Back => -1.0,
        };
        let projection = Projection::new(
            Vec3::new(0.9 * forward, 0.0, 0.9 * forward) * across,
            Vec3::new(-0.45 * forward, 1.0, 0.45 * forward) * down,
        );
        let cuboids = self.parts.iter().map(|part| part.cuboid(Model::Classic));
        let overlays = cuboids.map(|cuboid| Solid::new(&cuboid, Layer::Overlay));
        let points: Vec<Vec3> = overlays.flat_map(|overlay| overlay.corners()).collect();
        projection.centered(&points, size)
    }

    /// Returns the divided faces of a player with this skin. They are computed once. An overlay without a
    /// visible texel is left out.
    pub(crate) fn bsp(&self, skin: &Skin, layers: Layers) -> &Bsp {
        let layers = match layers {
            Layers::WithOverlay if !self.has_overlay(skin) => Layers::Base,
            layers => layers,
        };
        self.bsp_of(skin.model(), layers)
    }

    pub(crate) fn bsp_of(&self, model: Model, layers: Layers) -> &Bsp {
        let divided = &self.divided[model as usize][layers as usize];
        divided.get_or_init(|| Bsp::new(self.surfaces(model, layers.drawn())))
    }

    fn has_overlay(&self, skin: &Skin) -> bool {
        let cuboids = self.parts.iter().map(|part| part.cuboid(skin.model()));
        let mut regions =
            cuboids.flat_map(|cuboid| Face::ALL.map(|face| cuboid.region(Layer::Overlay, face)));
        regions.any(|region| skin.rows(region).flatten().any(|texel| texel[3] > 0))
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
