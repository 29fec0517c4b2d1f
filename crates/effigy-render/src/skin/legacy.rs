//! Legacy skins, twice as wide as high, in the modern layout.

use crate::model::{Face, Layer, Model, Part, Region};
use crate::skin::texels::{Texels, region};

/// The right limbs and the left ones, which a legacy skin does not have.
const LIMBS: [[Part; 2]; 2] = [
    [Part::RightArm, Part::LeftArm],
    [Part::RightLeg, Part::LeftLeg],
];

/// The overlay of the head.
const HAT: Region = region([32, 0], [32, 16]);

/// Fills the lower half of a legacy skin as the game does when it loads one: the left limbs are the
/// mirrored right ones. The rule for hats is the service's own.
pub(super) fn to_modern(texels: &mut Texels) {
    for limbs in LIMBS {
        let [right, left] = limbs.map(|limb| limb.cuboid(Model::Classic));
        for face in Face::ALL {
            let mirrored = match face {
                Face::Right => Face::Left,
                Face::Left => Face::Right,
                other => other,
            };
            let to = left.region(Layer::Base, mirrored);
            texels.copy_mirrored(right.region(Layer::Base, face), to);
        }
    }
    if has_blank_hat(texels) {
        texels.update(HAT, |texel| *texel = [0; 4]);
    }
}

/// Returns `true` for a hat of one opaque color, with which old editors filled the background. The game also hides an opaque
/// hat of several colors, if no texel of the right half has an alpha below 128; here it is drawn, because it was painted.
fn has_blank_hat(texels: &Texels) -> bool {
    let mut hat = texels.rows(HAT).flatten();
    hat.next()
        .is_some_and(|first| first[3] == 255 && hat.all(|texel| texel == first))
}
