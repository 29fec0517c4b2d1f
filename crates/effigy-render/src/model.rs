//! The boxes of a player, and the rule that unwraps a box onto the skin.
//!
//! Sides are the player's own: a viewer who faces the player sees the right arm on the left. `x`
//! runs from the player's right to its left, `y` down, `z` from back to front. Seen from the front,
//! the figure fills a grid of 16 x 32 texels whose top left corner, as the viewer sees it, is the
//! origin.

pub(crate) use effigy_player::Model;
use effigy_player::word_enum;
use glam::DVec3;

word_enum! {
    #[non_exhaustive]
    /// The layers of a skin that are drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Layers {
        /// The body alone.
        Base = "base",
        /// The body with the hat, jacket, sleeves and trousers over it.
        #[default]
        WithOverlay = "overlay",
    }
}

/// A part of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Head,
    Torso,
    RightArm,
    LeftArm,
    RightLeg,
    LeftLeg,
    /// The ears on the head of `deadmau5`, which are one texture.
    RightEar,
    LeftEar,
    /// The cape on the back of the torso. It has a texture of its own.
    Cape,
    /// The wings of the elytra, in the texture of the cape.
    RightWing,
    LeftWing,
}

/// A layer of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    /// The body itself, always opaque.
    Base,
    /// The hat, jacket, sleeve or trouser leg over the body.
    Overlay,
}

/// A side of a box, from the player's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    Front,
    Right,
    Top,
    Back,
    Left,
    Bottom,
}

/// A part's box, and the positions of its two textures on the skin, in texels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cuboid {
    pub(crate) part: Part,
    /// The corner with the smallest `x`, `y` and `z`.
    pub(crate) position: [i32; 3],
    /// Width, height and depth.
    pub(crate) size: [u32; 3],
    /// The top left corners of the textures of base and overlay.
    textures: [[u32; 2]; 2],
}

/// A rectangle of the skin, in texels of a 64 x 64 skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    /// The top left corner.
    pub(crate) at: [u32; 2],
    /// Width and height.
    pub(crate) size: [u32; 2],
}

/// The parts that every player has, in the order in which flat views paint them, back to front. In
/// scenes, faces on one plane are sorted by their nearness to the viewer; this order decides
/// between equally near ones. Specification, "Render details", which calls the viewer's left side
/// left.
pub(crate) const BODY_PARTS: [Part; 6] = [
    Part::LeftLeg,
    Part::RightLeg,
    Part::LeftArm,
    Part::Torso,
    Part::RightArm,
    Part::Head,
];

impl Part {
    /// Returns the part's own layers among some layers. Ears, capes and wings have no overlay.
    pub(crate) fn layers(self, layers: Layers) -> &'static [Layer] {
        if layers == Layers::WithOverlay && self.is_opaque() {
            &[Layer::Base, Layer::Overlay]
        } else {
            &[Layer::Base]
        }
    }

    /// Returns `true` if the part's base layer is opaque.
    pub(crate) fn is_opaque(self) -> bool {
        BODY_PARTS.contains(&self)
    }

    pub(crate) fn is_leg(self) -> bool {
        matches!(self, Part::RightLeg | Part::LeftLeg)
    }

    /// Returns the part's box on a player of this model.
    pub(crate) fn cuboid(self, model: Model) -> Cuboid {
        // A slim arm is narrower on its outer side.
        let (arm, outer) = match model {
            Model::Classic => (4, 0),
            Model::Slim => (3, 1),
        };
        let (position, size, textures) = match self {
            Part::Head => ([4, 0, -4], [8, 8, 8], [[0, 0], [32, 0]]),
            Part::Torso => ([4, 8, -2], [8, 12, 4], [[16, 16], [16, 32]]),
            Part::RightArm => ([outer, 8, -2], [arm, 12, 4], [[40, 16], [40, 32]]),
            Part::LeftArm => ([12, 8, -2], [arm, 12, 4], [[32, 48], [48, 48]]),
            Part::RightLeg => ([4, 20, -2], [4, 12, 4], [[0, 16], [0, 32]]),
            Part::LeftLeg => ([8, 20, -2], [4, 12, 4], [[16, 48], [0, 48]]),
            // These parts have no overlay, so the place of the base stands for both.
            Part::RightEar => ([-1, -4, 0], [6, 6, 1], [[24, 0]; 2]),
            Part::LeftEar => ([11, -4, 0], [6, 6, 1], [[24, 0]; 2]),
            // The place before the cape is turned and hung on the back.
            Part::Cape => ([3, 8, -2], [10, 16, 1], [[0, 0]; 2]),
            // The place of the left wing. The right wing is its mirror image.
            Part::RightWing | Part::LeftWing => ([3, 8, -4], [10, 20, 2], [[22, 0]; 2]),
        };
        Cuboid {
            part: self,
            position,
            size,
            textures,
        }
    }
}

impl Layer {
    /// Returns the distance of the layer from the part's box on every side in texels, as in the
    /// game.
    pub(crate) fn inflation(self, part: Part) -> DVec3 {
        DVec3::splat(match (self, part) {
            (Layer::Base, Part::RightEar | Part::LeftEar) => 1.0,
            (Layer::Base, Part::RightWing | Part::LeftWing) => 1.0,
            (Layer::Base, _) => 0.0,
            (Layer::Overlay, Part::Head) => 0.5,
            (Layer::Overlay, _) => 0.25,
        })
    }
}

impl Face {
    pub(crate) const ALL: [Face; 6] = [
        Face::Front,
        Face::Right,
        Face::Top,
        Face::Back,
        Face::Left,
        Face::Bottom,
    ];
}

impl Region {
    /// The top left corner, and width and height, in a texture of this scale.
    pub(crate) fn scaled(self, scale: u32) -> [[usize; 2]; 2] {
        let scaled = |texels: u32| (texels * scale) as usize;
        [self.at.map(scaled), self.size.map(scaled)]
    }
}

/// The middle of the figure in texels of the flat views, which count from the right arm.
const CENTER_X: f64 = 8.0;

impl Cuboid {
    /// Returns the corners with the least and the greatest coordinates, from the middle of the
    /// figure.
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        let least = DVec3::from(self.position.map(f64::from)) - DVec3::X * CENTER_X;
        [least, least + DVec3::from(self.size.map(f64::from))]
    }

    /// Returns the center, from the middle of the figure.
    pub(crate) fn center(&self) -> DVec3 {
        let [least, greatest] = self.bounds();
        least.midpoint(greatest)
    }

    /// Returns the region of the skin that covers a face. The faces of a box form two rows: top and
    /// bottom, and below them right, front, left and back.
    pub(crate) fn region(&self, layer: Layer, face: Face) -> Region {
        let [w, h, d] = self.size;
        let [u, v] = self.textures[layer as usize];
        let (at, size) = match face {
            Face::Top => ([u + d, v], [w, d]),
            Face::Bottom => ([u + d + w, v], [w, d]),
            Face::Right => ([u, v + d], [d, h]),
            Face::Front => ([u + d, v + d], [w, h]),
            Face::Left => ([u + d + w, v + d], [d, h]),
            Face::Back => ([u + 2 * d + w, v + d], [w, h]),
        };
        Region { at, size }
    }
}
