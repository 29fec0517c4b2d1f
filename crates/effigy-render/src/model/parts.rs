//! The six boxes of a player, and the one rule that unwraps a box onto the skin.
//!
//! Sides are the player's own throughout: the right arm is the one that a viewer who faces the
//! player sees on the left. Axes: `x` runs from the player's right to the player's left, `y` from
//! the crown down, `z` from back to front; the origin is the top right front-view corner of the
//! 16 x 32 grid that the whole figure fills.

use effigy_player::Model;

/// A part of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Head,
    Torso,
    RightArm,
    LeftArm,
    RightLeg,
    LeftLeg,
}

/// One of the two skins a part wears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    /// The body itself, always opaque.
    Base,
    /// The hat, jacket, sleeve or trouser leg over it.
    Overlay,
}

/// A side of a box, named as the player would.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    Front,
    Right,
    Top,
    Back,
    Left,
    Bottom,
}

/// A part's box: where it stands on the model and where its two layers lie on the skin, in texels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cuboid {
    pub(crate) part: Part,
    /// Corner with the smallest `x`, `y`, `z`.
    pub(crate) position: [i32; 3],
    /// Width, height, depth.
    pub(crate) size: [i32; 3],
    base: [i32; 2],
    overlay: [i32; 2],
}

/// A rectangle of the skin, in texels of a 64 x 64 skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

/// The order in which parts that touch are painted, back to front for a viewer who sees the
/// player's right side. Spec, "Render details"; its left is the viewer's.
pub(crate) const PAINT_ORDER: [Part; 6] = [
    Part::LeftLeg,
    Part::RightLeg,
    Part::LeftArm,
    Part::Torso,
    Part::RightArm,
    Part::Head,
];

impl Part {
    /// The part that stands where this one stood, once the player has made half a turn.
    pub(crate) fn opposite(self) -> Part {
        match self {
            Part::Head | Part::Torso => self,
            Part::RightArm => Part::LeftArm,
            Part::LeftArm => Part::RightArm,
            Part::RightLeg => Part::LeftLeg,
            Part::LeftLeg => Part::RightLeg,
        }
    }

    /// The part's box on a player of this model.
    pub(crate) fn cuboid(self, model: Model) -> Cuboid {
        let arm = match model {
            Model::Classic => 4,
            Model::Slim => 3,
        };
        let (position, size, base, overlay) = match self {
            Part::Head => ([4, 0, -4], [8, 8, 8], [0, 0], [32, 0]),
            Part::Torso => ([4, 8, -2], [8, 12, 4], [16, 16], [16, 32]),
            // A slim arm is narrower on its outer side.
            Part::RightArm => ([4 - arm, 8, -2], [arm, 12, 4], [40, 16], [40, 32]),
            Part::LeftArm => ([12, 8, -2], [arm, 12, 4], [32, 48], [48, 48]),
            Part::RightLeg => ([4, 20, -2], [4, 12, 4], [0, 16], [0, 32]),
            Part::LeftLeg => ([8, 20, -2], [4, 12, 4], [16, 48], [0, 48]),
        };
        Cuboid {
            part: self,
            position,
            size,
            base,
            overlay,
        }
    }
}

impl Layer {
    /// How far the layer stands out from the part's box on every side, in quarters of a texel. The
    /// game's own amounts: 0.5 texel for the hat, 0.25 for the rest.
    pub(crate) fn inflation(self, part: Part) -> i32 {
        match (self, part) {
            (Layer::Base, _) => 0,
            (Layer::Overlay, Part::Head) => 2,
            (Layer::Overlay, _) => 1,
        }
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

impl Cuboid {
    /// The unwrap rule: the texture of a box lies on the skin as two rows, top and bottom above
    /// right, front, left and back.
    pub(crate) fn region(&self, layer: Layer, face: Face) -> Region {
        let [w, h, d] = self.size;
        let [u, v] = match layer {
            Layer::Base => self.base,
            Layer::Overlay => self.overlay,
        };
        let (x, y, width, height) = match face {
            Face::Top => (u + d, v, w, d),
            Face::Bottom => (u + d + w, v, w, d),
            Face::Right => (u, v + d, d, h),
            Face::Front => (u + d, v + d, w, h),
            Face::Left => (u + d + w, v + d, d, h),
            Face::Back => (u + 2 * d + w, v + d, w, h),
        };
        Region {
            x,
            y,
            width,
            height,
        }
    }
}
